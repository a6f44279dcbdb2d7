// The script of the page draws what the document in it says, and finds in it what
// the address names. It asks nobody for anything.

import * as address from './address.js';
import { Clock } from './clock.js';
import { controls, help, keys, legend, reveal } from './controls.js';
import { element } from './element.js';
import { Picture } from './picture.js';
import * as record from './record.js';
import { Table } from './table.js';
import { View } from './view.js';

const doc = JSON.parse(document.getElementById('document').textContent);
const clock = new Clock(doc);
const views = [];
const pictures = [];

for (const section of document.querySelectorAll('[data-family]')) {
  const number = Number(section.dataset.family);
  const view = new View(doc.families[number]);
  view.number = number;
  views.push(view);
  const place = section.querySelector('.plot');
  place.hidden = false;
  const picture = new Picture(view, clock, doc.gaps, `Timeline of ${view.family.name}`);
  pictures.push(picture);
  picture.frame.addEventListener('keydown', keys(view, clock));
  place.append(controls(view, clock));
  if (view.timed.length) place.append(picture.readout, picture.frame, legend(), help(`keys-${number}`));
  else place.append(element('p', { class: 'note' }, 'None of the rows tells a time, so there is nothing to draw.'));
  new Table(view, clock, section.querySelector('table.rows'));
  view.addEventListener('open', ({ detail }) => { address.go({ ...named(view), row: detail.id }); });
  view.addEventListener('change', ({ detail }) => {
    if ('range' in detail || 'object' in detail || 'actor' in detail || 'hidden' in detail) address.writeAtRest(() => named(view));
  });
}

// named is what the address says of a view.
function named(view) {
  const [from, to] = view.range;
  return {
    family: views.length > 1 ? view.family.name : undefined, finding: view.finding,
    t: view.zoomed ? clock.full((from + to) / 2) : undefined, span: view.zoomed ? String(+((to - from) / 1e6).toPrecision(6)) : undefined,
    object: view.object, actor: view.actor, hide: [...view.hidden].sort().join(','), row: view.opened?.id,
  };
}

// follow goes to what the address names.
function follow() {
  const to = address.read();
  const view = views.find((v) => v.family.name === to.family)
    ?? views.find((v) => v.family.findings.some((f) => f.id === to.finding))
    ?? views.find((v) => v.rows.some((r) => r.id === to.row)) ?? views[0];
  if (!view) return;
  const hidden = new Set((to.hide ?? '').split(',').filter(Boolean));
  view.set({ object: to.object ?? '', actor: to.actor ?? '', hidden });
  const found = view.family.findings.find((f) => f.id === to.finding);
  view.set({ finding: found?.id });
  const t = clock.read(to.t), half = Number(to.span) * 5e5;
  if (!Number.isNaN(t)) view.look(t - (half > 0 ? half : 5e5), t + (half > 0 ? half : 5e5));
  else if (found && found.t !== null) look(view, found);
  else if (!('row' in to)) view.look(...view.whole);
  const place = to.row === undefined && document.getElementById(to.finding !== undefined ? `finding=${to.finding}` : `family=${to.family}`);
  if (place) {
    place.scrollIntoView({ block: 'start' });
    place.focus({ preventScroll: true });
  }
  openRow(view, view.rows.find((r) => r.id === to.row));
}

// look shows a finding with some time around it.
function look(view, found) {
  const until = Math.max(found.to ?? found.t, found.t);
  const around = Math.max((until - found.t) * 0.1, 5e5);
  view.look(found.t - around, until + around);
  view.set({ moment: found.t, row: null });
}

function openRow(view, row) {
  view.opened = row;
  if (!row) {
    record.close();
    return;
  }
  view.set({ moment: row.t, row });
  record.open(view, clock, row, {
    open: (other) => { address.go({ ...named(view), row: other.id }); },
    show: (shown) => {
      reveal(view, shown);
      pictures[view.number].frame.scrollIntoView({ block: 'nearest' });
      pictures[view.number].frame.focus({ preventScroll: true });
    },
    closed: () => {
      view.opened = undefined;
      address.write(named(view));
    },
  });
}

addEventListener('hashchange', follow);
addEventListener('beforeprint', () => {
  document.documentElement.classList.add('paper-print');
  pictures.forEach((p) => p.print(true));
});
addEventListener('afterprint', () => {
  document.documentElement.classList.remove('paper-print');
  pictures.forEach((p) => p.print(false));
});
follow();
