// The tokens on the sphere. The sphere can be turned by dragging and by the arrow keys. Tokens can be moved:
// by dragging one, or by choosing one with [ and ] and moving it with Shift and the arrow keys.

import { prepare, colour, mix } from './canvas.js';

const tail = 24; // length of a token's tail, in layers
const few = 500; // largest number of tokens that have tails and are sorted by depth
const near = 12; // distance in points within which a token is grabbed

const turns = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };

export class Sphere {
  constructor(canvas) {
    this.canvas = canvas;
    this.others = []; // spheres that turn together with this one
    this.chosen = -1;
    this.reset();
    let from = null;
    canvas.addEventListener('pointerdown', (e) => {
      from = e;
      this.held = this.grab ? this.tokenAt(e.offsetX, e.offsetY) : -1;
      if (this.held >= 0) this.grab(this.held);
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener('pointerup', () => {
      if (this.held >= 0 && this.moved) this.drop(this.held, this.moved);
      this.held = -1;
      this.moved = from = null;
      this.draw();
    });
    canvas.addEventListener('pointermove', (e) => {
      if (!from) {
        canvas.classList.toggle('grabs', Boolean(this.grab) && this.tokenAt(e.offsetX, e.offsetY) >= 0);
        return;
      }
      if (this.held >= 0) {
        this.moved = this.under(e.offsetX, e.offsetY);
        this.draw();
        return;
      }
      this.turn((e.clientX - from.clientX) * 0.01, (e.clientY - from.clientY) * 0.01);
      from = e;
    });
    canvas.addEventListener('keydown', (e) => this.key(e));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  // movable says how tokens can be moved: grab is called with the number of a token that is grabbed, drop
  // with that number and the new position, and choose with the number of a token that is chosen by a key.
  // Without functions tokens cannot be moved.
  movable({ grab, drop, choose } = {}) {
    Object.assign(this, { grab, drop, choose });
    if (!grab) this.chosen = -1;
  }

  key(e) {
    const by = turns[e.key];
    const count = this.overlaps?.length ?? 0;
    const next = { ']': 1, '[': -1 }[e.key];
    if (next && this.grab) {
      this.chosen = (this.chosen + next + count + (this.chosen < 0 && next < 0 ? 1 : 0)) % count;
      this.choose(this.chosen);
    } else if (by && e.shiftKey && this.grab && this.chosen >= 0) {
      this.grab(this.chosen);
      const [x, y, z] = this.place(...this.points.subarray(3 * this.chosen, 3 * this.chosen + 3));
      const [across, down] = by;
      this.drop(this.chosen, this.back(unit([x + across * (z < 0 ? -1 : 1), y - down, z])));
    } else if (by) this.turn(...by);
    else return;
    e.preventDefault();
    this.draw();
  }

  // reset sets the viewpoint: a little above the sphere, or straight in front of a circle.
  reset(flat = false) {
    this.flat = flat;
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
    for (const other of this.others) {
      other.rotation = this.rotation.map((row) => [...row]);
      other.draw();
    }
  }

  // place returns where a point is seen; back is its inverse.
  place(x, y, z) {
    return this.rotation.map((r) => r[0] * x + r[1] * y + r[2] * z);
  }

  back(seen) {
    return [0, 1, 2].map((k) => this.rotation.reduce((sum, r, i) => sum + r[k] * seen[i], 0));
  }

  // scale returns the centre of the canvas and the radius of the sphere, in points.
  scale() {
    const { width, height } = this.canvas.getBoundingClientRect();
    return { middle: [width / 2, height / 2], radius: Math.min(width, height) / 2 - 8 };
  }

  // tokenAt returns the number of the token at a position on the canvas, -1 if there is none. Of two tokens
  // there it prefers the one in front.
  tokenAt(x, y) {
    const { middle, radius } = this.scale();
    let [best, least] = [-1, near];
    for (let k = 0; k < (this.overlaps?.length ?? 0); k++) {
      const p = this.place(...this.points.subarray(3 * k, 3 * k + 3));
      const away = Math.hypot(middle[0] + radius * p[0] - x, middle[1] - radius * p[1] - y);
      if (away + (p[2] < 0 ? near / 2 : 0) < least) [best, least] = [k, away + (p[2] < 0 ? near / 2 : 0)];
    }
    return best;
  }

  // under returns the point on the front of the sphere at a position on the canvas, or the nearest one if the
  // position is outside.
  under(x, y) {
    const { middle, radius } = this.scale();
    const [across, up] = [(x - middle[0]) / radius, (middle[1] - y) / radius];
    return this.back(unit([across, up, Math.sqrt(Math.max(0, 1 - across * across - up * up))]));
  }

  // show shows tokens at points, three numbers for each, in the colours of their overlaps with the first
  // token. Earlier points are drawn as tails.
  show(points, overlaps, joined) {
    if (!joined || !this.points || this.points.length !== points.length || overlaps.length > few)
      this.past = [];
    else this.past.push(this.points);
    if (this.past.length > tail) this.past.shift();
    this.points = points;
    this.overlaps = overlaps;
    if (this.chosen >= overlaps.length) this.chosen = -1;
    this.draw();
  }

  draw() {
    if (!this.points) return;
    const { context: c, width, height } = prepare(this.canvas);
    const radius = Math.min(width, height) / 2 - 8;
    if (radius <= 0) return; // the canvas is hidden
    const place = (x, y, z) => this.place(x, y, z);
    const at = ([x, y]) => [width / 2 + radius * x, height / 2 - radius * y];
    c.lineWidth = 1;
    c.strokeStyle = colour('--line');
    c.beginPath();
    c.arc(width / 2, height / 2, radius, 0, 2 * Math.PI);
    c.stroke();
    for (let axis = 0; axis < 3; axis++) this.circle(c, place, at, axis);
    this.tails(c, place, at);
    if (this.overlaps.length > few) this.many(c, width / 2, height / 2, radius);
    else this.discs(c, place, at);
    for (const [k, point] of [
      [this.chosen, null],
      [this.held ?? -1, this.moved],
    ])
      if (k >= 0) this.ring(c, at(place(...(point ?? this.points.subarray(3 * k, 3 * k + 3)))));
  }

  // ring marks a token.
  ring(c, [x, y]) {
    c.strokeStyle = colour('--accent');
    c.lineWidth = 3;
    c.beginPath();
    c.arc(x, y, 11, 0, 2 * Math.PI);
    c.stroke();
  }

  // discs draws the tokens, those at the back first.
  discs(c, place, at) {
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

  // many draws many tokens as small squares. It draws all tokens of one colour on one side at once, which is
  // fast.
  many(c, x, y, radius) {
    const [[a, b, e], [f, g, h], [i, j, l]] = this.rotation;
    const sides = [new Map(), new Map()];
    const side = this.overlaps.length > 2000 ? 2 : 3;
    for (let k = this.overlaps.length - 1; k > 0; k--) {
      const [p, q, r] = this.points.subarray(3 * k, 3 * k + 3);
      const paths = sides[i * p + j * q + l * r < 0 ? 0 : 1];
      const shade = mix(this.overlaps[k]);
      let path = paths.get(shade);
      if (!path) paths.set(shade, (path = new Path2D()));
      path.rect(
        x + radius * (a * p + b * q + e * r) - side / 2,
        y - radius * (f * p + g * q + h * r) - side / 2,
        side,
        side,
      );
    }
    sides.forEach((paths, front) => {
      c.globalAlpha = front ? 1 : 0.45;
      for (const [shade, path] of paths) {
        c.fillStyle = shade;
        c.fill(path);
      }
    });
    c.globalAlpha = 1;
  }

  // circle draws a great circle, faintly where it is at the back.
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

  // tails draws where tokens have come from, with one path for each age, which is fast.
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

function unit(x) {
  const norm = Math.hypot(...x);
  return x.map((v) => v / norm);
}
