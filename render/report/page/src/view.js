// A View is what is looked at of one family: a stretch of time, a moment, and which
// rows. Who draws listens to its changes.

export class View extends EventTarget {
  constructor(family) {
    super();
    this.family = family;
    const pad = Math.max((family.to - family.from) * 0.02, 1e3);
    this.whole = [family.from - pad, family.to + pad];
    this.range = this.whole;
    this.moment = null; // of the crosshair
    this.row = null; // the row that the crosshair is at
    this.opened = undefined; // the row whose record is shown
    this.object = ''; // that rows are of, by its title
    this.actor = '';
    this.hidden = new Set(); // marks that are not shown
    this.finding = undefined;
    this.everything = false; // whether all conditions are shown
    this.rows = family.rows.map((row, number) => ({ ...row, number, object: row.lane < 0 ? 'inputs' : title(family.lanes[row.lane]), by: family.actors[row.actor] ?? '' }));
    this.timed = this.rows.filter((r) => r.t !== null).sort((a, b) => a.t - b.t || a.number - b.number);
    this.sift();
  }

  // set changes what is looked at, and tells of it.
  set(changes) {
    Object.assign(this, changes);
    if ('object' in changes || 'actor' in changes || 'hidden' in changes) this.sift();
    this.dispatchEvent(new CustomEvent('change', { detail: changes }));
  }

  // sift finds the rows that the filters let through.
  sift() {
    const shows = (r) => (!this.object || r.object === this.object) && (!this.actor || r.by === this.actor) && !this.hidden.has(r.mark);
    this.sifted = this.rows.filter(shows);
    this.siftedByTime = this.timed.filter(shows);
    this.byLane = this.family.lanes.map(() => []);
    for (const r of this.siftedByTime) if (r.lane >= 0) this.byLane[r.lane].push(r);
  }

  // look moves to a stretch of time, within the whole.
  look(from, to) {
    const [first, last] = this.whole;
    const width = Math.min(Math.max(to - from, shortest), last - first);
    const start = Math.min(Math.max((from + to - width) / 2, first), last - width);
    this.set({ range: [start, start + width] });
  }

  get zoomed() {
    return this.range[1] - this.range[0] < (this.whole[1] - this.whole[0]) * 0.999;
  }

  // here returns the rows that are in sight. Those without a time always are.
  here() {
    const [from, to] = this.range;
    if (!this.zoomed) return this.sifted;
    return this.sifted.filter((r) => r.t === null || r.t >= from && r.t <= to);
  }

  // beside returns the next row that the filters let through, or the one before.
  beside(step) {
    const list = this.siftedByTime;
    if (this.row) {
      const i = list.indexOf(this.row);
      if (i >= 0) return list[i + step];
    }
    const at = this.moment ?? this.range[0];
    return step > 0 ? list.find((r) => r.t >= at) : list.findLast((r) => r.t <= at);
  }
}

// shortest is the shortest stretch of time that is looked at, in microseconds.
export const shortest = 50;

export const title = (lane) => `${lane.kind} ${lane.name}`;

// lowest returns the first of sorted rows at or after a time.
export function lowest(rows, t) {
  let low = 0, high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].t < t) low = middle + 1;
    else high = middle;
  }
  return low;
}
