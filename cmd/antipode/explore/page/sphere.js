// The tokens on the sphere, which can be turned by dragging and by the arrow keys.

import { prepare, colour, mix } from './canvas.js';

const tail = 24; // layers of a token's tail

export class Sphere {
  constructor(canvas) {
    this.canvas = canvas;
    this.reset();
    let from = null;
    canvas.addEventListener('pointerdown', (e) => {
      from = e;
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener('pointerup', () => {
      from = null;
    });
    canvas.addEventListener('pointermove', (e) => {
      if (!from) return;
      this.turn((e.clientX - from.clientX) * 0.01, (e.clientY - from.clientY) * 0.01);
      from = e;
    });
    canvas.addEventListener('keydown', (e) => {
      const by = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[
        e.key
      ];
      if (!by) return;
      e.preventDefault();
      this.turn(...by);
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  // reset looks at the sphere from a little above, or, of a circle, straight from the front.
  reset(flat = false) {
    this.rotation = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    if (!flat) {
      this.rotate(1, 2, 0.35);
      this.rotate(0, 2, 0.5);
    }
    this.turned = 0;
  }

  rotate(i, j, angle) {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const [a, b] = [this.rotation[i], this.rotation[j]];
    this.rotation[i] = a.map((x, k) => cos * x - sin * b[k]);
    this.rotation[j] = a.map((x, k) => sin * x + cos * b[k]);
  }

  turn(across, down) {
    this.rotate(0, 2, -across);
    this.rotate(1, 2, down);
    this.turned++;
    this.draw();
  }

  // show shows points, three numbers each, in colours by their overlaps with the first; earlier ones are
  // tails.
  show(points, overlaps, joined) {
    if (!joined || !this.points || this.points.length !== points.length) this.past = [];
    else this.past.push(this.points);
    if (this.past.length > tail) this.past.shift();
    this.points = points;
    this.overlaps = overlaps;
    this.draw();
  }

  draw() {
    if (!this.points) return;
    const { context: c, width, height } = prepare(this.canvas);
    const radius = Math.min(width, height) / 2 - 8;
    if (radius <= 0) return; // it is hidden
    const place = (x, y, z) => this.rotation.map((r) => r[0] * x + r[1] * y + r[2] * z);
    const at = ([x, y]) => [width / 2 + radius * x, height / 2 - radius * y];
    c.lineWidth = 1;
    c.strokeStyle = colour('--line');
    c.beginPath();
    c.arc(width / 2, height / 2, radius, 0, 2 * Math.PI);
    c.stroke();
    for (let axis = 0; axis < 3; axis++) this.circle(c, place, at, axis);
    this.tails(c, place, at);
    const order = Array.from(this.overlaps, (z, k) => [k, place(...this.points.subarray(3 * k, 3 * k + 3))]);
    order.sort((a, b) => a[1][2] - b[1][2]);
    for (const [k, p] of order) {
      c.globalAlpha = p[2] < 0 ? 0.45 : 1;
      c.fillStyle = mix(this.overlaps[k]);
      c.beginPath();
      c.arc(...at(p), (k === 0 ? 6.5 : 4.5) * (1 + 0.2 * p[2]), 0, 2 * Math.PI);
      c.fill();
      if (k === 0) {
        c.strokeStyle = colour('--ink');
        c.lineWidth = 1.5;
        c.stroke();
      }
    }
    c.globalAlpha = 1;
  }

  // circle draws a great circle, faintly where it is behind.
  circle(c, place, at, axis) {
    const parts = 72;
    for (const front of [false, true]) {
      c.globalAlpha = front ? 0.5 : 0.2;
      c.beginPath();
      let drawing = false;
      for (let k = 0; k <= parts; k++) {
        const x = [0, 0, 0];
        x[axis] = Math.cos((2 * Math.PI * k) / parts);
        x[(axis + 1) % 3] = Math.sin((2 * Math.PI * k) / parts);
        const p = place(...x);
        const seen = p[2] >= 0 === front;
        if (seen) c[drawing ? 'lineTo' : 'moveTo'](...at(p));
        drawing = seen;
      }
      c.stroke();
    }
    c.globalAlpha = 1;
  }

  // tails draws where tokens come from, one path for each age, which is quick.
  tails(c, place, at) {
    const steps = [...this.past, this.points];
    c.strokeStyle = colour('--quiet');
    for (let k = 1; k < steps.length; k++) {
      c.globalAlpha = (0.5 * k) / steps.length;
      c.beginPath();
      for (let i = 0; i < this.points.length; i += 3) {
        c.moveTo(...at(place(...steps[k - 1].subarray(i, i + 3))));
        c.lineTo(...at(place(...steps[k].subarray(i, i + 3))));
      }
      c.stroke();
    }
    c.globalAlpha = 1;
  }
}
