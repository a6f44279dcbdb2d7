// Times in the document are microseconds since its origin. A Clock shows them as
// the program does elsewhere, in its time zone.

const second = 1e6, minute = 60 * second, hour = 60 * minute, day = 24 * hour;
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5,
  second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second,
  minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day];

const pad = (n, width) => String(n).padStart(width, '0');

export class Clock {
  constructor(doc) {
    this.origin = doc.origin;
    this.zones = doc.zones;
  }

  zone(t) {
    return this.zones.findLast((z) => z.from <= t) ?? this.zones[0];
  }

  // parts returns date and microseconds of what clocks showed at t.
  parts(t) {
    const shown = this.origin + Math.round(t) + this.zone(t).offset * second;
    const seconds = Math.floor(shown / second);
    return { date: new Date(seconds * 1e3), micros: shown - seconds * second };
  }

  // text gives the time of day, with as many digits as a step of time needs.
  text(t, step = 1) {
    const { date, micros } = this.parts(t);
    const digits = step >= second ? 0 : step >= 1e3 ? 3 : 6;
    const time = `${pad(date.getUTCHours(), 2)}:${pad(date.getUTCMinutes(), 2)}`;
    if (step >= minute) return time;
    return `${time}:${pad(date.getUTCSeconds(), 2)}${digits ? '.' + pad(micros, 6).slice(0, digits) : ''}`;
  }

  date(t) {
    const { date } = this.parts(t);
    return `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
  }

  // full gives RFC 3339 in UTC: links are the same in all zones.
  full(t) {
    const at = this.origin + Math.round(t), seconds = Math.floor(at / second);
    return `${new Date(seconds * 1e3).toISOString().slice(0, 19)}.${pad(at - seconds * second, 6)}Z`;
  }

  // read is the reverse of full, NaN for what is no time.
  read(text) {
    const m = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/.exec(text ?? '');
    return m ? Date.parse(m[1] + 'Z') * 1e3 + Number((m[2] ?? '').padEnd(6, '0')) - this.origin : NaN;
  }

  // ticks returns round times between two, as many as there is room for on a width.
  // Those that need more digits need more room.
  ticks(from, to, width) {
    const room = (s) => s < 1e3 ? 130 : s < second ? 110 : 90;
    const step = steps.find((s) => (to - from) / s <= Math.max(2, width / room(s))) ?? 30 * day;
    const shift = this.origin + this.zone(from).offset * second;
    const list = [];
    for (let t = Math.ceil((from + shift) / step) * step - shift; t <= to; t += step) list.push(t);
    return { step, list };
  }
}

// length gives a stretch of time in words.
export function length(micros) {
  if (micros < 1e3) return `${Math.round(micros)} µs`;
  if (micros < second) return `${+(micros / 1e3).toPrecision(3)} ms`;
  if (micros < minute) return `${+(micros / second).toPrecision(3)} s`;
  if (micros < hour) return `${Math.floor(micros / minute)}m${pad(Math.round(micros % minute / second), 2)}s`;
  return `${Math.floor(micros / hour)}h${pad(Math.floor(micros % hour / minute), 2)}m`;
}
