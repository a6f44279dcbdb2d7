// Marks are how rows are drawn. Each has a shape of its own.

import { symbol, symbolCircle, symbolDiamond2, symbolSquare, symbolTimes, symbolTriangle } from 'd3-shape';
import { lowest } from './view.js';

// marks lists them in the order in which they are drawn: the last lie on top.
export const marks = {
  log: { name: 'log line', glyph: '‧', shape: null, length: 4, color: 'faint' },
  write: { name: 'write', glyph: '|', shape: null, length: 10, color: 'ink' },
  event: { name: 'Kubernetes Event', glyph: '○', shape: symbolCircle, size: 20, color: 'ink', hollow: true },
  snapshot: { name: 'snapshot', glyph: '□', shape: symbolSquare, size: 24, color: 'ink', hollow: true },
  gap: { name: 'gap', glyph: '▨', shape: symbolTriangle, size: 24, color: 'faint' },
  refusal: { name: 'refused write', glyph: '✕', shape: symbolTimes, size: 36, color: 'on', strokes: true },
  error: { name: 'error', glyph: '◆', shape: symbolDiamond2, size: 44, color: 'on' },
};

const path = symbol();

// drawMarks draws the rows of one lane around a height. Of those that would lie on
// one another, one is drawn.
export function drawMarks(c, look, rows, x, middle, range) {
  const last = {};
  const first = lowest(rows, range[0]);
  for (const [kind, mark] of Object.entries(marks)) {
    c.fillStyle = look[mark.color];
    c.strokeStyle = look[mark.color];
    for (let i = first; i < rows.length && rows[i].t <= range[1]; i++) {
      const row = rows[i];
      if (row.mark !== kind) continue;
      const at = Math.round(x(row.t));
      if (row.proves && last.proof !== at) {
        last.proof = at;
        drawProof(c, look, at, middle);
      }
      if (at === last[kind]) continue;
      last[kind] = at;
      drawMark(c, look, mark, at, middle);
    }
  }
}

function drawMark(c, look, mark, at, middle) {
  if (!mark.shape) {
    c.fillStyle = look[mark.color];
    c.fillRect(at - 0.75, middle + 10 - mark.length, 1.5, mark.length);
    return;
  }
  c.save();
  c.translate(at, middle);
  c.beginPath();
  path.type(mark.shape).size(mark.size).context(c)();
  c.lineWidth = mark.strokes ? 2.5 : mark.hollow ? 1.5 : 3;
  if (!mark.strokes) {
    c.strokeStyle = look[mark.hollow ? mark.color : 'ground'];
    c.stroke();
    c.fillStyle = look[mark.hollow ? 'ground' : mark.color];
    c.fill();
  } else {
    c.strokeStyle = look.ground;
    c.lineWidth = 5;
    c.stroke();
    c.strokeStyle = look[mark.color];
    c.lineWidth = 2.5;
    c.stroke();
  }
  c.restore();
}

// drawProof marks a row that proves something: a wedge from above.
function drawProof(c, look, at, middle) {
  c.save();
  c.fillStyle = look.on;
  c.beginPath();
  c.moveTo(at - 5, middle - 12);
  c.lineTo(at + 5, middle - 12);
  c.lineTo(at, middle - 5);
  c.fill();
  c.restore();
}
