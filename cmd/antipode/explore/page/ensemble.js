// Many trajectories: their overlaps against time, the distribution of the overlaps at one time together with
// the law of the theory, and the frequency of each outcome.

import { ask, connected, page } from './server.js';
import { colour, prepare } from './canvas.js';

const top = 8;
const bottom = 22;

export class Ensemble {
  constructor(element, outcomes, told) {
    Object.assign(this, { element, outcomes, told, many: 1, at: 0 });
    this.line = document.getElementById('ensembleLine');
    this.find = (selector) => element.querySelector(selector);
    this.clear();
    for (const canvas of element.querySelectorAll('canvas')) {
      new ResizeObserver(() => this.draw()).observe(canvas);
    }
    this.find('#when').addEventListener('input', (e) => {
      this.held = true;
      this.show(Number(e.target.value));
    });
  }

  clear() {
    Object.assign(this, { times: [], tracks: [], law: null, expected: null, shares: null, end: false });
  }

  // begin asks for the given number of trajectories, with the given values of the form.
  async begin(many, given) {
    this.aborted?.abort();
    this.many = many;
    this.clear();
    this.held = false;
    this.element.hidden = this.line.hidden = many < 2;
    if (many < 2) return;
    this.find('.wrong').textContent = '';
    this.count();
    const aborted = (this.aborted = new AbortController());
    try {
      await connected;
      const question = { page, given, trajectories: many };
      const answer = await ask('ensemble', question, { signal: aborted.signal });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
        if (aborted !== this.aborted) return;
        const lines = (text + value).split('\n');
        text = lines.pop();
        lines.forEach((line) => this.take(JSON.parse(line)));
      }
    } catch (failure) {
      if (aborted === this.aborted && failure.name !== 'AbortError')
        this.find('.wrong').textContent = 'The server does not answer.';
    }
  }

  stop() {
    this.aborted?.abort();
  }

  // take takes a part of the answer.
  take({ line, times, overlaps, shares, law, expected, problem, problems, end }) {
    if (line) this.line.querySelector('code').textContent = line;
    if (times) {
      this.times = times;
      this.find('#when').max = times.length - 1;
    }
    if (overlaps) this.tracks.push(...overlaps);
    if (shares) this.shares = shares;
    if (law) this.law = law;
    if (expected) this.expected = expected;
    if (end) this.end = true;
    const wrong = [problem, ...Object.values(problems ?? {})].filter(Boolean);
    if (wrong.length > 0) this.find('.wrong').textContent = wrong.join('; ');
    this.count();
    if (times || overlaps || law) this.draw();
    this.told(this);
  }

  // moment shows the time of the trajectory that is playing, unless a person has chosen another time.
  moment(time) {
    if (this.held || this.element.hidden || this.times.length === 0) return;
    let k = this.times.findIndex((t) => t > time + 1e-9);
    k = k < 0 ? this.times.length - 1 : Math.max(0, k - 1);
    if (k !== this.at) this.show(k);
  }

  show(k) {
    this.at = k;
    this.find('#when').value = k;
    this.find('#whenText').textContent = 'time ' + Number((this.times[k] ?? 0).toPrecision(4));
    this.find('#when').setAttribute('aria-valuetext', this.find('#whenText').textContent);
    this.draw();
  }

  // count shows how often each outcome has occurred.
  count() {
    const seen = this.tracks.length;
    this.find('caption').textContent =
      seen < this.many
        ? `At the horizon, ${seen} of ${this.many} trajectories so far`
        : `At the horizon, ${seen} trajectories`;
    const { antipodal, single, depth } = this.expected ?? {};
    const theory = { antipodal, single };
    if (antipodal != null && single != null) theory.unclustered = Math.max(0, 1 - antipodal - single);
    const names = { unclustered: 'open', single: 'single', antipodal: 'antipodal' };
    const row = (name) => {
      const share = this.shares?.[this.outcomes.indexOf(name)];
      const tr = document.createElement('tr');
      tr.dataset.outcome = name;
      const cell = (kind, textContent) =>
        tr.append(Object.assign(document.createElement(kind), { textContent }));
      cell('th', names[name]);
      tr.firstChild.scope = 'row';
      cell('td', share ? share.count : '');
      cell('td', share ? `${percent(share.low)} to ${percent(share.high)}` : '');
      cell('td', theory[name] == null ? '' : percent(theory[name]));
      return tr;
    };
    this.find('tbody').replaceChildren(...['antipodal', 'single', 'unclustered'].map(row));
    this.find('.about').textContent = this.expected
      ? 'Intervals are 95 % intervals. The outlined law holds at infinite depth. The theoretical share is ' +
        (depth ? 'exact at this depth.' : 'that of infinite depth.')
      : this.end
        ? 'There is no theory of this. The theory needs two tokens that start uniformly, and scores without a matrix.'
        : '';
  }

  draw() {
    this.drawTracks();
    this.drawHistogram();
  }

  // height returns the vertical position at which an overlap is drawn.
  height(z, height) {
    return top + ((1 - z) / 2) * (height - top - bottom);
  }

  drawTracks() {
    const { context: c, width, height } = prepare(this.find('#tracks'));
    if (width === 0 || this.times.length === 0) return;
    const [left, right] = [30, width - 6];
    const end = this.times.at(-1);
    const x = (t) => left + (t / end) * (right - left);
    frame(c, left, right, height, (z) => this.height(z, height));
    c.textAlign = 'left';
    c.fillText('0', left, height - 14);
    c.textAlign = 'right';
    c.fillText('time ' + end, right, height - 14);
    c.lineWidth = 1;
    c.strokeStyle = colour('--ink');
    c.globalAlpha = Math.max(0.05, Math.min(0.5, 12 / this.tracks.length));
    for (const track of this.tracks) {
      c.beginPath();
      track.forEach((z, k) => c[k ? 'lineTo' : 'moveTo'](x(this.times[k]), this.height(z, height)));
      c.stroke();
    }
    c.globalAlpha = 1;
    c.strokeStyle = colour('--accent');
    c.lineWidth = 2;
    const now = x(this.times[this.at] ?? 0);
    c.strokeRect(now, top, 0, height - top - bottom);
  }

  // drawHistogram draws the fractions of the overlaps at the current time as bars, and the law as an outline.
  drawHistogram() {
    const { context: c, width, height } = prepare(this.find('#histogram'));
    if (width === 0 || this.tracks.length === 0) return;
    const law = this.at > 0 ? this.law?.[this.at - 1] : null;
    const shares = new Float64Array(law?.length ?? this.law?.[0].length ?? 40);
    for (const track of this.tracks) {
      const bin = Math.floor(((track[this.at] + 1) / 2) * shares.length);
      shares[Math.max(0, Math.min(shares.length - 1, bin))] += 1 / this.tracks.length;
    }
    const most = Math.max(...shares, ...(law ?? [0]));
    const [left, right] = [4, width - 6];
    const x = (share) => left + (share / most) * (right - left);
    const y = (k) => this.height((2 * k) / shares.length - 1, height);
    frame(c, left, right, height);
    c.fillStyle = colour('--together');
    c.globalAlpha = 0.55;
    shares.forEach((share, k) => c.fillRect(left, y(k + 1), x(share) - left, y(k) - y(k + 1) - 0.5));
    c.globalAlpha = 1;
    c.fillStyle = colour('--quiet');
    c.textAlign = 'right';
    c.fillText(percent(most), right, height - 14);
    if (!law) return;
    c.strokeStyle = colour('--opposite');
    c.lineWidth = 2;
    c.beginPath();
    c.moveTo(left, y(0));
    law.forEach((share, k) => {
      c.lineTo(x(share), y(k));
      c.lineTo(x(share), y(k + 1));
    });
    c.stroke();
  }
}

// frame draws the edges of a plot and, if y is given, its scale of overlaps.
function frame(c, left, right, height, y) {
  c.strokeStyle = colour('--line');
  c.fillStyle = colour('--quiet');
  c.font = '11px system-ui, sans-serif';
  c.lineWidth = 1;
  c.strokeRect(left, top, right - left, height - top - bottom);
  c.textBaseline = 'middle';
  c.textAlign = 'right';
  if (y) for (const z of [-1, 0, 1]) c.fillText(String(z), left - 4, y(z));
  c.textBaseline = 'top';
}

function percent(share) {
  const text = (100 * share).toFixed(share > 0.0995 ? 0 : 1);
  return text + ' %';
}
