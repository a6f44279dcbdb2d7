// What is drawn of each track, on a canvas.

import { curveStepAfter, line } from 'd3-shape';
import { drawMarks } from './marks.js';
import { dots, stripes } from './theme.js';
import { axisHeight } from './tracks.js';

// Drawing is one drawing of a view, from a height on.
export class Drawing {
  constructor(context, look, view, x, width) {
    Object.assign(this, { c: context, look, view, x, width });
    this.unknown = stripes(context, look.dim, look.ground);
    this.fills = { True: look.true, False: stripes(context, look.line, look.false, 8), Unknown: dots(context, '#5a3d00', look.unknown), exists: look.exists };
  }

  // between gives the stretch of the canvas for a stretch of time, null if it is out
  // of sight. What is too short to be seen is drawn all the same.
  between(from, to) {
    const a = Math.max(this.x(from), -1), b = Math.min(this.x(to), this.width + 1);
    return b < 0 || a > this.width ? null : [a, Math.max(b - a, 1)];
  }

  axis(clock) {
    const { c, look, view, x, width } = this;
    const { step, list } = clock.ticks(...view.range, width);
    c.fillStyle = look.ground;
    c.fillRect(0, 0, width, axisHeight);
    c.fillStyle = look.ink;
    c.font = `11px ${look.font}`;
    c.textAlign = 'center';
    for (const t of list) {
      c.fillRect(Math.round(x(t)), axisHeight - 6, 1, 6);
      c.fillText(clock.text(t, step), Math.min(Math.max(x(t), 32), width - 32), axisHeight - 10);
    }
    c.textAlign = 'left';
    return list;
  }

  grid(list, height) {
    this.c.fillStyle = this.look.line;
    for (const t of list) this.c.fillRect(Math.round(this.x(t)), axisHeight, 1, height);
  }

  gaps(gaps, height) {
    this.c.fillStyle = this.unknown;
    for (const [from, to] of gaps) {
      const at = this.between(from, to);
      if (at) this.c.fillRect(at[0], axisHeight, at[1], height);
    }
  }

  // findings marks when each began, over all tracks.
  findings(height) {
    const { c, look, view, x } = this;
    c.save();
    c.fillStyle = look.on;
    for (const f of view.family.findings) {
      if (f.t === null) continue;
      c.globalAlpha = f.id === view.finding ? 0.9 : 0.35;
      c.fillRect(Math.round(x(f.t)) - 0.5, axisHeight, f.id === view.finding ? 2 : 1, height);
    }
    c.restore();
  }

  bar(track) {
    const { c, look } = this;
    const top = track.top + (track.minor ? 3 : 4), height = track.height - (track.minor ? 6 : 8);
    c.font = `${track.minor ? 9 : 11}px ${look.font}`;
    for (const span of track.condition?.spans ?? []) {
      const at = this.between(span.from, span.to);
      if (!at) continue;
      c.fillStyle = this.fills[span.status] ?? this.unknown;
      c.fillRect(at[0], top, at[1], height);
      const text = span.reason || span.status;
      if (at[1] > 46 && span.status !== 'exists' && text) this.label(text, at, top, height);
    }
  }

  // label writes into a bar what fits.
  label(text, [left, room], top, height) {
    const { c } = this;
    let short = text;
    while (short.length > 3 && c.measureText(short).width > room - 12) short = short.slice(0, -2).trimEnd() + '…';
    if (short.length <= 3 && short !== text) return;
    c.save();
    c.beginPath();
    c.rect(left, top, room, height);
    c.clip();
    const w = c.measureText(short).width + 6;
    c.globalAlpha = 0.55;
    c.fillStyle = '#fff';
    c.fillRect(left + 2, top + 1, w, height - 2);
    c.globalAlpha = 1;
    c.fillStyle = '#000';
    c.fillText(short, left + 5, top + height / 2 + 4);
    c.restore();
  }

  marks(track) {
    drawMarks(this.c, this.look, this.view.byLane[track.number], this.x, track.top + track.height / 2, this.view.range);
  }

  // chart draws the share of the traffic as a line, over ready replicas as a part of
  // those wanted. What is missing under the line is hatched.
  chart(track) {
    const { c, look, view } = this;
    const { steps } = track.capacity;
    const top = track.top + 6, height = track.height - 14;
    const y = (percent) => top + height - Math.min(percent, 100) / 100 * height;
    const lack = stripes(c, look.lack, null, 5);
    steps.forEach((step, i) => {
      const at = this.between(step.t, steps[i + 1]?.t ?? view.family.to);
      if (!at) return;
      const known = step.ready !== null && step.want !== null;
      const capacity = known ? step.want === 0 ? 100 : Math.min(step.ready / step.want * 100, 100) : 0;
      c.fillStyle = known ? look.capacity : this.unknown;
      c.fillRect(at[0], known ? y(capacity) : top, at[1], known ? y(0) - y(capacity) : height);
      if (known && step.share > capacity) {
        c.fillStyle = lack;
        c.fillRect(at[0], y(step.share), at[1], y(capacity) - y(step.share));
      }
    });
    c.strokeStyle = look.line;
    c.strokeRect(0.5, top - 0.5, this.width - 1, height + 1);
    this.share(steps, y);
  }

  share(steps, y) {
    const { c, look, x, view } = this;
    const end = { ...steps.at(-1), t: view.family.to };
    c.strokeStyle = look.share;
    c.lineWidth = 2.5;
    c.beginPath();
    line().curve(curveStepAfter).defined((s) => s.share !== null).x((s) => Math.min(Math.max(x(s.t), -1e4), 1e5)).y((s) => y(s.share)).context(c)([...steps, end]);
    c.stroke();
    c.lineWidth = 1;
  }
}
