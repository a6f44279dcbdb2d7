// The raw record of a row, with what it changed.

import { element } from './element.js';

const dialog = document.getElementById('record');

const unpacked = new WeakMap();

// records returns the raw records of a family, which are packed in the document.
async function records(family) {
  if (!unpacked.has(family)) {
    const bytes = Uint8Array.from(atob(family.records), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    unpacked.set(family, new Response(stream).json());
  }
  return unpacked.get(family);
}

function diff(record) {
  const lines = record.diff.map((l) => element(l[0] === '+' ? 'ins' : l[0] === '-' ? 'del' : 'span', {}, l));
  return [element('h3', {}, 'What it changed'), element('p', { class: 'aside' }, record.to || 'the record is no write'),
    ...(lines.length ? [element('pre', { class: 'diff', tabindex: 0 }, ...lines)] : [])];
}

let wanted; // the row whose record is to be shown, undefined if none is

// open shows a row's record. closed is called when it is closed.
export async function open(view, clock, row, actions) {
  wanted = row;
  const record = row.record < 0 ? null : (await records(view.family))[row.record];
  if (wanted !== row) return; // while it was unpacked, another was asked for, or none
  const facts = { time: row.t === null ? 'unknown' : `${clock.date(row.t)} ${clock.text(row.t)}`, object: row.object, by: row.by, ready: row.scale, grade: row.grade, record: row.place };
  const ofObject = view.rows.filter((r) => r.object === row.object);
  const place = ofObject.indexOf(row);
  const go = (to, text) => element('button', { type: 'button', disabled: !to, onclick: () => actions.open(to) }, text);
  dialog.setAttribute('aria-label', `Record: ${row.object}`);
  dialog.replaceChildren(
    element('header', {}, element('h2', {}, row.text || row.mark), element('button', { type: 'button', class: 'close', autofocus: true, 'aria-label': 'close', onclick: () => dialog.close() }, '✕')),
    element('dl', {}, ...Object.entries(facts).filter(([, v]) => v).map(([k, v]) => element('div', {}, element('dt', {}, k), element('dd', {}, v)))),
    element('p', { class: 'group' }, go(ofObject[place - 1], '‹ before, of this object'), go(ofObject[place + 1], 'next, of this object ›'), element('button', { type: 'button', onclick: () => { dialog.close(); actions.show(row); } }, 'show in the picture')),
    ...(record ? [...diff(record), element('h3', {}, 'Raw record'), element('pre', { class: 'raw', tabindex: 0 }, record.raw)]
      : [element('p', {}, 'This page does not hold the raw record.', ...(row.source ? [' To see it: ', element('code', {}, `knforensics show --diff ${row.source} PATH...`)] : []))]));
  dialog.onclose = actions.closed;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

export function close() {
  wanted = undefined;
  if (dialog.open) dialog.close();
}
