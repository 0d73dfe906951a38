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

// Dot is the inner product of two rows, collected in 32 sums; sum is working memory.
func Dot(sum *Vector, x, y []Vector) float64 {
	active.dots(sum, x, y[:len(x)])
	return total(sum)
}

// Advance adds a multiple of change to a row, and returns the sum of its squares, collected as by
// Dot.
func Advance(sum *Vector, x, change []Vector, factor float64) (square float64) {
	active.advance(sum, x, change[:len(x)], factor)
	return total(sum)
}

// Rescale multiplies a row by a factor.
func Rescale(x []Vector, factor float64) { active.rescale(x, factor) }

// total is the sum of the numbers of a Vector.
func total(v *Vector) float64 {
	return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]))
}

func weightsGeneric(row []Vector, law *attentionParameters) {
	for v := range row {
		for k, product := range row[v] {
			row[v][k] = weight(law, product)
		}
	}
}

// dotsGeneric collects term k of a group of four in sum k, and those of the others in sum 0.
func dotsGeneric(sum *Vector, x, y []Vector) {
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
}

func advanceGeneric(sum *Vector, x, change []Vector, factor float64) {
	for v := range x {
		for k, c := range change[v] {
			x[v][k] = math.FMA(factor, c, x[v][k])
		}
	}
	dotsGeneric(sum, x, x)
}

func rescaleGeneric(x []Vector, factor float64) {
	for v := range x {
		for k := range x[v] {
			x[v][k] = float64(x[v][k] * factor)
		}
	}
}
