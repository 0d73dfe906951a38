// One trajectory as it moves. The server computes it layer by layer; this view asks for layers ahead of time
// and plays them.

import { ask, connected, page } from './server.js';
import { Form } from './form.js';
import { Sphere } from './sphere.js';
import { Strip } from './strips.js';
import { colour, forget, mix } from './canvas.js';
import { Ensemble } from './ensemble.js';
import { Recorder } from './recorder.js';

const start = { tokens: '50', beta: '4' };
const without = ['trajectories', 'save', 'every', 'interpolate'];
const ahead = 90; // frames that are asked for at a time
const usualSpeed = 1.8; // its logarithm, of layers a second
const still = matchMedia('(prefers-reduced-motion: reduce)');

export class Live {
  constructor(remember, outcomes, told) {
    Object.assign(this, { remember, outcomes });
    const find = (selector) => document.querySelector('#live ' + selector);
    this.find = find;
    this.form = new Form(find('.parameters'), 'simulate', {
      without,
      start,
      sliders: true,
      changed: (step) => {
        this.save(step);
        if (this.form.ok) this.restart();
        else this.problem(this.form.problem);
      },
    });
    this.sphere = new Sphere(find('#sphere'));
    this.overlaps = new Strip(find('#overlaps'), -1, 1, mix);
    this.energy = new Strip(find('#energy'), 0, 1, () => colour('--ink'));
    this.ensemble = new Ensemble(find('#ensemble'), outcomes, told);
    this.recorder = new Recorder(find('#record'), find('#sphere'));
    find('#many').addEventListener('input', () => this.sayMany());
    find('#many').addEventListener('change', () => {
      this.save(true);
      this.gather();
    });
    this.frames = [];
    this.playing = !still.matches;
    find('#play').addEventListener('click', () => this.play(!this.playing));
    find('#step').addEventListener('click', () => {
      this.play(false);
      this.advance(1);
    });
    find('#restart').addEventListener('click', () => this.restart(true));
    find('#speed').addEventListener('input', () => this.setSpeed());
    find('#speed').addEventListener('change', () => this.save(true));
    find('#axes').addEventListener('change', (e) => {
      this.chosenAxes = e.target.value;
      this.save(true);
      this.look();
    });
    document.addEventListener('keydown', (e) => this.key(e));
  }

