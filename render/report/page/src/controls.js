// The buttons, filters and keys of a picture.

import { element, say } from './element.js';
import { length } from './clock.js';
import { marks } from './marks.js';

// controls returns the bar above a picture.
export function controls(view, clock) {
  const reach = element('span', { class: 'reach' });
  const told = () => { reach.textContent = length(view.range[1] - view.range[0]); };
  view.addEventListener('change', told);
  told();
  const button = (text, label, onclick) => element('button', { type: 'button', title: label, 'aria-label': label, onclick }, text);
  return element('div', { class: 'bar', role: 'toolbar', 'aria-label': 'Move and filter' },
    element('span', { class: 'group' },
      button('−', 'zoom out', () => scale(view, 2)), reach, button('+', 'zoom in', () => scale(view, 0.5)),
      button('all', 'show all', () => view.look(...view.whole)),
      button('‹', 'row before', () => step(view, clock, -1)), button('›', 'next row', () => step(view, clock, 1))),
    choice(view, 'object', 'all objects', unique(view.rows.map((r) => r.object))),
    choice(view, 'actor', 'all actors', unique(view.rows.map((r) => r.by))),
    kinds(view), everything(view));
}

const unique = (names) => [...new Set(names)].filter(Boolean).sort();

function choice(view, key, all, names) {
  const list = element('select', { 'aria-label': `${key} of rows`, onchange: () => view.set({ [key]: list.value }) },
    element('option', { value: '' }, all), ...names.map((n) => element('option', { value: n }, n)));
  view.addEventListener('change', () => { list.value = view[key]; });
  return list;
}

// kinds chooses the marks that are shown, and is the legend of them.
function kinds(view) {
  const there = new Set(view.rows.map((r) => r.mark));
  const boxes = Object.entries(marks).filter(([kind]) => there.has(kind)).map(([kind, mark]) => {
    const box = element('input', { type: 'checkbox', value: kind, checked: true, onchange: () => {
      const hidden = new Set(view.hidden);
      box.checked ? hidden.delete(kind) : hidden.add(kind);
      view.set({ hidden });
    } });
    view.addEventListener('change', () => { box.checked = !view.hidden.has(kind); });
    return element('label', { class: `kind ${kind}` }, box, element('i', { 'aria-hidden': 'true' }, mark.glyph), ' ', mark.name);
  });
  return element('fieldset', { class: 'kinds' }, element('legend', { class: 'unseen' }, 'Kinds of rows'), ...boxes);
}

function everything(view) {
  const box = element('input', { type: 'checkbox', onchange: () => view.set({ everything: box.checked }) });
  return element('label', { class: 'kind' }, box, 'all conditions');
}

// legend tells what the bars of the picture mean.
export function legend() {
  const one = (kind, text) => element('span', {}, element('i', { class: `swatch ${kind}` }), text);
  return element('p', { class: 'legend' }, one('true', 'True'), one('false', 'False'), one('unknown', 'Unknown'), one('none', 'not known'), one('exists', 'exists'),
    one('share', 'share of traffic'), one('capacity', 'ready of wanted'), one('lack', 'missing'), element('span', {}, element('i', { class: 'wedge' }, '▼'), 'proves a finding'));
}

// help names the keys.
export function help(id) {
  return element('p', { class: 'aside keys', id }, 'Drag moves, Ctrl and the wheel zoom. Keys: ← → row before and next, Shift with them moves, + − zoom, 0 all, Enter opens the record.');
}

// scale zooms around the crosshair if it is in sight, else around the middle.
function scale(view, factor) {
  const [from, to] = view.range;
  const about = view.moment !== null && view.moment >= from && view.moment <= to ? view.moment : (from + to) / 2;
  view.look(about - (about - from) * factor, about + (to - about) * factor);
}

// step goes to the next row, or the one before, and brings it in sight.
function step(view, clock, by) {
  const row = view.beside(by);
  if (!row) {
    say(by > 0 ? 'no later row' : 'no earlier row');
    return;
  }
  reveal(view, row);
  say(`${clock.text(row.t)} ${row.object}: ${row.text}`);
}

// reveal puts the crosshair on a row, and the row in sight.
export function reveal(view, row) {
  const [from, to] = view.range, half = (to - from) / 2;
  if (row.t === null) {
    view.set({ row });
    return;
  }
  view.set({ moment: row.t, row });
  if (row.t < from || row.t > to) view.look(row.t - half, row.t + half);
}

// keys lets a picture be used without a mouse.
export function keys(view, clock) {
  const shift = (part) => {
    const [from, to] = view.range, by = (to - from) * part;
    view.look(from + by, to + by);
  };
  const actions = {
    'ArrowLeft': () => step(view, clock, -1), 'ArrowRight': () => step(view, clock, 1),
    'Shift+ArrowLeft': () => shift(-0.25), 'Shift+ArrowRight': () => shift(0.25),
    '+': () => scale(view, 0.5), '=': () => scale(view, 0.5), 'Shift++': () => scale(view, 0.5), '-': () => scale(view, 2), '0': () => view.look(...view.whole),
    'Enter': () => view.row && view.dispatchEvent(new CustomEvent('open', { detail: view.row })),
    'Escape': () => view.set({ moment: null, row: null }),
  };
  return (e) => {
    const action = actions[(e.shiftKey ? 'Shift+' : '') + e.key];
    if (!action || e.ctrlKey || e.altKey || e.metaKey || e.target !== e.currentTarget) return;
    e.preventDefault();
    action();
  };
}
