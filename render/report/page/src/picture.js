// The picture of a family: names on the left, and beside them a canvas on which all
// tracks share one axis of time. It is moved with the mouse, with two fingers, or
// with the keys.

import { scaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { zoom, zoomIdentity } from 'd3-zoom';
import { Drawing } from './draw.js';
import { element } from './element.js';
import { theme } from './theme.js';
import { axisHeight, numbers, stepAt, told, tracks } from './tracks.js';
import { shortest, title } from './view.js';

export class Picture {
  constructor(view, clock, gaps, label) {
    Object.assign(this, { view, clock, gaps });
    this.canvas = element('canvas', { 'aria-hidden': 'true' });
    this.cross = element('div', { class: 'cross', hidden: true });
    this.names = element('div', { class: 'names' });
    this.paper = element('div', { class: 'paper' }, element('div', { class: 'sheet' }, this.canvas, this.cross));
    this.readout = element('p', { class: 'readout' });
    this.frame = element('div', { class: 'frame', tabindex: 0, role: 'group', 'aria-label': label, 'aria-describedby': `keys-${view.number}` }, this.names, this.paper);
    this.zoom = this.zooming();
    select(this.canvas).call(this.zoom).on('dblclick.zoom', null);
    this.canvas.addEventListener('pointermove', (e) => this.point(e));
    this.canvas.addEventListener('click', (e) => this.pick(e));
    this.frame.addEventListener('scroll', () => this.redraw());
    new ResizeObserver(() => this.resize()).observe(this.frame);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redraw());
    view.addEventListener('change', (e) => this.changed(e.detail));
    this.lay();
  }

  // zooming turns wheel, drag and pinch into a stretch of time.
  zooming() {
    const [first, last] = this.view.whole;
    return zoom()
      .scaleExtent([1, Math.max(1, (last - first) / shortest)])
      .filter((e) => e.type === 'wheel' ? e.ctrlKey || e.metaKey || e.shiftKey : e.type.startsWith('touch') ? e.touches.length > 1 : !e.button)
      .wheelDelta((e) => -(e.deltaY || e.deltaX) * (e.deltaMode ? 0.05 : 0.002) * (e.ctrlKey ? 3 : 1))
      .on('zoom', ({ transform, sourceEvent }) => {
        if (!sourceEvent) return;
        const moved = transform.rescaleX(this.base()).domain();
        this.view.set({ range: moved });
      });
  }

  base() {
    return scaleLinear(this.view.whole, [0, this.width]);
  }

  changed(changes) {
    if ('everything' in changes || 'object' in changes) this.lay();
    if ('range' in changes) this.follow();
    if ('moment' in changes || 'range' in changes) this.hold();
    if (!('moment' in changes) || 'row' in changes) this.redraw();
  }

  // follow tells d3-zoom where the view is, for the next gesture to start from there.
  follow() {
    if (!this.width) return;
    const [from, to] = this.view.range, [first, last] = this.view.whole;
    const k = (last - first) / (to - from);
    this.canvas.__zoom = zoomIdentity.translate(-(from - first) / (last - first) * this.width * k, 0).scale(k);
  }

  // lay sets the names beside the tracks.
  lay() {
    this.tracks = tracks(this.view);
    this.names.replaceChildren(element('div', { class: 'corner' }, 'time'), ...this.tracks.list.map((t) => this.name(t)));
    this.paper.style.height = `${this.tracks.height}px`;
    this.resize();
  }

  name(track) {
    if (track.capacity) {
      const now = element('small');
      track.now = now;
      return element('div', { class: 'name chart' }, element('b', {}, track.capacity.revision), now);
    }
    if (track.minor) return element('div', { class: 'name minor' }, track.condition.type);
    const name = title(track.lane);
    return element('button', {
      class: 'name', type: 'button', title: `${name}: show only this`, 'aria-label': told(track.lane, this.view.byLane[track.number], this.clock), 'aria-pressed': String(this.view.object === name),
      onclick: () => this.view.set({ object: this.view.object === name ? '' : name }),
    }, element('small', { 'data-short': track.lane.short }, element('span', {}, track.lane.kind)), element('span', { class: 'start' }, track.lane.name.slice(0, -6)), track.lane.name.slice(-6));
  }

  resize() {
    this.width = this.paper.clientWidth;
    this.height = this.whole ? this.tracks.height : Math.min(this.tracks.height, this.frame.clientHeight || this.tracks.height);
    if (!this.width) return;
    this.zoom.extent([[0, 0], [this.width, this.height]]).translateExtent([[0, 0], [this.width, this.height]]);
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.follow();
    this.hold();
    this.redraw();
  }

  redraw() {
    this.due ??= requestAnimationFrame(() => {
      this.due = undefined;
      this.draw();
    });
  }

  draw() {
    if (!this.width) return;
    const c = this.canvas.getContext('2d');
    const ratio = this.canvas.width / this.width, shift = this.whole ? 0 : this.frame.scrollTop;
    const look = theme(this.canvas);
    this.x = scaleLinear(this.view.range, [0, this.width]);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = look.ground;
    c.fillRect(0, 0, this.width, this.height);
    c.translate(0, -shift);
    const drawing = new Drawing(c, look, this.view, this.x, this.width);
    const ticks = this.clock.ticks(...this.view.range, this.width).list;
    drawing.grid(ticks, this.tracks.height);
    const seen = this.tracks.list.filter((t) => t.top + t.height > shift && t.top < shift + this.height);
    for (const t of seen) t.capacity ? drawing.chart(t) : drawing.bar(t);
    drawing.gaps(this.gaps, this.tracks.height); // over what was known before them
    drawing.findings(this.tracks.height);
    for (const t of seen) if (t.lane && !t.minor) drawing.marks(t);
    c.translate(0, shift);
    drawing.axis(this.clock);
  }

  // hold puts the crosshair to its moment.
  hold() {
    const { moment, range, row } = this.view;
    const x = scaleLinear(range, [0, this.width]);
    this.cross.hidden = moment === null || moment < range[0] || moment > range[1];
    if (!this.cross.hidden) this.cross.style.transform = `translateX(${x(moment)}px)`;
    const parts = moment === null ? [] : [`${this.clock.date(moment)} ${this.clock.text(moment)}`];
    const silent = moment !== null && this.gaps.some(([from, to]) => from < moment && moment < to);
    if (silent) parts.push('a gap in the logs');
    for (const t of this.tracks.list) {
      if (!t.now) continue;
      t.now.textContent = moment === null ? 'traffic (line) over ready of wanted' : numbers(silent ? undefined : stepAt(t.capacity.steps, moment));
    }
    if (row) parts.push(`${row.object}: ${row.text}`);
    this.readout.textContent = parts.join('  ') || 'Point at the picture, or move through it with the arrow keys.';
  }

  point(e) {
    const box = this.canvas.getBoundingClientRect();
    const moment = scaleLinear(this.view.range, [0, this.width]).invert(e.clientX - box.left);
    const row = this.near(e);
    this.canvas.style.cursor = row ? 'pointer' : '';
    this.view.set({ moment: row ? row.t : moment, row: row ?? null });
  }

  // near returns the row that is drawn next to a place, null if there is none.
  near(e) {
    const box = this.canvas.getBoundingClientRect();
    const top = e.clientY - box.top + (this.whole ? 0 : this.frame.scrollTop), left = e.clientX - box.left;
    const track = this.tracks.list.find((t) => t.lane && !t.minor && t.top <= top && top < t.top + t.height);
    if (!track || e.clientY - box.top < axisHeight) return null;
    const x = scaleLinear(this.view.range, [0, this.width]);
    let best = null;
    for (const r of this.view.byLane[track.number]) {
      const off = Math.abs(x(r.t) - left);
      if (off <= 7 && (!best || off <= Math.abs(x(best.t) - left))) best = r;
    }
    return best;
  }

  pick(e) {
    const row = this.near(e);
    if (row) this.view.dispatchEvent(new CustomEvent('open', { detail: row }));
  }

  // print shows all of the picture, in light colours, or goes back.
  print(on) {
    this.whole = on;
    this.frame.classList.toggle('whole', on);
    this.resize();
    this.draw();
  }
}
