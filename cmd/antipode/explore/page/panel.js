// One trajectory in Live: the tokens on the sphere, the map of the attention matrix, and the quantities that
// are drawn against time.

import { Sphere } from './sphere.js';
import { Strip } from './strips.js';
import { Matrix } from './matrix.js';
import { colour, mix } from './canvas.js';

const mostLines = 200; // largest number of tokens whose overlaps are drawn against time

export class Panel {
  // suffix is the end of the ids of the panel's elements.
  constructor(suffix) {
    const find = (name) => document.getElementById(name + suffix);
    this.elements = [find('panel'), find('strips')];
    this.title = this.elements[0].querySelector('h2');
    this.about = this.elements[1].querySelector('h2');
    this.energyTitle = this.elements[1].querySelector('.energy');
    this.sphere = new Sphere(find('sphere'));
    this.matrix = new Matrix(find('attention'));
    this.overlaps = new Strip(find('overlaps'), -1, 1, mix);
    this.energy = new Strip(find('energy'), 0, 1, () => colour('--ink'));
  }

  set hidden(hidden) {
    for (const element of this.elements) element.hidden = hidden;
  }

  // begin begins a new trajectory with the given number of tokens.
  begin(tokens, layers, depth) {
    const few = tokens <= mostLines;
    this.about.textContent = 'Overlap with token 1' + (few ? '' : `, of tokens 2 to ${mostLines + 1}`);
    this.energyTitle.textContent = 'Energy as a fraction of its largest value';
    this.energy.canvas.hidden = false;
    this.sphere.points = undefined; // so that there are no tails from another trajectory
    for (const strip of [this.overlaps, this.energy]) strip.begin(layers, layers / depth);
  }

  // add adds a frame to the quantities that are drawn against time.
  add(layer, f) {
    this.overlaps.add(layer, f.overlaps.slice(1, mostLines + 1));
    if (f.energy > 0) {
      this.energy.add(layer, [f.energy]);
    } else {
      this.energyTitle.textContent = 'With more than 1,000 tokens, energy is shown only in up to 4 dimensions';
      this.energy.canvas.hidden = true;
    }
  }

  // look shows a frame; points has the positions of its tokens, three numbers for each.
  look(f, points, joined) {
    this.sphere.show(points, f.overlaps, joined);
    this.matrix.show(f.weights, f.overlaps.length);
  }

  redraw() {
    this.overlaps.redraw();
    this.energy.redraw();
    this.sphere.draw();
    this.matrix.draw();
  }
}
