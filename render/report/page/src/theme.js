// The colours of the picture are those of the style sheet, and each stands for
// something that is also told by shape or pattern.

const names = ['ink', 'faint', 'line', 'ground', 'true', 'false', 'unknown', 'exists', 'dim', 'share', 'capacity', 'lack', 'on'];

export function theme(canvas) {
  const style = getComputedStyle(canvas);
  const look = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  look.font = style.fontFamily;
  return look;
}

// stripes is a pattern of slanted lines.
export function stripes(context, color, ground, width = 6) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = width;
  const c = tile.getContext('2d');
  if (ground) {
    c.fillStyle = ground;
    c.fillRect(0, 0, width, width);
  }
  c.strokeStyle = color;
  c.lineWidth = 1.5;
  c.beginPath();
  for (const x of [-width, 0, width]) {
    c.moveTo(x - 1, width + 1);
    c.lineTo(x + width + 1, -1);
  }
  c.stroke();
  return context.createPattern(tile, 'repeat');
}

// dots is a pattern of dots.
export function dots(context, color, ground) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 5;
  const c = tile.getContext('2d');
  c.fillStyle = ground;
  c.fillRect(0, 0, 5, 5);
  c.fillStyle = color;
  c.fillRect(1, 1, 1.6, 1.6);
  return context.createPattern(tile, 'repeat');
}
