// One trajectory in motion. The server computes it layer by layer; this view asks for layers ahead of time
// and plays them.

import { ask, connected, page } from './server.js';
import { Form } from './form.js';
import { Panel } from './panel.js';
import { Second } from './second.js';
import { axesOf, pointsOf } from './axes.js';
import { forget } from './canvas.js';
import { Ensemble } from './ensemble.js';
import { Recorder } from './recorder.js';
import { save } from './copy.js';

const usual = { tokens: '50', beta: '4' };
const without = ['trajectories', 'save', 'every', 'interpolate'];
const ahead = 90; // frames in one request
const usualSpeed = 1.8; // logarithm to base 10 of the layers per second
const mostMoved = 20_000; // largest number of coordinates in a start that is sent with every request
const headNumbers = 7; // numbers that precede the frames in an answer
const still = matchMedia('(prefers-reduced-motion: reduce)');
const silent = 'The server does not answer.';

export class Live {
  constructor(remember, outcomes, told) {
    Object.assign(this, { remember, outcomes });
    const find = (selector) => document.querySelector('#live ' + selector);
    this.find = find;
    this.form = new Form(find('.parameters'), 'simulate', {
      without,
      start: usual,
      sliders: true,
      changed: (step) => {
        this.save(step);
        this.usualStart();
        if (this.form.ok) this.restart();
        else this.problem(this.form.problem);
      },
    });
    this.panels = [new Panel(''), new Panel('2')];
    const [one, two] = this.panels.map(({ sphere }) => sphere);
    one.others.push(two);
    two.others.push(one);
    this.second = new Second(() => this.rearrange());
    find('#showAttention').addEventListener('change', () => this.rearrange());
    find('#usualStart').addEventListener('click', () => {
      this.usualStart();
      this.restart(true);
      find('#restart').focus();
    });
    find('#saveStart').addEventListener('click', () => this.saveStart());
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

  // key handles a key, unless it means something to the element that has the focus.
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

  // many is the number of trajectories that the ensemble shall have.
  get many() {
    return Math.round(10 ** Number(this.find('#many').value));
  }

  sayMany() {
    this.find('#manyText').textContent = this.many;
    this.find('#many').setAttribute('aria-valuetext', String(this.many));
  }

  // gather starts the computation of the ensemble.
  gather() {
    this.ensemble.begin(this.form.ok ? this.many : 1, this.form.sent());
  }

  // rearrange restarts the trajectory with other panels.
  rearrange() {
    this.save(true);
    if (this.form.ok) this.restart(true);
  }

  async show(_, { speed, axes, many, second, attention, ...given }) {
    this.hidden = false;
    const before = this.many;
    const panels = this.arrangement;
    this.second.value = second;
    this.find('#showAttention').checked = attention === 'true';
    this.find('#many').value = Math.log10(Math.max(1, Math.min(500, Number(many) || 1)));
    this.sayMany();
    this.find('#speed').value = speed === undefined ? usualSpeed : Math.log10(Number(speed) || 1);
    this.chosenAxes = axes;
    this.setSpeed();
    if (this.begun && panels === this.arrangement && same({ ...usual, ...given }, this.form.given)) {
      // the trajectory continues where it was left
      this.look();
      this.animate();
      if (this.many !== before || this.ensemble.many !== this.many) this.gather();
      return;
    }
    await this.form.set(given);
    this.usualStart();
    await connected;
    if (this.form.ok) this.restart();
    else this.problem(this.form.problem);
  }

  hide() {
    this.hidden = true;
    this.aborted?.abort();
    this.ensemble.stop();
    this.ensemble.many = 0; // so that it starts again when the view is shown again
    cancelAnimationFrame(this.animation);
  }

  // back continues after the server was lost and is there again.
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
    if (this.second.value) values.second = this.second.value;
    if (this.find('#showAttention').checked) values.attention = 'true';
    this.remember('live', '', values, step);
  }

  setSpeed() {
    const x = 10 ** Number(this.find('#speed').value);
    this.perSecond = Number(x.toPrecision(2));
    this.find('#speedText').textContent = this.perSecond + ' layers/s';
  }

  // value returns the value of a parameter of the form.
  value(name) {
    return this.form.given[name] ?? this.form.fields.get(name).field.value;
  }

  // arrangement is a text that says which panels are shown.
  get arrangement() {
    return this.second.value + this.find('#showAttention').checked;
  }

