// The tables that were named on the command line.

import { askJSON } from './server.js';
import { Figure } from './figure.js';
import { Rows } from './rows.js';

export class Files {
  constructor() {
    this.find = (selector) => document.querySelector('#files ' + selector);
    this.figure = new Figure(this.find('.figure'), 'The figure of the table');
    this.rows = new Rows(this.find('#fileRows'));
  }

  async show(what) {
    const names = await askJSON('files');
    this.find('#fileList').replaceChildren(
      ...names.map((name, k) => {
        const a = Object.assign(document.createElement('a'), { href: '#files/' + k, textContent: name });
        if (String(k) === (what || '0')) a.setAttribute('aria-current', 'true');
        const item = document.createElement('li');
        item.append(a);
        return item;
      }),
    );
    if (names.length === 0) {
      this.find('.problem').textContent = 'No table was named: antipode explore FILE.arrow';
      return;
    }
    await this.open(names[what || 0] === undefined ? 0 : Number(what || 0));
  }

  hide() {}

  async open(k) {
    const file = await askJSON('files/' + k);
    this.find('.problem').textContent = file.problem;
    this.find('.text').textContent = file.text;
    this.find('.metadata').replaceChildren(
      ...parts(file.metadata).flatMap(([key, value]) => [
        Object.assign(document.createElement('dt'), { textContent: key }),
        Object.assign(document.createElement('dd'), { textContent: value }),
      ]),
    );
    const row = (kind, values) => {
      const tr = document.createElement('tr');
      tr.append(...values.map((textContent) => Object.assign(document.createElement(kind), { textContent })));
      return tr;
    };
    this.find('.columns').replaceChildren(
      row('th', ['column', 'type', 'unit', 'meaning']),
      ...file.columns.map((c) => row('td', [c.name, c.type, c.unit, c.meaning])),
    );
    await this.figure.show({ none: 'The figure is being drawn …' });
    await this.rows.show(`files/${k}/rows`, 0);
    await this.figure.show(await askJSON(`files/${k}/figure`));
  }
}

// parts returns the metadata of a table; the parameters of a table of this program are listed one by one.
function parts(metadata) {
  return metadata.flatMap(([key, value]) => {
    if (key !== 'antipode.parameters') return [[key, value]];
    try {
      return Object.entries(JSON.parse(value)).map(([name, x]) => [
        name,
        Array.isArray(x) ? x.join(', ') : String(x),
      ]);
    } catch {
      return [[key, value]];
    }
  });
}
