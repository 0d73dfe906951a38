// A tour in five steps above the views. Each step has a short text, shows something in a view, and asks the
// person to do one thing.

import { recall, store } from './memory.js';

const terms = {
  token:
    'A vector of length 1, that is, a point on a sphere. Normalisation in a Transformer gives tokens ' +
    'a fixed length.',
  overlap: 'The inner product of two tokens: 1 if they are equal, -1 if they are opposite.',
  'inverse temperature':
    'β, the factor of the attention scores. The larger it is, the more a token attends to itself and ' +
    'to similar tokens.',
  dimension: 'd, the number of components of a token.',
  layer: 'Attention with a new random value matrix, added to each token, and normalisation.',
  'noise amplitude': 'ε, the factor of the random part of a value.',
  drift: 'The motion without noise: each token moves towards the tokens to which it attends.',
  MLP: 'A layer of neurons with random weights, the same for all tokens, beside attention.',
  odd: 'φ(-x) = -φ(x): opposite tokens stay opposite.',
};

// Text in [brackets] is a term, with a definition in terms.
const steps = [
  {
    title: 'Two tokens meet, or oppose each other',
    text:
      'Every [layer] moves both [token]s by the same random matrix. In the end they coincide, or they ' +
      'are exactly opposite. How many pairs end opposite in three [dimension]s at β = 1?',
    address: '#live?tokens=2&dim=3&beta=1&horizon=30&depth=30',
    guess: true,
    done: (_, ensemble) => ensemble?.end && ensemble.expected,
    then: (ensemble, guess) =>
      `Your guess was ${guess} %. The theory gives ${(100 * ensemble.expected.antipodal).toFixed(1)} %, and ` +
      `${ensemble.shares[ensemble.outcomes.indexOf('antipodal')].count} of these ` +
      `${ensemble.tracks.length} pairs ended opposite.`,
  },
  {
    title: 'A boundary: cosh 2β = d - 2',
    text:
      'In more [dimension]s a small [inverse temperature] leads to no opposite pairs at all. Move ' +
      'β (beta) to the right, until an [overlap] of -1 attracts.',
    address: '#theory?dim=5&beta=0.4',
    done: ({ beta = 1, dim = 4 }) => Math.cosh(2 * beta) > dim - 2,
    then: () => 'Opposite pairs attract from here on: cosh 2β has passed d - 2.',
  },
  {
    title: 'Many tokens',
    text:
      'Fifty [token]s first gather in a few clusters. These merge to two opposite clusters, or to ' +
      'one. Make β smaller than 1, and watch which of these happens.',
    address: '#live?tokens=50&beta=4&horizon=30',
    done: ({ beta = 4 }) => Number(beta) < 1,
    then: () =>
      'With a small β a token attends to near and far tokens almost equally, and all tokens end in ' +
      'one cluster.',
  },
  {
    title: 'Noise against drift',
    text:
      'In the hybrid model a [drift] pulls the two [token]s together, and a random factor moves ' +
      'them in both directions. Raise the [noise amplitude] (epsilon) to 1.5.',
    address: '#live?model=hybrid&tokens=2&dim=3&beta=1&law=rademacher&epsilon=0.3&horizon=30&many=100',
    done: ({ epsilon }) => Number(epsilon) >= 1.5,
    then: () => 'The noise is now stronger than the drift, and most pairs end opposite.',
  },
  {
    title: 'What an MLP does',
    text:
      'A random [MLP] beside attention moves the boundary if its activation is [odd], such as ' +
      'tanh. Choose relu, which is not odd.',
    address: '#live?tokens=2&dim=4&beta=2&depth=50&horizon=30&mlp=tanh:0.5&many=100',
    done: ({ mlp = '' }) => mlp.startsWith('relu'),
    then: () => 'Opposite tokens do not stay opposite: in the end there is one cluster, for every β.',
  },
];