  // question returns the request for frames from the layer from on.
  question(from) {
    return {
      page,
      given: this.form.sent(),
      from,
      step: this.step,
      frames: ahead,
      second: this.second.given(this.value('model')),
      attention: this.find('#showAttention').checked,
      start: this.start ?? null,
    };
  }

  // step is the number of layers between frames.
  get step() {
    return Math.max(1, Math.round(this.perSecond / 60));
  }

  play(playing) {
    this.playing = playing;
    this.find('#play').textContent = playing ? 'Pause' : 'Play';
    if (playing && this.atEnd) this.restart(true);
  }

  // restart starts the trajectory of the form from layer 0.
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
      axes: null,
    });
    this.second.offer(this.value('model'));
    this.find('#onDiagram').href = diagram((name) => this.value(name));
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
      const answer = await ask('live', this.question(this.next), { signal: aborted.signal });
      if (!answer.ok) {
        const { problems, problem } = await answer.json();
// the command may be able to do it
        if (this.form.line) this.find('#liveLine').textContent = this.form.line;
        const all = Object.entries(problems ?? {});
        const others = all.filter(([name, text]) => !this.form.complain(name, text));
        const texts = others.map((one) => one.join(': '));
        this.problem([problem, ...texts].filter(Boolean).join('; '));
        this.next = null;
        return;
      }
      const numbers = new Float64Array(await answer.arrayBuffer());
      if (aborted !== this.aborted) return;
      this.find('#liveLine').textContent = JSON.parse(answer.headers.get('Antipode-Command'));
      if (this.find('.results > .problem').textContent === silent) this.problem('');
      this.take(numbers);
    } catch (failure) {
      if (aborted !== this.aborted || failure.name === 'AbortError') return;
      this.problem(silent); // it continues from here when the server is back
    } finally {
      if (aborted === this.aborted) this.asking = false;
    }
  }

  // take splits an answer into frames.
  take(numbers) {
    const [tokens, dim, layers, count, end, panels, matrix] = numbers;
    if (!this.begun) this.begin(tokens, dim, layers, panels);
    const length = 4 + tokens * (dim + 1) + matrix;
    for (let k = 0; k < count; k++) {
      const parts = [];
      for (let i = 0; i < panels; i++) {
        const at = headNumbers + (k * panels + i) * length;
        const [, outcome, pair, energy] = numbers.subarray(at, at + 4);
        const [x, weights] = [at + 4 + tokens, at + length - matrix];
        parts.push({
          outcome,
          pair,
          energy,
          overlaps: numbers.subarray(at + 4, x),
          x: numbers.subarray(x, weights),
          weights: numbers.subarray(weights, at + length),
        });
      }
      this.frames.push({ layer: numbers[headNumbers + k * panels * length], parts });
    }
    this.next = end ? null : this.frames.at(-1).layer + this.step;
  }

  begin(tokens, dim, layers, panels) {
    Object.assign(this, { begun: true, tokens, dim, layers, depth: Number(this.value('depth')) });
    const two = panels === 2;
    this.find('.pictures').classList.toggle('two', two);
    this.find('#liveCommand').hidden = two;
    const line = this.find('#liveLine').textContent;
    this.find('#liveCommand .what').textContent = line.includes('--save outcomes')
      ? 'Its outcomes in a file:'
      : 'These states in a file:';
    const titles = this.second.titles({ model: this.value('model'), beta: this.value('beta') });
    const movable = tokens <= 1000 && tokens * dim <= mostMoved;
    this.panels.forEach((panel, k) => {
      panel.hidden = k >= panels;
      panel.title.hidden = !two;
      panel.title.textContent = titles?.[k] ?? '';
      panel.begin(tokens, layers, this.depth);
      panel.sphere.movable(movable ? this.moving(k) : {});
      if (panel.sphere.turned === 0 || panel.sphere.flat !== (dim === 2)) panel.sphere.reset(dim === 2);
    });
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
  }

  // moving returns the functions by which the tokens of a panel are moved. After a move the run restarts from
  // the tokens of that panel, with the moved token in its new place.
  moving(panel) {
    return {
      grab: () => this.play(false),
      choose: (token) => this.tell(`Token ${token + 1} is chosen: Shift with arrow keys moves it.`),
      drop: (token, [...at]) => {
        const x = Array.from(this.last.parts[panel].x);
        const moved = new Float64Array(this.dim);
        this.axes.forEach((axis, k) => axis.forEach((v, i) => (moved[i] += at[k] * v)));
        const norm = Math.hypot(...moved);
        if (norm === 0) return;
        moved.forEach((v, i) => (x[token * this.dim + i] = v / norm));
        this.start = x;
        this.tell(`Token ${token + 1} was moved: the run starts again from here.`);
        this.restart(true);
      },
    };
  }

  // tell announces which token was chosen or moved.
  tell(text) {
    this.find('#moved [role=status]').textContent = text;
    for (const name of ['#saveStart', '#usualStart']) this.find(name).hidden = !this.start;
  }

  // usualStart returns to the usual start, before any token was moved.
  usualStart() {
    this.start = undefined;
    this.tell('');
  }

  // saveStart saves the file of the start that the command reads.
  async saveStart() {
    const answer = await ask('start', this.question(0));
    if (answer.ok) save(await answer.blob(), 'start.arrow');
    else this.problem((await answer.json()).problem);
  }

  // animate plays the frames at the chosen speed.
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

  // advance shows the next frames, as many as count says.
  advance(count) {
    if (this.frames.length < ahead && this.next !== null) this.fetch();
    const frames = this.frames.splice(0, count);
    if (frames.length === 0) return;
    for (const f of frames) f.parts.forEach((part, k) => this.panels[k].add(f.layer, part));
    this.last = frames.at(-1);
    if (!this.playing) this.position = this.last.layer;
    this.atEnd = this.last.layer === this.layers;
    if (this.atEnd && this.playing) this.stopAtEnd();
    this.look(frames.length === 1);
  }

  // stopAtEnd shows that there are no more frames to play.
  stopAtEnd() {
    this.playing = false;
    this.find('#play').textContent = 'Play';
  }

  // look shows the current frame.
  look(joined = false) {
    const f = this.last;
    if (!f) return;
    this.axes = axesOf(this.find('#axes').value, f.parts[0].x, this.dim, this.axes);
    f.parts.forEach((part, k) => this.panels[k].look(part, pointsOf(this.axes, part.x, this.dim), joined));
    this.ensemble.moment(f.layer / this.depth);
    const outcome = f.parts.map((part) => this.outcome(part)).join('; second panel: ');
    if (this.find('#outcome').textContent !== outcome) this.find('#outcome').textContent = outcome;
    this.find('#moment').textContent =
      `at time ${(f.layer / this.depth).toFixed(2)}, layer ${f.layer} of ${this.layers}` +
      (this.atEnd ? ', the horizon' : '');
  }

  // outcome returns the outcome of a frame in words.
  outcome({ outcome, pair }) {
    const name = this.outcomes[outcome];
    return name + (pair && name !== 'antipodal' ? ', with an antipodal pair' : '');
  }

  // point returns the parameters of the trajectory by their letters, for diagrams.
  get point() {
    if (!this.form.fields.size) return {};
    const names = { d: 'dim', β: 'beta', ε: 'epsilon', N: 'tokens' };
    return Object.fromEntries(
      Object.entries(names).map(([letter, name]) => [letter, Number(this.value(name))]),
    );
  }

  problem(text) {
    this.find('.results > .problem').textContent = text ?? '';
  }

  recolour() {
    forget();
    for (const panel of this.panels) panel.redraw();
    this.ensemble.draw();
  }
}

function same(a, b) {
  return new URLSearchParams(a).toString() === new URLSearchParams(b).toString();
}

// diagram returns the address of a small phase diagram around the parameters of a trajectory.
function diagram(value) {
  const [model, dim, beta] = [value('model'), Number(value('dim')), Number(value('beta'))];
  const hybrid = model.startsWith('hybrid');
  const grid = (x) => {
    const step = Number(Math.max(0.1, x / 3).toPrecision(1));
    return `0:${Number((step * 5).toPrecision(6))}:${step}`;
  };
  const given = { depth: value('depth'), horizon: value('horizon'), trajectories: '200' };
  given.beta = grid(beta);
  if (hybrid) given.epsilon = grid(Number(value('epsilon')));
  given.dim = hybrid ? String(dim) : `${Math.max(2, dim - 2)}..${dim + 2}`;
  return `#runs/${hybrid ? 'hybrid' : 'phase'}?` + new URLSearchParams(given);
}
