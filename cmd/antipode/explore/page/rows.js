// Rows of a table, a few at a time.

import { askJSON } from './server.js';

const some = 25;

// Rows shows rows that it gets from an address of the server, with buttons for earlier and later rows.
export class Rows {
  constructor(element) {
    this.element = element;
    this.title = document.createElement('h2');
    this.buttons = ['Earlier', 'Later'].map((text, k) => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: text });
      button.addEventListener('click', () =>
        this.show(this.path, Math.max(0, this.from + (k ? some : -some))),
      );
      return button;
    });
    this.table = document.createElement('table');
    element.append(this.title, ...this.buttons, this.table);
    element.hidden = true;
  }

  // show shows rows beginning at from, or the last rows if from is not given.
  async show(path, from) {
    this.path = path;
    const latest = from === undefined;
    const answer = await askJSON(`${path}?from=${latest ? 0 : from}&count=${some}`);
    if (this.path !== path) return;
    this.element.hidden = !answer.rows?.length;
    if (this.element.hidden) return;
    if (latest && answer.total > some) return this.show(path, answer.total - some);
    this.from = answer.from;
    const last = answer.from + answer.rows.length;
    this.title.textContent = `Rows ${answer.from + 1} to ${last} of ${answer.total}`;
    this.buttons[0].disabled = answer.from === 0;
    this.buttons[1].disabled = last >= answer.total;
    const row = (kind, values) => {
      const tr = document.createElement('tr');
      tr.append(...values.map((text) => Object.assign(document.createElement(kind), { textContent: text })));
      return tr;
    };
    this.table.replaceChildren(
      row('th', Object.keys(answer.rows[0])),
      ...answer.rows.map((r) => row('td', Object.values(r).map(text))),
    );
  }
}

function text(value) {
  if (value === null) return '';
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(6)));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