  // key obeys a key where it means nothing else.
  key(e) {
    if (
      this.hidden ||
      e.ctrlKey ||
      e.metaKey ||
      e.altKey ||
      e.target.closest('input:not([type=range]), select, button, a, summary')
    )
      return;
    const action = {
      ' ': () => this.play(!this.playing),
      '.': () => {
        this.play(false);
        this.advance(1);
      },
      0: () => this.restart(true),
    }[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  }

  // many is the number of trajectories that are wanted.
  get many() {
    return Math.round(10 ** Number(this.find('#many').value));
  }

  sayMany() {
    this.find('#manyText').textContent = this.many;
    this.find('#many').setAttribute('aria-valuetext', String(this.many));
  }

  // gather has all trajectories computed.
  gather() {
    this.ensemble.begin(this.form.ok ? this.many : 1, this.form.sent());
  }

  async show(_, { speed, axes, many, ...given }) {
    this.hidden = false;
    const before = this.many;
    this.find('#many').value = Math.log10(Math.max(1, Math.min(500, Number(many) || 1)));
    this.sayMany();
    this.find('#speed').value = speed === undefined ? usualSpeed : Math.log10(Number(speed) || 1);
    this.chosenAxes = axes;
    this.setSpeed();
    if (this.begun && same({ ...start, ...given }, this.form.given)) {
      // it goes on where it was left
      this.look();
      this.animate();
      if (this.many !== before || this.ensemble.many !== this.many) this.gather();
      return;
    }
    await this.form.set(given);
    await connected;
    if (this.form.ok) this.restart();
    else this.problem(this.form.problem);
  }

  hide() {
    this.hidden = true;
    this.aborted?.abort();
    this.ensemble.stop();
    this.ensemble.many = 0; // it begins anew when it is shown again
    cancelAnimationFrame(this.animation);
  }

  // back goes on where the server has left off.
  async back() {
    if (!this.begun) {
      this.restart();
      return;
    }
    this.problem('');
    this.fetch();
  }

  save(step) {
    const values = this.form.values();
    if (Number(this.find('#speed').value) !== usualSpeed) values.speed = String(this.perSecond);
    const axes = this.find('#axes').value;
    if (axes && axes !== this.usualAxes) values.axes = axes;
    if (this.many > 1) values.many = String(this.many);
    this.remember('live', '', values, step);
  }

  setSpeed() {
    const x = 10 ** Number(this.find('#speed').value);
    this.perSecond = Number(x.toPrecision(2));
    this.find('#speedText').textContent = this.perSecond + ' layers/s';
  }

  // step is the number of layers from one frame to the next.
  get step() {
    return Math.max(1, Math.round(this.perSecond / 60));
  }

  play(playing) {
    this.playing = playing;
    this.find('#play').textContent = playing ? 'Pause' : 'Play';
    if (playing && this.atEnd) this.restart(true);
  }

  // restart begins the trajectory of the form from layer 0.
  async restart(again = false) {
    this.aborted?.abort();
    cancelAnimationFrame(this.animation);
    Object.assign(this, {
      frames: [],
      asking: false,
      next: 0,
      last: null,
      atEnd: false,
      begun: false,
      position: 0,
      axis: null,
    });
    this.play(this.playing);
    this.problem('');
    if (!again) this.gather();
    await this.fetch();
    if (!this.hidden) this.animate();
  }

  // fetch asks for the next frames.
  async fetch() {
    if (this.asking || this.next === null) return;
    this.asking = true;
    const aborted = (this.aborted = new AbortController());
    try {
      const answer = await ask(
        'live',
        { page, given: this.form.sent(), from: this.next, step: this.step, frames: ahead },
        { signal: aborted.signal },
      );
      if (!answer.ok) {
        const { problems, problem } = await answer.json();
        for (const name of Object.keys(problems ?? {})) this.form.complain(name, problems[name]);
        this.problem(problem);
        this.next = null;
        return;
      }
      const numbers = new Float64Array(await answer.arrayBuffer());
      if (aborted !== this.aborted) return;
      this.find('#liveLine').textContent = JSON.parse(answer.headers.get('Antipode-Command'));
      this.take(numbers);
    } catch (failure) {
      if (aborted !== this.aborted || failure.name === 'AbortError') return;
      this.problem('The server does not answer.'); // it goes on from here when it is back
    } finally {
      if (aborted === this.aborted) this.asking = false;
    }
  }

  // take takes an answer apart.
  take(numbers) {
    const [tokens, dim, layers, count, end] = numbers;
    if (!this.begun) this.begin(tokens, dim, layers);
    const length = 4 + tokens * (dim + 1);
    for (let k = 0; k < count; k++) {
      const at = 5 + k * length;
      const [layer, outcome, pair, energy] = numbers.subarray(at, at + 4);
      this.frames.push({
        layer,
        outcome,
        pair,
        energy,
        overlaps: numbers.subarray(at + 4, at + 4 + tokens),
        x: numbers.subarray(at + 4 + tokens, at + length),
      });
    }
    this.next = end ? null : this.frames.at(-1).layer + this.step;
  }

  begin(tokens, dim, layers) {
    const value = (name) => Number(this.form.given[name] ?? this.form.fields.get(name).field.value);
    Object.assign(this, { begun: true, tokens, dim, layers, depth: value('depth') });
    this.overlaps.begin(layers, layers / this.depth);
    this.energy.begin(layers, layers / this.depth);
    const axes = this.find('#axes');
    axes.replaceChildren();
    if (dim > 3) axes.append(new Option('principal'));
    if (dim < 4) axes.append(new Option(dim === 2 ? '1 2' : '1 2 3'));
    for (let k = 0; dim > 3 && k + 3 <= dim && k < 30; k++)
      axes.append(new Option([k + 1, k + 2, k + 3].join(' ')));
    this.usualAxes = axes.options[0].value;
    axes.value = this.chosenAxes ?? this.usualAxes;
    if (axes.selectedIndex < 0) axes.selectedIndex = 0;
    axes.disabled = dim <= 3;
    if (this.sphere.turned === 0 || this.flat !== (dim === 2)) this.sphere.reset(dim === 2);
    this.flat = dim === 2;
  }

  // animate plays the frames at the speed that is asked for.
  animate() {
    let before;
    const frame = (now) => {
      this.animation = requestAnimationFrame(frame);
      const passed = before === undefined ? 0 : Math.min(0.1, (now - before) / 1000);
      before = now;
      if (!this.last) this.advance(1);
      else if (this.playing && !this.atEnd) {
        this.position = Math.min(this.position + passed * this.perSecond, this.last.layer + 4 * this.step);
        const due = this.frames.findIndex((f) => f.layer > this.position);
        this.advance(due < 0 ? this.frames.length : due);
      }
    };
    this.animation = requestAnimationFrame(frame);
  }

  // advance shows some frames more.
  advance(count) {
    if (this.frames.length < ahead && this.next !== null) this.fetch();
    const frames = this.frames.splice(0, count);
    if (frames.length === 0) return;
    for (const f of frames) {
      this.overlaps.add(f.layer, f.overlaps.subarray(1));
      this.energy.add(f.layer, [f.energy]);
    }
    this.last = frames.at(-1);
    if (!this.playing) this.position = this.last.layer;
    this.atEnd = this.last.layer === this.layers;
    if (this.atEnd && this.playing) this.stopAtEnd();
    this.look(frames.length === 1);
  }

  // stopAtEnd shows that there is no more to play.
  stopAtEnd() {
    this.playing = false;
    this.find('#play').textContent = 'Play';
  }

  // look shows the present frame.
  look(joined = false) {
    const f = this.last;
    if (!f) return;
    this.sphere.show(this.points(f.x), f.overlaps, joined);
    this.ensemble.moment(f.layer / this.depth);
    const name = this.outcomes[f.outcome];
    const outcome = name + (f.pair && name !== 'antipodal' ? ', with an antipodal pair' : '');
    if (this.find('#outcome').textContent !== outcome) this.find('#outcome').textContent = outcome;
    this.find('#moment').textContent =
      `at time ${(f.layer / this.depth).toFixed(2)}, layer ${f.layer} of ${this.layers}` +
      (this.atEnd ? ', the horizon' : '');
  }

  // points are the three coordinates of all tokens that are shown.
  points(x) {
    const chosen = this.find('#axes').value;
    const points = new Float64Array(3 * this.tokens);
    const axes =
      chosen === 'principal'
        ? this.principal(x)
        : chosen.split(' ').map((k) => unit(this.dim, Number(k) - 1));
    for (let i = 0; i < this.tokens; i++) {
      axes.forEach((axis, k) => {
        points[3 * i + k] = product(axis, x, i * this.dim);
      });
    }
    return points;
  }

  // principal are the three axes along which the tokens extend the most, found by one step of orthogonal
  // iteration from those of the frame before, so that they turn without jumps.
  principal(x) {
    this.axis ??= [0, 1, 2].map((k) => unit(this.dim, k));
    for (let round = this.axisFound ? 1 : 30; round > 0; round--) {
      this.axis = this.axis.map((axis) => {
        const image = new Float64Array(this.dim);
        for (let i = 0; i < this.tokens; i++) {
          const c = product(axis, x, i * this.dim);
          for (let k = 0; k < this.dim; k++) image[k] += c * x[i * this.dim + k];
        }
        // Tokens may span no more than a line.
        for (let k = 0; k < this.dim; k++) image[k] += 1e-3 * axis[k];
        return image;
      });
      orthonormalise(this.axis);
    }
    this.axisFound = true;
    return this.axis;
  }

  problem(text) {
    this.find('.results > .problem').textContent = text ?? '';
  }

  recolour() {
    forget();
    this.overlaps.redraw();
    this.energy.redraw();
    this.sphere.draw();
    this.ensemble.draw();
  }
}

function same(a, b) {
  return new URLSearchParams(a).toString() === new URLSearchParams(b).toString();
}

function unit(dim, k) {
  const axis = new Float64Array(dim);
  axis[k] = 1;
  return axis;
}

function product(axis, x, from) {
  let sum = 0;
  for (let k = 0; k < axis.length; k++) sum += axis[k] * x[from + k];
  return sum;
}

function orthonormalise(axes) {
  axes.forEach((axis, i) => {
    for (const other of axes.slice(0, i)) {
      const c = product(other, axis, 0);
      for (let k = 0; k < axis.length; k++) axis[k] -= c * other[k];
    }
    const norm = Math.sqrt(product(axis, axis, 0));
    for (let k = 0; k < axis.length; k++) axis[k] /= norm;
  });
}
