package kernels

import "math"

// A row of a Matrix consists of whole Vectors, whose numbers belong to one trajectory. Numbers after the last
// column of a Matrix are 0.

// AddDots adds the entrywise products of some rows of the matrix with y to sums. Each row has four sums,
// which are Vectors. The argument sums determines the rows: AddDots takes len(sums)/4 rows of the matrix,
// from row first on. The products of Vector k of a row are added to sum k%4. Up to three Vectors may be left
// over at the end of a row; their products are added to the first sum. If a row is added in several parts,
// only the last part may have Vectors left over, as otherwise the sums would depend on the division into
// parts.
func (m *Matrix) AddDots(sums []Vector, first int, y []Vector) {
	active().addDots(sums, m.from(first), m.width, y)
}

// Totals sets every entry of dst to the sum of all numbers of four Vectors of sums. The argument work is
// working memory, one Vector for each entry of dst.
func Totals(dst []float64, sums, work []Vector) {
	work = work[:len(dst)]
	active().collect(work, sums)
	totals(dst, work)
}

// Advance adds factors[i] times row first+i of change to row first+i of m. Advance sets squares[i] to the sum
// of the squares of the resulting row, which is computed by 32 partial sums.
func (m *Matrix) Advance(squares []float64, first int, change *Matrix, factors []float64, work []Vector) {
	work = work[:len(factors)]
	active().advance(work, m.from(first), m.width, change.from(first), change.width, m.used(), factors)
	totals(squares, work)
}

// Rescale multiplies row first+i of the matrix by factors[i].
func (m *Matrix) Rescale(first int, factors []float64) {
	active().rescale(m.from(first), m.width, m.used(), factors)
}

// from returns the rows of the matrix from the given row on.
func (m *Matrix) from(row int) []Vector { return m.vectors[row*m.width:] }

// used returns the number of Vectors of a row that hold columns of the matrix.
func (m *Matrix) used() int { return Width(m.columns) }

// Combine sets dst to α·a∘b - γ·c∘d, where ∘ is the entrywise product of rows of the same length. Combine is
// a step of a three-term recurrence. The row dst may be one of the rows a, b, c and d.
func Combine(dst []Vector, alpha float64, a, b []Vector, gamma float64, c, d []Vector) {
	active().combine(dst, alpha, a, b, gamma, c, d)
}

func totals(dst []float64, sums []Vector) {
	for k := range dst {
		dst[k] = total(&sums[k])
	}
}

// total returns the sum of the eight numbers of a Vector.
func total(v *Vector) float64 {
	return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]))
}

func addDotsGeneric(sums, x []Vector, width int, y []Vector) {
	for i := range len(sums) / 4 {
		addDot((*[4]Vector)(sums[4*i:]), x[i*width:][:len(y)], y)
	}
}

// addDot adds the entrywise products of Vectors of x and y to four sums: product k of every group of four is
// added to sum k, and products left over are added to sum 0.
func addDot(sums *[4]Vector, x, y []Vector) {
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
}

func collectGeneric(dst, sums []Vector) {
	for i := range dst {
		for lane := range 8 {
			a, b, c, d := sums[4*i][lane], sums[4*i+1][lane], sums[4*i+2][lane], sums[4*i+3][lane]
			dst[i][lane] = (a + b) + (c + d)
		}
	}
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
		var squares [4]Vector
		addDot(&squares, row, row)
		collectGeneric(sums[i:i+1], squares[:])
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

func combineGeneric(dst []Vector, alpha float64, a, b []Vector, gamma float64, c, d []Vector) {
	for v := range dst {
		for k := range 8 {
			subtracted := float64(float64(gamma*c[v][k]) * d[v][k])
			dst[v][k] = math.FMA(float64(alpha*a[v][k]), b[v][k], -subtracted)
		}
	}
}
