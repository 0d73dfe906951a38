// What all canvases share: sharp lines on every screen, and the colours of the style sheet.

// prepare clears a canvas (unless keep is set), adapts it to the resolution of the screen, and returns its
// context and its size in points.
export function prepare(canvas, keep = false) {
  const scale = window.devicePixelRatio || 1;
  const { width, height } = canvas.getBoundingClientRect();
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  const resized = canvas.width !== w || canvas.height !== h;
  if (resized) [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  if (!keep && !resized) context.clearRect(0, 0, width, height);
  return { context, width, height, resized };
}

let colours = new Map();

// A colour of the style sheet depends on the colour scheme. This element, which is never shown, resolves it.
const sample = document.createElement('span');
sample.hidden = true;
document.body.append(sample);

// colour returns a colour of the style sheet.
export function colour(name) {
  if (!colours.has(name)) {
    sample.style.color = `var(${name})`;
    colours.set(name, getComputedStyle(sample).color);
  }
  return colours.get(name);
}

// forget makes all colours be looked up again.
export function forget() {
  colours = new Map();
}

const shades = 64;

// mix returns the colour of an overlap from -1 to 1.
export function mix(z) {
  const k = Math.max(-shades, Math.min(shades, Math.round(z * shades)));
  if (!colours.has(k)) {
    const [from, to] = [rgb(colour('--between')), rgb(colour(k > 0 ? '--together' : '--opposite'))];
    const share = Math.abs(k) / shades;
    colours.set(k, `rgb(${from.map((x, i) => Math.round(x + share * (to[i] - x))).join(' ')})`);
  }
  return colours.get(k);
}

// rgb returns the three numbers of a colour.
export function rgb(colour) {
  return colour.match(/\d+/g).map(Number);
}
