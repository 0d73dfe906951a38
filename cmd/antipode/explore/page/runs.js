// Runs of every command: the form, and the progress and the results of runs.

import { ask, askJSON, on } from './server.js';
import { Form } from './form.js';
import { Figure, letter } from './figure.js';
import { Rows } from './rows.js';
import { parsed, save } from './copy.js';

// Parameters that trajectories in Live have as well.
const shared = 'attention depth horizon tolerance law covariance mlp heads drift sigma tokens seed'.split(
  ' ',
);

export class Runs {
  // go is called with the address of another view; point returns the parameters of the trajectory in Live.
  constructor(remember, commands, go, point) {
    Object.assign(this, { remember, go, point });
    this.commands = commands;
    this.find = (selector) => document.querySelector('#runs ' + selector);
    this.forms = new Map();
    this.states = [];
    this.notBefore = 0;
    this.find('#command').append(
      ...commands.map(({ name, summary }) => new Option(name + ': ' + summary, name)),
    );
    this.find('#command').addEventListener('change', (e) => {
      this.choose(e.target.value, {});
      this.save(true);
    });
    this.find('#paper').addEventListener('change', async () => {
      this.form.paper = this.find('#paper').checked;
      if (await this.form.check()) this.changed(true);
    });
    this.find('#run').addEventListener('click', () => this.run());
    this.find('#cancel').addEventListener('click', () =>
      ask('runs/' + this.selected, undefined, { method: 'DELETE' }),
    );
    this.find('#save').addEventListener('click', async (e) => {
      e.preventDefault();
      const answer = await ask(e.target.getAttribute('href'));
      save(await answer.blob(), e.target.download);
    });
    this.figure = new Figure(this.find('#runView .figure'), 'The figure of the run', (...at) =>
      this.watch(...at),
    );
    this.rows = new Rows(this.find('#runView .rows'));
    on('runs', (states) => this.update(states));
    on('back', () => {
      this.drawn = this.selected = undefined;
    });
  }

  show(what, { paper, ...given }) {
    this.hidden = false;
    this.choose(
      this.commands.some(({ name }) => name === what) ? what : this.commands[0].name,
      given,
      paper === 'true',
    );
    this.update(this.states);
    this.figure.mark(this.point());
  }

  hide() {
    this.hidden = true;
  }

  // watch starts a trajectory in Live with the parameters at a place in the figure.
  watch(area, x, y) {
    const { command, given } = parsed(this.find('#runView code').textContent);
    const values = { tokens: '2' };
    for (const [name, text] of Object.entries(given)) if (shared.includes(name)) values[name] = text;
    if (/,|:.*:|\.\./.test(values.tokens)) values.tokens = '2';
    if (command === 'hybrid') {
      values.model = 'hybrid';
      values.law ??= 'rademacher';
      values.attention ??= 'unnormalized';
    }
    let known = false;
    for (const [axis, at] of [
      [area.x, x],
      [area.y, y],
    ]) {
      const name = letter(axis);
      if (!name) continue;
      known = true;
      const whole = name === 'd' || name === 'N';
      values[{ d: 'dim', β: 'beta', ε: 'epsilon', N: 'tokens' }[name]] = String(
        whole ? Math.max(2, Math.round(at)) : Number(Math.max(0, at).toPrecision(3)),
      );
    }
    if (known) this.go('#live?' + new URLSearchParams(values));
  }

  save(step) {
    const values = this.form.values();
    if (this.form.paper) values.paper = 'true';
    this.remember('runs', this.form.command, values, step);
  }

  // choose shows the form of a command.
  async choose(name, given, paper = false) {
    const command = this.commands.find((c) => c.name === name);
    this.find('#command').value = name;
    this.find('summary').textContent = command.summary;
    this.find('.description').textContent = command.description;
    this.find('.paper').hidden = !command.paper;
    this.find('#paper').checked = paper;
    if (!this.forms.has(name)) {
      const element = document.createElement('div');
      this.find('.form').append(element);
      this.forms.set(name, new Form(element, name, { changed: (step) => this.changed(step) }));
    }
    this.form = this.forms.get(name);
    for (const form of this.forms.values()) form.element.hidden = form !== this.form;
    this.form.paper = paper;
    const set = this.form.set(given);
    this.describe();
    await set;
    this.describe();
  }

  changed(step) {
    this.save(step);
    this.describe();
  }

