// The attention matrix as a map: one row for each token, and one column for each token that it attends to.

import { colour, rgb } from './canvas.js';

export class Matrix {
  constructor(canvas) {
    this.canvas = canvas;
    this.section = canvas.closest('.attention');
    this.most = this.section.querySelector('.most');
  }

  // show shows the weights, row by row, of the given number of tokens; without weights it hides the map.
  show(weights, tokens) {
    this.section.hidden = weights.length === 0;
    Object.assign(this, { weights, tokens });
    this.draw();
  }

  draw() {
    const { weights, tokens, canvas } = this;
    if (!weights?.length) return;
    if (canvas.width !== tokens) canvas.width = canvas.height = tokens; // one pixel for each weight
    const context = canvas.getContext('2d');
    const image = context.createImageData(tokens, tokens);
    const most = weights.reduce((a, b) => Math.max(a, b));
    const [from, to] = [rgb(colour('--paper')), rgb(colour('--together'))];
    weights.forEach((weight, k) => {
      const share = Math.sqrt(weight / most); // so that small weights are visible too
      for (let c = 0; c < 3; c++) image.data[4 * k + c] = from[c] + share * (to[c] - from[c]);
      image.data[4 * k + 3] = 255;
    });
    context.putImageData(image, 0, 0);
    const text = `from 0 to ${Number(most.toPrecision(2))}`;
    if (this.most.textContent !== text) this.most.textContent = text;
  }
}