export class Tour {
  // go is called with the number of a step and its address.
  constructor(go) {
    this.go = go;
    this.step = 0;
    this.element = document.getElementById('tour');
    this.find = (selector) => this.element.querySelector(selector);
    const visited = recall('visited');
    store('visited', 'yes');
    this.invited = !visited && !location.hash;
    this.find('.back').addEventListener('click', () => this.begin(this.step - 1));
    this.find('.next').addEventListener('click', () => this.begin(this.step + 1));
    this.find('.leave').addEventListener('click', () => this.leave());
    document.getElementById('tourLink').addEventListener('click', () => this.begin(1));
    this.find('.reveal').addEventListener('click', () => this.reveal());
    this.find('#guess').addEventListener('input', () => this.say());
  }

  begin(step) {
    if (step > steps.length) {
      this.leave();
      return;
    }
    this.invited = false;
    this.go(step, `${steps[step - 1].address}&tour=${step}`);
    this.find('h2').focus();
  }

  // leave ends the tour and stays at the current view.
  leave() {
    this.invited = false;
    this.go(0, location.hash.replace(/[?&]tour=\d/, '') || '#live');
    document.getElementById('tourLink').focus();
  }

  // show shows a step; 0 means none.
  show(step, values) {
    const known = steps[step - 1];
    const fresh = this.step !== step;
    this.step = known ? step : 0;
    this.element.hidden = !known && !this.invited;
    this.find('.choices').hidden = !known?.guess;
    for (const name of ['.back', '.count']) this.find(name).hidden = !known;
    this.find('.back').disabled = step <= 1;
    this.find('.next').textContent = known
      ? step === steps.length
        ? 'End the tour'
        : 'Next'
      : 'Take the tour';
    this.find('.leave').hidden = known && step === steps.length;
    this.find('.leave').textContent = known ? 'Leave the tour' : 'No, thanks';
    this.find('.count').textContent = `Step ${step} of ${steps.length}`;
    if (!fresh && known) {
      this.changed('', values);
      return;
    }
    this.find('.then').textContent = '';
    if (known) {
      this.find('h2').textContent = known.title;
      this.find('.lead').replaceChildren(...marked(known.text));
      this.changed('', values);
    } else {
      this.find('h2').textContent = 'What happens to tokens in a deep random Transformer?';
      this.find('.lead').textContent = 'Five short steps show it, each with one thing to do.';
    }
    if (known?.guess) {
      this.find('#guess').value = 50;
      this.say();
    }
  }

  say() {
    this.find('#guessText').textContent = this.find('#guess').value + ' %';
  }

  reveal() {
    this.go(this.step, `${steps[this.step - 1].address}&many=200&tour=${this.step}`);
  }

  // changed records the values of a view.
  changed(_, values) {
    this.values = values;
    this.look();
  }

  // told records the state of an ensemble.
  told(ensemble) {
    this.ensemble = ensemble;
    this.look();
  }

  // look shows the text for a completed step, if what it asks for has been done.
  look() {
    const known = steps[this.step - 1];
    if (!known?.done(this.values ?? {}, this.ensemble)) return;
    const text = known.then(this.ensemble, this.find('#guess').value);
    if (this.find('.then').textContent !== text) this.find('.then').textContent = text;
  }
}

// marked returns a text as a list of elements, in which terms show their definitions.
let tips = 0;
function marked(text) {
  return text.split(/\[|\]/).map((part, k) => {
    if (k % 2 === 0) return part;
    const id = 'term-' + ++tips;
    const term = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'term',
      textContent: part,
    });
    const tip = Object.assign(document.createElement('span'), {
      id,
      className: 'tip',
      textContent: terms[part],
    });
    tip.setAttribute('role', 'tooltip');
    term.setAttribute('aria-describedby', id);
    term.addEventListener('keydown', (e) => {
      if (e.key === 'Escape') term.blur();
    });
    const both = Object.assign(document.createElement('span'), { className: 'explained' });
    both.append(term, tip);
    return both;
  });
}
