// The table of rows: those that are in sight in the picture, a screen at a time.

import { link } from './address.js';
import { element } from './element.js';

const most = 100;

export class Table {
  constructor(view, clock, table) {
    Object.assign(this, { view, clock, table, first: 0 });
    this.back = element('button', { type: 'button', onclick: () => this.turn(-most) }, 'rows before');
    this.next = element('button', { type: 'button', onclick: () => this.turn(most) }, 'more rows');
    table.parentElement.after(element('p', { class: 'turn' }, this.back, this.next));
    view.addEventListener('change', ({ detail }) => {
      if ('range' in detail || 'object' in detail || 'actor' in detail || 'hidden' in detail) this.later();
      if ('row' in detail) this.mark();
    });
    this.fill();
  }

  later() {
    this.first = 0;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fill(), 60);
  }

  turn(by) {
    this.first = Math.max(0, this.first + by);
    this.fill();
    this.table.caption.scrollIntoView({ block: 'nearest' });
  }

  fill() {
    const rows = this.view.here();
    const last = Math.min(this.first + most, rows.length);
    const all = this.view.rows.length;
    this.table.caption.textContent = rows.length ? `rows ${this.first + 1} to ${last} of ${rows.length} in sight, ${all} in all` : `no rows in sight, ${all} in all`;
    this.table.tBodies[0].replaceChildren(...rows.slice(this.first, last).map((r) => this.row(r)));
    this.back.hidden = this.first === 0;
    this.next.hidden = last === rows.length;
    this.mark();
  }

  row(r) {
    const cell = (name, ...children) => element('td', { class: name }, ...children);
    return element('tr', { id: `row=${r.id}`, class: r.mark + (r.proves ? ' proves' : ''), 'data-row': r.number },
      cell('', element('a', { href: link({ row: r.id }) }, r.t === null ? 'time unknown' : this.clock.text(r.t))),
      cell('', r.mark), cell('', r.object), cell('', r.text, r.grade === 'observed' ? null : element('span', { class: 'aside' }, ` (${r.grade})`)),
      cell('', r.by), cell('', r.scale), cell('place', r.place));
  }

  // mark shows which row the crosshair is at.
  mark() {
    for (const r of this.table.tBodies[0].rows) r.classList.toggle('here', Number(r.dataset.row) === this.view.row?.number);
  }
}
