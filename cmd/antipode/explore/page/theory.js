// The theory of two clusters, which follows the sliders.

import { ask, connected, page } from './server.js';
import { Form } from './form.js';
import { Figure } from './figure.js';

export class Theory {
  constructor(remember) {
    this.remember = remember;
    this.find = (selector) => document.querySelector('#theory ' + selector);
    this.form = new Form(this.find('.parameters'), 'overlap', {
      without: ['boundary', 'seed'],
      sliders: true,
      start: { horizon: '20' },
      changed: (step) => this.remember('theory', '', this.form.values(), step),
    });
    const take = this.form.take;
    this.form.take = (...change) => {
      // the theory does not have to wait for the check of the form
      const checked = take.apply(this.form, change);
      this.compute();
      return checked;
    };
    this.figure = new Figure(this.find('.figure'), 'What the theory says, as functions of the overlap');
  }

  async show(_, given) {
    await Promise.all([this.form.set(given), connected]);
    this.compute();
  }

  hide() {
    this.aborted?.abort();
  }

  // compute asks for the theory at the current values. It abandons earlier questions once their first part
  // has arrived, so that the curves move while a slider does.
  async compute() {
    this.wanted = true;
    if (this.busy) return;
    while (this.wanted) {
      this.wanted = false;
      this.busy = true;
      this.aborted?.abort();
      const aborted = (this.aborted = new AbortController());
      const first = Promise.withResolvers();
      this.read(aborted, first.resolve);
      await first.promise;
      this.busy = false;
    }
  }

  // read shows the parts of an answer as they arrive.
  async read(aborted, first) {
    try {
      const answer = await ask('theory', { page, given: this.form.sent() }, { signal: aborted.signal });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
        text += value;
        const lines = text.split('\n');
        text = lines.pop();
        for (const line of lines) {
          await this.take(JSON.parse(line));
          first();
        }
      }
    } catch (failure) {
      if (failure.name !== 'AbortError') this.find('.problem').textContent = 'The server does not answer.';
    } finally {
      first();
    }
  }

  async take({ problems, problem, text, line, pending, ...figure }) {
    for (const name of Object.keys(problems ?? {})) this.form.complain(name, problems[name]);
    this.find('.results > .problem').textContent = problem;
    this.find('.pending').textContent = pending ? `Still computing ${pending} …` : '';
    if (!line) return;
    this.find('.text').textContent = text;
    this.find('.results code').textContent = line;
    await this.figure.show(figure);
  }
}
