package selfattention

import "math"

// orthogonalize finds the coefficients of the attention fields A_i of the tokens in an orthonormal basis of
// their span, by the Gram-Schmidt method. orthogonalize overwrites the attention fields. All fields are
// treated alike, so that equal fields get equal coefficients. Each direction of the basis is made orthogonal
// to the earlier directions twice. If only rounding errors are left after the second time, the direction is
// replaced by 0. (The Cholesky factor of the Gram matrix would lose half of the digits of the differences of
// nearly coincident tokens.)
func (t *Tokens) orthogonalize() {
	d := t.d
	if t.n == 2 {
		active().pairCoefficients(t.coefficients, t.field, d)
		return
	}
	for k := range t.rank {
		q := t.basis[k*d : (k+1)*d]
		copy(q, t.field[k*d:(k+1)*d])
		active().direction(q, t.before, d, 1)
		for j := range k {
			active().project(q, t.work, t.basis[j*d:(j+1)*d], 1, d, 0)
		}
		active().direction(q, t.before, d, 0)
		active().project(t.field, t.coefficients[k:], q, t.n, d, t.rank)
	}
}

func projectGeneric(a, coefficients, q []Vector, n, d, stride int) {
	for i := range n {
		vector := a[i*d : (i+1)*d]
		for lane := range 8 {
			c := partialSums(vector, q, lane)
			coefficients[i*stride][lane] = c
			for k := range vector {
				vector[k][lane] = math.FMA(-c, q[k][lane], vector[k][lane])
			}
		}
	}
}

// isDirection reports whether a vector consists of more than rounding errors, given its squared lengths
// before and after it was made orthogonal a second time.
func isDirection(before, square float64) bool {
	return float64(before*0x1p-20) < square && 0x1p-900 <= square
}

func directionGeneric(q, before []Vector, d, fresh int) {
	for lane := range 8 {
		square := partialSums(q[:d], q[:d], lane)
		if fresh != 0 {
			before[0][lane] = square
			continue
		}
		factor := 0.0
		if isDirection(before[0][lane], square) {
			factor = 1 / math.Sqrt(square)
		}
		for k := range d {
			q[k][lane] = float64(q[k][lane] * factor)
		}
	}
}

func pairCoefficientsGeneric(coefficients, vectors []Vector, d int) {
	a, b := vectors[:d], vectors[d:2*d]
	for lane := range 8 {
		square, product := partialSums(a, a, lane), partialSums(a, b, lane)
		inverse, ratio := 0.0, 0.0
		if 0x1p-900 <= square {
			inverse, ratio = 1/math.Sqrt(square), product/square
		}
		coefficients[0][lane] = float64(square * inverse)
		coefficients[1][lane] = 0
		coefficients[2][lane] = float64(product * inverse)
		for k := range d {
			b[k][lane] = math.FMA(-ratio, a[k][lane], b[k][lane])
		}
		square = partialSums(b, b, lane)
		along := float64(partialSums(a, b, lane) * inverse)
		beside := math.FMA(-along, along, square)
		coefficients[3][lane] = 0
		if isDirection(square, beside) {
			coefficients[3][lane] = math.Sqrt(beside)
		}
	}
}
