package kernels

import "math"

// Rows of matrices are kept in whole Vectors, whose numbers belong to one trajectory: what lies
// beyond the last column is 0.

// Weigh replaces the products of pairs of unit tokens by their weights: e^{βz} times a factor
// that all have in common. It may be used if HasWeights.
func (a *Attention) Weigh(row []Vector) { active.weights(row, &a.law) }

// HasWeights reports whether β is small enough for the weights of all pairs to be in the range of
// float64.
func (a *Attention) HasWeights() bool { return a.law[0][0] <= largestWeightScale }

// Factor is what a sum of tokens, weighted by Weigh, is to be multiplied by, given the sum of
// their weights.
func (a *Attention) Factor(total float64) float64 { return factor(&a.law, total) }

// AddDots adds the products of as many rows, from first on, and y, collected in 32 sums, to sums, a Vector
// for each row.
func (m *Matrix) AddDots(sums []Vector, first int, y []Vector) {
	active.addDots(sums, m.from(first), m.width, y)
}

// Total is the sum of the numbers of a Vector.
func Total(v *Vector) float64 {
	return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]))
}

// Advance adds multiples of the same rows of change to as many rows as there are factors, from first on, and
// sets squares to the sums of their squares, each collected in 32 sums.
func (m *Matrix) Advance(squares []float64, first int, change *Matrix, factors []float64, work []Vector) {
	work = work[:len(factors)]
	active.advance(work, m.from(first), m.width, change.from(first), change.width, m.used(), factors)
	totals(squares, work)
}

// Rescale multiplies as many rows as there are factors, from first on.
func (m *Matrix) Rescale(first int, factors []float64) {
	active.rescale(m.from(first), m.width, m.used(), factors)
}

// from is the rows from one on.
func (m *Matrix) from(row int) []Vector { return m.vectors[row*m.width:] }

// used is the number of Vectors of a row that have columns.
func (m *Matrix) used() int { return Width(m.columns) }

func totals(dst []float64, sums []Vector) {
	for k := range dst {
		dst[k] = Total(&sums[k])
	}
}

func weightsGeneric(row []Vector, law *attentionParameters) {
	for v := range row {
		for k, product := range row[v] {
			row[v][k] = weight(law, product)
		}
	}
}

func addDotsGeneric(sums, x []Vector, width int, y []Vector) {
	for i := range sums {
		dot := dotGeneric(x[i*width:][:len(y)], y)
		for lane := range 8 {
			sums[i][lane] = dot[lane] + sums[i][lane]
		}
	}
}

// dotGeneric collects term k of a group of four in sum k, and those of the others in sum 0.
func dotGeneric(x, y []Vector) (sum Vector) {
	var sums [4]Vector
	for group, start := 4, 0; group > 0; group /= 4 {
		for ; start+group <= len(x); start += group {
			for k := range group {
				to, a, b := &sums[k], &x[start+k], &y[start+k]
				for lane := range 8 {
					to[lane] = math.FMA(a[lane], b[lane], to[lane])
				}
			}
		}
	}
	for lane := range 8 {
		sum[lane] = (sums[0][lane] + sums[1][lane]) + (sums[2][lane] + sums[3][lane])
	}
	return sum
}

func advanceGeneric(
	sums, x []Vector, width int, change []Vector, changeWidth, vectors int, factors []float64,
) {
	for i, factor := range factors {
		row, beside := x[i*width:][:vectors], change[i*changeWidth:]
		for v := range row {
			for k, c := range beside[v] {
				row[v][k] = math.FMA(factor, c, row[v][k])
			}
		}
		sums[i] = dotGeneric(row, row)
	}
}

func rescaleGeneric(x []Vector, width, vectors int, factors []float64) {
	for i, factor := range factors {
		for v := range vectors {
			for k, number := range x[i*width+v] {
				x[i*width+v][k] = float64(number * factor)
			}
		}
	}
}
