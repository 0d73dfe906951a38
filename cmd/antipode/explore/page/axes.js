// The axes along which tokens of more than three dimensions are shown, and the coordinates of tokens along
// them.

// axesOf returns the three axes that were chosen (two of them span a plane of two dimensions): the principal
// axes, or unit vectors by their numbers. The iteration for principal axes starts from the axes of the frame
// before.
export function axesOf(chosen, x, dim, before) {
  if (chosen === 'principal') return principal(x, dim, before);
  return chosen.split(' ').map((k) => unit(dim, Number(k) - 1));
}

// pointsOf returns the coordinates of all tokens along the axes, three numbers for each token.
export function pointsOf(axes, x, dim) {
  const tokens = x.length / dim;
  const points = new Float64Array(3 * tokens);
  for (let i = 0; i < tokens; i++) {
    axes.forEach((axis, k) => {
      points[3 * i + k] = product(axis, x, i * dim);
    });
  }
  return points;
}

// principal returns the three axes along which the tokens extend the most. They are found by one step of
// orthogonal iteration from the axes of the frame before, so that they turn without jumps.
function principal(x, dim, before) {
  let axes = before ?? [0, 1, 2].map((k) => unit(dim, k));
  for (let round = before ? 1 : 30; round > 0; round--) {
    axes = axes.map((axis) => {
      const image = new Float64Array(dim);
      for (let i = 0; i < x.length; i += dim) {
        const c = product(axis, x, i);
        for (let k = 0; k < dim; k++) image[k] += c * x[i + k];
      }
      // This keeps the axes independent if the tokens span no more than a line.
      for (let k = 0; k < dim; k++) image[k] += 1e-3 * axis[k];
      return image;
    });
    orthonormalise(axes);
  }
  return axes;
}

function unit(dim, k) {
  const axis = new Float64Array(dim);
  axis[k] = 1;
  return axis;
}

function product(axis, x, from) {
  let sum = 0;
  for (let k = 0; k < axis.length; k++) sum += axis[k] * x[from + k];
  return sum;
}

function orthonormalise(axes) {
  axes.forEach((axis, i) => {
    for (const other of axes.slice(0, i)) {
      const c = product(other, axis, 0);
      for (let k = 0; k < axis.length; k++) axis[k] -= c * other[k];
    }
    const norm = Math.sqrt(product(axis, axis, 0));
    for (let k = 0; k < axis.length; k++) axis[k] /= norm;
  });
}
