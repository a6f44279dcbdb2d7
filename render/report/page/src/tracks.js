// Tracks are the rows of the picture from top to bottom: traffic and replicas of
// each Revision, then the conditions of each object.

import { title } from './view.js';

export const axisHeight = 26;

export function tracks(view) {
  const list = [];
  let top = axisHeight;
  const add = (height, track) => {
    list.push({ top, height, ...track });
    top += height;
  };
  for (const capacity of view.family.capacity) add(64, { capacity });
  view.family.lanes.forEach((lane, number) => {
    if (view.object && title(lane) !== view.object) return;
    add(24, { lane, number, condition: lane.conditions[0] });
    if (view.everything) {
      for (const condition of lane.conditions.slice(1)) add(16, { lane, number, condition, minor: true });
    }
  });
  return { list, height: top };
}

// told puts a lane into words.
export function told(lane, rows, clock) {
  const parts = [title(lane)];
  const [condition] = lane.conditions;
  for (const span of condition?.spans.slice(0, 8) ?? []) {
    parts.push(`${condition.type} ${status(span)} from ${clock.text(span.from, 1e3)}`);
  }
  if (condition?.spans.length > 8) parts.push(`and ${condition.spans.length - 8} more`);
  const refused = rows.filter((r) => r.mark === 'refusal').length;
  const errors = rows.filter((r) => r.mark === 'error').length;
  parts.push(`${rows.length} rows${refused ? `, ${refused} refused` : ''}${errors ? `, ${errors} errors` : ''}`);
  return parts.join('; ');
}

export function status(span) {
  return span.status ? span.status + (span.reason ? ` (${span.reason})` : '') : 'not known';
}

// at returns the span or the step that holds at a moment.
export const spanAt = (spans, t) => spans.find((s) => s.from <= t && t < s.to);

export const stepAt = (steps, t) => steps.findLast((s) => s.t <= t);

// numbers puts a step into words.
export function numbers(step) {
  if (!step) return 'nothing known';
  const known = (n) => n ?? '?';
  return `${known(step.ready)}/${known(step.want)} ready, ${known(step.share)} % of traffic`;
}
