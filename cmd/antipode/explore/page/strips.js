// Lines against time, which grow to the right and are drawn piece by piece.

import { prepare, colour } from './canvas.js';

const most = 2000; // largest number of samples that are kept for redrawing

// Strip draws several values, on an axis from low to high, over the layers of a trajectory.
export class Strip {
  constructor(canvas, low, high, style) {
    Object.assign(this, { canvas, low, high, style });
    new ResizeObserver(() => this.redraw()).observe(canvas);
    this.begin(1, 1);
  }

  // begin begins a new trajectory.
  begin(layers, horizon) {
    Object.assign(this, { layers, horizon, samples: [], every: 1 });
    this.redraw();
  }

  // add adds the values at a layer.
  add(layer, values) {
    const sample = { layer, values };
    this.piece(this.latest, sample);
    this.latest = sample;
    if (this.samples.length === 0 || layer >= this.samples.at(-1).layer + this.every)
      this.samples.push(sample);
    if (this.samples.length > most) {
      this.samples = this.samples.filter((_, k) => k % 2 === 0);
      this.every *= 2;
    }
  }

  redraw() {
    const { width, height } = prepare(this.canvas);
    if (width === 0) return; // the canvas is hidden
    this.frame(width, height);
    this.latest = undefined;
    for (const sample of this.samples) {
      this.piece(this.latest, sample);
      this.latest = sample;
    }
  }

  // edges returns the edges of the plot.
  edges(width, height) {
    return { left: 30, right: width - 8, top: 6, bottom: height - 20 };
  }

  frame(width, height) {
    const { context: c } = prepare(this.canvas, true);
    const e = this.edges(width, height);
    c.strokeStyle = colour('--line');
    c.fillStyle = colour('--quiet');
    c.font = '11px system-ui, sans-serif';
    c.lineWidth = 1;
    c.strokeRect(e.left, e.top, e.right - e.left, e.bottom - e.top);
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    for (const y of [this.low, (this.low + this.high) / 2, this.high])
      c.fillText(String(y), e.left - 4, this.y(y, e));
    c.textBaseline = 'top';
    for (const share of [0, 0.5, 1]) {
      c.textAlign = ['left', 'center', 'right'][share * 2];
      const time = Number((this.horizon * share).toPrecision(3));
      c.fillText(
        share === 1 ? 'time ' + time : String(time),
        e.left + share * (e.right - e.left),
        e.bottom + 4,
      );
    }
  }

  y(value, e) {
    return e.bottom - ((value - this.low) / (this.high - this.low)) * (e.bottom - e.top);
  }

  // piece draws the lines from one sample to the next.
  piece(from, to) {
    if (!from) return;
    const { context: c, width, height, resized } = prepare(this.canvas, true);
    if (resized) {
      this.redraw();
      return;
    }
    const e = this.edges(width, height);
    const x = (layer) => e.left + (layer / this.layers) * (e.right - e.left);
    c.lineWidth = 1.2;
    const paths = new Map(); // all lines of one colour at once, which is fast
    to.values.forEach((value, k) => {
      const shade = this.style(value);
      if (!paths.has(shade)) paths.set(shade, new Path2D());
      paths.get(shade).moveTo(x(from.layer), this.y(from.values[k], e));
      paths.get(shade).lineTo(x(to.layer), this.y(value, e));
    });
    for (const [shade, path] of paths) {
      c.strokeStyle = shade;
      c.stroke(path);
    }
  }
}