  // describe shows what concerns the form as a whole.
  describe() {
    this.find('.parameters > .problem').textContent = this.form.problem ?? '';
    this.find('.parameters code').textContent = this.form.line ?? '';
    this.find('#run').disabled = !this.form.ok;
  }

  async run() {
    const { command, paper } = this.form;
    const answer = await ask('runs', { command, given: this.form.sent(), paper });
    const said = await answer.json();
    if (answer.status === 201) this.selected = said.id;
    else this.find('.parameters > .problem').textContent = said.problem ?? '';
    this.update(this.states);
  }

  // update shows the states of all runs, as sent by the server.
  update(states) {
    this.states = states;
    const last = states.at(-1)?.id;
    // A run that has just begun is not among the states yet.
    if (!states.some((s) => s.id === this.selected) && !(this.selected > last)) this.selected = last;
    if (this.hidden !== false) return;
    const list = states.toReversed().map((s) => {
      const button = Object.assign(document.createElement('button'), {
        type: 'button',
        textContent: `${s.id}: ${s.command}, ${s.state}`,
      });
      if (s.id === this.selected) button.setAttribute('aria-current', 'true');
      button.addEventListener('click', () => {
        this.selected = s.id;
        this.update(this.states);
      });
      const item = document.createElement('li');
      item.append(button);
      return item;
    });
    const names = (items) => items.map((item) => item.textContent).join();
    if (names([...this.find('#runList').children]) !== names(list))
      this.find('#runList').replaceChildren(...list);
    const state = states.find((s) => s.id === this.selected);
    this.find('#runView').hidden = !state;
    if (state) this.view(state);
  }

  // view shows a run.
  view(s) {
    const find = (selector) => this.find('#runView ' + selector);
    find('h2').textContent = `Run ${s.id}: ${s.command}`;
    find('progress').value = s.share;
    find('.progress').textContent = progress(s);
    find('#cancel').hidden = s.state !== 'running';
    find('#save').hidden = s.state !== 'done';
    find('#save').href = `runs/${s.id}/${s.command}.arrow`;
    find('#save').download = s.command + '.arrow';
    find('.notice').textContent = s.notice;
    find('.problem').textContent = s.problem;
    find('code').textContent = s.line;
    this.draw(s);
  }

  // draw draws the figure of the rows so far, and draws it again when there are more: during the run so
  // rarely that it does not slow the run down, and at the end of the run immediately.
  async draw(s) {
    const key = [s.id, s.rows, s.state].join();
    if (this.drawing || this.drawn === key || (s.state === 'running' && performance.now() < this.notBefore))
      return;
    this.drawing = true;
    const before = performance.now();
    try {
      if (this.shownRun !== s.id) {
        await this.figure.show({});
        this.rows.element.hidden = true;
        this.find('#runView .text').textContent = '';
      }
      this.shownRun = s.id;
      const [{ text, ...figure }] = await Promise.all([
        askJSON(`runs/${s.id}/figure`),
        this.rows.show(`runs/${s.id}/rows`),
      ]);
      await this.figure.show(s.rows ? figure : { none: 'There are no rows yet.' });
      this.figure.mark(this.point());
      this.find('#runView .text').textContent = text;
      this.drawn = key;
    } catch {
      // the server is gone, and the run with it
    } finally {
      const now = performance.now();
      this.notBefore = now + Math.max(200, 2 * (now - before));
      this.drawing = false;
      setTimeout(() => this.update(this.states), 200);
    }
  }
}

// progress describes how far a run has come.
function progress(s) {
  const parts = [s.state === 'running' ? `${Math.min(99, Math.round(100 * s.share))} %` : s.state];
  if (s.state === 'running')
    parts.push(s.left === null ? 'time left not known' : `about ${duration(s.left)} left`);
  else parts.push(`after ${duration(s.seconds)}`);
  if (s.all_cells > 1) parts.push(`${s.cells} of ${s.all_cells} cells`);
  parts.push(`${s.rows} ${s.rows === 1 ? 'row' : 'rows'}`);
  if (s.outcome && s.state === 'running') parts.push(s.outcome);
  return parts.join(', ');
}

function duration(seconds) {
  for (const [name, length] of [
    ['days', 86400],
    ['hours', 3600],
    ['min', 60],
  ]) {
    if (seconds > 2 * length) return Math.round(seconds / length) + ' ' + name;
  }
  return seconds < 10 ? seconds.toFixed(1) + ' s' : Math.round(seconds) + ' s';
}
