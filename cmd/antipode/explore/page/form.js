// A form with the parameters of a command, which the server describes by their meaning, unit, bounds and
// default, together with mistakes in their values.

import { askJSON } from './server.js';

// ranges are the ranges of the sliders; the fields next to them accept all allowed values. If a parameter may
// be absent, the left end of its slider stands for that.
const ranges = {
  beta: { low: 0, high: 6, step: 0.05 },
  epsilon: { low: 0, high: 2.5, step: 0.05 },
  sigma: { low: 0.1, high: 3, step: 0.1 },
  tokens: { low: 2, high: 5000, logarithmic: true, whole: true, step: 0.1 },
  dim: { low: 2, high: 20, step: 1 },
  z0: { low: -1, high: 1, step: 0.02 },
  depth: { low: 1, high: 1000, logarithmic: true, whole: true },
  horizon: { low: 1, high: 1000, logarithmic: true },
  masses: { low: 1, high: 10, step: 0.5, text: (x) => '1,' + x, value: (text) => ratio(text) },
  mlp: { low: 0, high: 5, step: 0.05 }, // the strength of the MLP
};

// plain returns the name of a parameter in plain words: the beginning of its meaning.
function plain({ meaning }) {
  const short = meaning.split(/[:;(]|, /)[0].trim();
  return short[0].toUpperCase() + short.slice(1);
}

function ratio(text) {
  const [one, other] = text.split(',').map(Number);
  return other / one;
}

// strength returns the strength c of an MLP, whose text is none or begins with ACTIVATION:c.
function strength(text) {
  return text.includes(':') ? Number(text.split(':')[1]) : 0;
}

// Scale converts values to positions of a slider and back.
class Scale {
  constructor(range, absent) {
    this.range = range;
    this.absent = absent;
    this.low = range.logarithmic ? Math.log10(range.low) : range.low;
    this.high = range.logarithmic ? Math.log10(range.high) : range.high;
    this.step = range.step ?? 0.05;
    if (absent) this.low -= this.step;
  }

  text(position) {
    if (this.absent && position < this.low + this.step / 2) return this.absent;
    if (!this.range.logarithmic) {
      const x = Number(position.toFixed(4));
      return this.range.text ? this.range.text(x) : String(x);
    }
    const x = 10 ** position;
    return String(this.range.whole ? Math.round(Number(x.toPrecision(2))) : Math.round(x * 2) / 2);
  }

  position(text) {
    if (text === this.absent) return this.low;
    const x = this.range.value ? this.range.value(text) : Number(text);
    return this.range.logarithmic ? Math.log10(x) : x;
  }
}

// Form is the form of one command, inside an element. It calls changed(step) after the server has checked new
// values; step says whether the person has finished the change.
export class Form {
  constructor(element, command, { without = [], sliders = false, start = {}, changed }) {
    Object.assign(this, { element, command, without, sliders, start, changed });
    this.given = { ...start };
    element.classList.toggle('compact', sliders);
    this.first = element.appendChild(Object.assign(document.createElement('div'), { className: 'fields' }));
    if (sliders) {
      this.more = document.createElement('details');
      this.more.append(Object.assign(document.createElement('summary'), { textContent: 'More parameters' }));
    }
    this.paper = false;
    this.fields = new Map();
    this.asked = 0;
  }

  // set replaces all values; given has them by the names of parameters.
  async set(given) {
    this.given = { ...this.start, ...given };
    this.ok = false; // until the server has checked them
    // A parameter that had no effect may have one now. So all values are sent, and those without effect are
    // left out the second time.
    for (const f of this.fields.values()) f.field = { ...f.field, inapplicable: '' };
    await this.check();
    if (Object.keys(this.sent()).length < Object.keys(this.given).length) await this.check();
    for (const f of this.fields.values()) this.write(f);
  }

  // values returns the values that differ from those at the beginning.
  values() {
    const values = {};
    for (const [name, text] of Object.entries(this.given)) {
      if (this.start[name] !== text) values[name] = text;
    }
    return values;
  }

  // check lets the server check the values, and shows the answer. It returns false if newer values have been
  // sent meanwhile.
  async check() {
    const turn = ++this.asked;
    const form = await askJSON('form', { command: this.command, given: this.sent(), paper: this.paper });
    if (turn !== this.asked) return false;
    this.line = form.line;
    this.problem = form.problem;
    this.ok = !form.problem;
    for (const field of form.fields) {
      if (this.without.includes(field.name)) continue;
      if (field.problem) this.ok = false;
      const f = this.fields.get(field.name) ?? this.build(field);
      const presented = f.field;
      f.field = field;
      this.describe(f);
      if (presented.value !== field.value && !(field.name in this.given)) this.write(f);
    }
    this.explainHidden(form.fields.filter((f) => f.inapplicable && !this.without.includes(f.name)));
    return true;
  }

  // explainHidden says which parameters are hidden, and why.
  explainHidden(fields) {
    if (!this.unused) {
      this.unused = document.createElement('details');
      this.unused.className = 'unused';
      this.unused.append(
        Object.assign(document.createElement('summary'), { textContent: 'Not used here' }),
        document.createElement('ul'),
      );
    }
    this.element.append(this.unused); // moves it to the end
    this.unused.hidden = fields.length === 0;
    const item = ({ name, inapplicable }) =>
      Object.assign(document.createElement('li'), {
        textContent: `${name}: ${inapplicable.replace(/; must be left out.*/, '')}`,
      });
    this.unused.querySelector('ul').replaceChildren(...fields.map(item));
  }

  // sent returns the values without those that have no effect, which the server would refuse.
  sent() {
    return Object.fromEntries(
      Object.entries(this.given).filter(([name]) => !this.fields.get(name)?.field.inapplicable),
    );
  }

  // build creates the elements of a field.
  build(field) {
    const element = document.createElement('div');
    element.className = 'field';
    const id = this.command + '-' + field.name;
    const label = Object.assign(document.createElement('label'), { htmlFor: id });
    label.append(
      plain(field),
      ' ',
      Object.assign(document.createElement('span'), { className: 'name', textContent: field.name }),
    );
    const inputs = document.createElement('div');
    inputs.className = 'inputs';
    const input = document.createElement(field.kind === 'choice' ? 'select' : 'input');
    input.id = id;
    input.setAttribute('aria-describedby', `${id}-about ${id}-allowed ${id}-problem`);
    if (field.kind === 'choice') for (const name of field.options) input.append(new Option(name));
    if (field.kind === 'switch') input.type = 'checkbox';
    if (field.kind === 'text') Object.assign(input, { type: 'text', autocomplete: 'off', spellcheck: false });
    inputs.append(input);
    const about = Object.assign(document.createElement('small'), { id: id + '-about' });
    const problem = Object.assign(document.createElement('p'), { id: id + '-problem', className: 'problem' });
    problem.setAttribute('role', 'alert');
    const allowed = Object.assign(document.createElement('small'), {
      id: id + '-allowed',
      className: 'allowed',
    });
    element.append(label, inputs, problem, about, allowed);
    this.place(element, field);
    const f = { field, element, input, about, allowed, problem };
    if (this.sliders && ranges[field.name] && field.kind === 'text') this.addSlider(f, inputs);
    this.fields.set(field.name, f);
    const value = () => (input.type === 'checkbox' ? String(input.checked) : input.value.trim());
    input.addEventListener('input', () => this.take(f, value(), false));
    input.addEventListener('change', () => this.take(f, value(), true));
    this.write(f);
    return f;
  }

  // place puts a field into the form. In a form with sliders, most fields without a slider go into a separate
  // part.
  place(element, field) {
    const first = ranges[field.name] || ['model', 'attention', 'seed'].includes(field.name);
    if (!this.more || first) {
      element.classList.toggle('wide', field.kind === 'text');
      this.first.append(element);
      return;
    }
    element.classList.add('wide');
    this.more.append(element);
    this.element.append(this.more);
  }

  addSlider(f, inputs) {
    const range = f.field.activations ? this.strengths(f, inputs) : ranges[f.field.name];
    const absent = Number.isNaN(Number(f.field.default)) && !range.text ? f.field.default : '';
    f.scale = new Scale(range, absent);
    f.slider = Object.assign(document.createElement('input'), {
      type: 'range',
      min: f.scale.low,
      max: f.scale.high,
      step: f.scale.step,
    });
    f.slider.setAttribute('aria-label', f.field.name);
    const take = (step) => {
      f.input.value = f.scale.text(Number(f.slider.value));
      f.slider.setAttribute('aria-valuetext', f.input.value);
      this.take(f, f.input.value, step);
    };
    f.slider.addEventListener('input', () => take(false));
    f.slider.addEventListener('change', () => take(true));
    inputs.append(f.slider);
    const ends = document.createElement('small');
    ends.className = 'ends';
    const { low, high, logarithmic } = ranges[f.field.name];
    const unit = f.field.unit ? ' ' + f.field.unit : '';
    ends.textContent = `slider ${low} to ${high}${unit}${logarithmic ? ', logarithmic' : ''}`;
    inputs.after(ends);
  }

  // strengths returns the range of a slider for the strength of an MLP, and adds a choice of its activation.
  strengths(f, inputs) {
    f.choice = Object.assign(document.createElement('select'), { id: f.input.id + '-activation' });
    f.choice.setAttribute('aria-label', 'activation of the MLP');
    for (const name of f.field.activations) f.choice.append(new Option(name));
    f.choice.value = 'tanh';
    inputs.append(f.choice);
    const text = (c) =>
      c > 0 ? [f.choice.value, c, ...f.input.value.split(':').slice(2)].join(':') : f.field.default;
    f.choice.addEventListener('change', () => {
      f.input.value = text(strength(f.input.value));
      this.take(f, f.input.value, true);
    });
    return { ...ranges[f.field.name], text, value: strength };
  }

  // take records a value that a person has entered.
  async take(f, text, step) {
    const usual = this.start[f.field.name] ?? f.field.default;
    if (text === usual && !(f.field.name in this.start)) delete this.given[f.field.name];
    else this.given[f.field.name] = text;
    if (f.slider && document.activeElement !== f.slider) this.slide(f, text);
    if (await this.check()) this.changed(step);
  }

  slide(f, text) {
    const name = text.split(':')[0];
    if (f.field.activations?.includes(name)) f.choice.value = name;
    const at = f.scale.position(text);
    if (Number.isFinite(at)) f.slider.value = at;
    f.slider.setAttribute('aria-valuetext', text);
  }

  // write shows the value of a field.
  write(f) {
    const text = this.given[f.field.name] ?? f.field.value;
    if (f.input.type === 'checkbox') f.input.checked = text === 'true';
    else f.input.value = text;
    if (f.slider) this.slide(f, text);
  }

  // describe shows the server's description of a field.
  describe(f) {
    const { field } = f;
    f.element.hidden = Boolean(field.inapplicable);
    f.about.textContent = field.meaning + (field.unit ? ', in ' + field.unit : '');
    const bounds = field.kind === 'text' ? [field.allowed] : [];
    if (field.default && field.kind !== 'switch') bounds.push('default ' + field.default);
    f.allowed.textContent = bounds.join('; ');
    this.complain(field.name, field.problem);
  }

  // complain shows a mistake in a parameter, and returns whether the parameter has a field.
  complain(name, problem) {
    const f = this.fields.get(name);
    if (!f) return false;
    if (f.problem.textContent !== problem) f.problem.textContent = problem;
    f.input.setAttribute('aria-invalid', String(Boolean(problem)));
    return true;
  }
}
