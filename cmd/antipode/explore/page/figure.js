// A figure of the program, with the values under the pointer or chosen by the arrow keys.

import { save } from './copy.js';

const near = 14; // distance in points within which a plotted value is taken

// Figure shows figures in an element.
export class Figure {
  constructor(element, name, chosen) {
    this.element = element;
    this.choose = chosen;
    this.image = Object.assign(document.createElement('img'), { alt: name, hidden: true, tabIndex: 0 });
    this.none = Object.assign(document.createElement('p'), { className: 'none', hidden: true });
    this.value = Object.assign(document.createElement('span'), { className: 'value', hidden: true });
    this.value.setAttribute('role', 'status');
    this.dot = Object.assign(document.createElement('span'), { className: 'dot', hidden: true });
    this.saving = document.createElement('p');
    this.saving.hidden = true;
    this.saving.append('Save the figure: ');
    for (const kind of ['SVG', 'PNG', 'CSV']) {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: kind });
      button.addEventListener('click', () => this.save(kind));
      this.saving.append(button, ' ');
    }
    this.here = Object.assign(document.createElement('p'), { className: 'here', hidden: true });
    this.picture = Object.assign(document.createElement('div'), { className: 'picture' });
    this.picture.append(this.image, this.value, this.dot);
    element.append(this.picture, this.none, this.here, this.saving);
    if (chosen) this.image.addEventListener('click', () => this.at && this.choose(...this.at));
    this.image.addEventListener('pointermove', (e) => this.point(e.offsetX, e.offsetY));
    this.image.addEventListener('pointerleave', () => this.point(-1, -1));
    this.image.addEventListener('blur', () => this.point(-1, -1));
    this.image.addEventListener('keydown', (e) => this.key(e));
    this.areas = [];
  }

  // show shows a figure that the server has sent; its promise resolves when the figure can be seen.
  async show({ svg, areas, none }) {
    this.areas = areas ?? [];
    this.none.textContent = none ?? '';
    this.none.hidden = Boolean(svg) || !none;
    this.image.hidden = this.saving.hidden = !svg;
    this.svg = svg;
    this.chosen = undefined;
    this.point(-1, -1);
    this.mark({});
    const before = this.image.src;
    if (svg) {
      this.image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
      await this.image.decode().catch(() => {}); // another figure may have come meanwhile
    }
    if (before) URL.revokeObjectURL(before);
  }

  // mark draws a ring at the given values, named by letters, in each diagram over two of them.
  mark(values) {
    for (const ring of this.picture.querySelectorAll('.ring')) ring.remove();
    this.here.hidden = true;
    if (this.image.hidden) return;
    for (const area of this.areas) {
      const [x, y] = [values[letter(area.x)], values[letter(area.y)]];
      if (!(x >= area.x.low && x <= area.x.high && y >= area.y.low && y <= area.y.high)) continue;
      const [left, top] = place(area, { X: x, Y: y }, 100, 100);
      const ring = Object.assign(document.createElement('span'), { className: 'ring' });
      Object.assign(ring.style, { left: left + '%', top: top + '%' });
      this.picture.append(ring);
      this.here.textContent =
        `The ring is the trajectory in Live: ${letter(area.x)} = ${digits(x)}, ` +
        `${letter(area.y)} = ${digits(y)}.`;
      this.here.hidden = false;
    }
  }

  // point shows the value at a position in the picture.
  point(x, y) {
    const { width, height } = this.image.getBoundingClientRect();
    const area = this.areas.find(
      (a) => x >= a.left * width && x <= a.right * width && y >= a.top * height && y <= a.bottom * height,
    );
    this.value.hidden = this.dot.hidden = !area;
    this.at = undefined;
    if (!area) return;
    let best = { distance: near, x: across(area, x / width), y: up(area, y / height), at: [x, y] };
    for (const p of area.points ?? []) {
      const at = place(area, p, width, height);
      const distance = Math.hypot(at[0] - x, at[1] - y);
      if (distance < best.distance) best = { distance, x: p.X, y: p.Y, at };
    }
    this.dot.hidden = best.distance >= near;
    this.at = [area, best.x, best.y];
    for (const [element, property, value] of [
      [this.value, 'left', best.at[0]],
      [this.value, 'top', best.at[1]],
      [this.dot, 'left', best.at[0]],
      [this.dot, 'top', best.at[1]],
    ])
      element.style[property] = value + 'px';
    const horizontal = `${short(area.x.label)} ${digits(best.x)}`;
    this.value.textContent = `${horizontal}, ${short(area.y.label)} ${digits(best.y)}`;
  }

  // save saves the figure, or the points in it.
  async save(kind) {
    if (kind === 'SVG') save(this.svg, 'figure.svg', 'image/svg+xml');
    if (kind === 'CSV') save(this.csv(), 'figure.csv', 'text/csv');
    if (kind !== 'PNG') return;
    const scale = 2; // pixels per point, for screens of high resolution
    const canvas = document.createElement('canvas');
    Object.assign(canvas, {
      width: scale * this.image.naturalWidth,
      height: scale * this.image.naturalHeight,
    });
    canvas.getContext('2d').drawImage(this.image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, 'figure.png'));
  }

  // csv returns the points of all plots as a table.
  csv() {
    const quoted = (text) => '"' + text.replaceAll('"', '""') + '"';
    const rows = this.areas.flatMap(({ title, x, y, points }) =>
      (points ?? []).map((p) => [quoted(title), quoted(x.label), p.X, quoted(y.label), p.Y].join()),
    );
    return ['plot,horizontal,x,vertical,y', ...rows].join('\n') + '\n';
  }

  // key handles the keys: arrows move from point to point, and Enter chooses the point.
  key(e) {
    if (e.key === 'Enter' && this.choose && this.at) this.choose(...this.at);
    const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    const all = this.areas.flatMap((area) => (area.points ?? []).map((p) => [area, p]));
    if (!by || all.length === 0) return;
    e.preventDefault();
    this.chosen = this.chosen === undefined ? 0 : (this.chosen + by + all.length) % all.length;
    const { width, height } = this.image.getBoundingClientRect();
    this.point(...place(...all[this.chosen], width, height));
  }
}

// letter returns the letter of an axis's parameter, if it is a parameter of trajectories.
export function letter(axis) {
  return /(?:^| )(d|β|ε|N)$/.exec(axis.label)?.[1];
}

// share returns where a value is along an axis, from 0 to 1; value is its inverse.
function share(axis, v) {
  return axis.logarithmic
    ? Math.log(v / axis.low) / Math.log(axis.high / axis.low)
    : (v - axis.low) / (axis.high - axis.low);
}
function value(axis, s) {
  return axis.logarithmic ? axis.low * (axis.high / axis.low) ** s : axis.low + s * (axis.high - axis.low);
}
function across(area, x) {
  return value(area.x, (x - area.left) / (area.right - area.left));
}
function up(area, y) {
  return value(area.y, (area.bottom - y) / (area.bottom - area.top));
}
function place(area, p, width, height) {
  return [
    width * (area.left + share(area.x, p.X) * (area.right - area.left)),
    height * (area.bottom - share(area.y, p.Y) * (area.bottom - area.top)),
  ];
}
function digits(x) {
  return String(Number(x.toPrecision(5)));
}
function short(label) {
  return (label || 'value') + ' =';
}
