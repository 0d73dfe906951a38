package selfattention

import (
	"fmt"
	"math"

	"antipode/sphere"
)

// Tokens advances eight trajectories of recursion (4), X_i ← normalise(X_i + L^{-1/2} V A_i), side by side in
// the lanes of Vectors. The interaction matrix B of the attention A_i is the identity. Step does not
// allocate.
//
// After a step the norm of each token differs from 1 by at most (4+√d)·2^-53. Tokens that coincide bit for
// bit stay coincident; if N = 2, two opposite tokens of equal mass stay opposite bit for bit.
type Tokens struct {
	X      []Vector // tokens, N rows of d coordinates
	Masses []Vector // number of tokens that each row stands for: at least 1, or 0 for an unused row

	attention     *Attention
	n, d, rank    int
	scale         float64  // scale L^{-1/2} of the noise of a layer
	field, work   []Vector // attention A_i; working memory of N(d+1)
	basis, before []Vector // basis of the span of the A_i, rank×d, and squared lengths; nil if N = 2
	coefficients  []Vector // coefficients of the A_i in the basis, N×rank
	matrix        []Vector // value matrix V, d×d, or V times the basis, d×rank
	good          [][2]uint8
	mlp           *Feedforward // MLP of every layer; nil for no MLP
}

// NewTokens returns N tokens of dimension d for depth L = 1/scale². With reduced and N < d, the value matrix
// V is sampled only on an orthonormal basis of the span of the A_i, which is correct only if V is Gaussian.
// The caller writes the initial tokens to the field X.
func NewTokens(n, d int, scale float64, attention *Attention, reduced bool) *Tokens {
	t := &Tokens{attention: attention, n: n, d: d, rank: d, scale: scale, good: make([][2]uint8, n)}
	if reduced {
		t.rank = min(n, d)
	}
	t.X, t.field = make([]Vector, n*d), make([]Vector, n*d)
	t.Masses, t.work = make([]Vector, n), make([]Vector, n*(d+1))
	t.matrix = make([]Vector, d*t.rank)
	if t.rank < d {
		t.coefficients = make([]Vector, n*t.rank)
		if n != 2 {
			t.basis, t.before = make([]Vector, t.rank*d), make([]Vector, 1)
		}
	}
	for i := range t.Masses {
		for k := range t.Masses[i] {
			t.Masses[i][k] = 1
		}
	}
	return t
}

// Resize changes the number of rows to n, which must not exceed the number given to NewTokens. If the value
// matrix V is sampled on a basis, Resize panics unless n is the current number, since the size of the basis
// depends on the number of rows.
func (t *Tokens) Resize(n int) {
	if t.rank < t.d && n != t.n {
		panic("selfattention: tokens whose rank depends on their number")
	}
	t.n = n
	t.X, t.field = t.X[:n*t.d], t.field[:n*t.d]
	t.Masses, t.work, t.good = t.Masses[:n], t.work[:n*(t.d+1)], t.good[:n]
}

// Step advances the trajectories of all lanes by one layer. The function draw fills the entries of the value
// matrices with random numbers, which differ from lane to lane. An error of Step names a lane in which a
// token has become zero or is not finite.
func (t *Tokens) Step(draw func(matrix []Vector)) error {
	t.attention.Field(t.field, t.work, t.X, t.Masses, t.d)
	draw(t.matrix)
	coefficients := t.field
	if t.rank < t.d {
		t.orthogonalize()
		coefficients = t.coefficients
	}
	m := t.mlp
	if m != nil && !m.InSequence {
		hidden := m.of(t.X, t.n, t.d)
		active().addProducts(t.X, m.second, hidden, t.n, t.d, m.Width, m.Scale)
	}
	if err := t.retract(t.matrix, coefficients, t.rank, t.scale); err != nil || m == nil || !m.InSequence {
		return err
	}
	return t.retract(m.second, m.of(t.X, t.n, t.d), m.Width, m.Scale)
}

// retract adds, to each token, scale times the product of the matrix and the coefficients of the token, and
// normalises the token. The matrix has d rows and r columns.
func (t *Tokens) retract(matrix, coefficients []Vector, r int, scale float64) error {
	clear(t.good)
	active().retract(t.X, matrix, coefficients, t.good, t.d, r, scale)
	for i, halves := range t.good {
		if good := halves[0] | halves[1]<<4; good != 0xff {
			if err := t.normalizeExtreme(i, good); err != nil {
				return err
			}
		}
	}
	return nil
}

// normalizeExtreme normalises token i in the lanes that are not good. In these lanes the squared norm of the
// token is near the ends of the range of float64, or outside of this range.
func (t *Tokens) normalizeExtreme(i int, good uint8) error {
	x := make([]float64, t.d)
	for lane := range 8 {
		if good>>lane&1 == 1 {
			continue
		}
		for k := range x {
			x[k] = t.X[i*t.d+k][lane]
		}
		if norm := sphere.Normalize(x, x); !(norm > 0 && norm <= math.MaxFloat64) {
			return fmt.Errorf("lane %d: token %d has norm %v and no direction", lane, i, norm)
		}
		for k := range x {
			t.X[i*t.d+k][lane] = x[k]
		}
	}
	return nil
}

func addProductsGeneric(x, matrix, coefficients []Vector, n, d, r int, scale float64) {
	for i := range n {
		token, c := x[i*d:(i+1)*d], coefficients[i*r:(i+1)*r]
		for lane := range 8 {
			for k := range token {
				token[k][lane] = math.FMA(scale, dot(c, matrix[k*r:(k+1)*r], lane), token[k][lane])
			}
		}
	}
}

func retractGeneric(x, matrix, coefficients []Vector, good [][2]uint8, d, r int, scale float64) {
	for i := range good {
		token, c := x[i*d:(i+1)*d], coefficients[i*r:(i+1)*r]
		good[i] = [2]uint8{}
		for lane := range 8 {
			for k := range token {
				token[k][lane] = math.FMA(scale, dot(c, matrix[k*r:(k+1)*r], lane), token[k][lane])
			}
			square := partialSums(token, token, lane)
			if !(0x1p-900 <= square && square <= 0x1p900) {
				continue
			}
			good[i][lane/4] |= 1 << (lane % 4)
			factor := 1 / math.Sqrt(square)
			for k := range token {
				token[k][lane] = float64(token[k][lane] * factor)
			}
		}
	}
}

// partialSums returns the inner product of two vectors in a lane. The terms of the inner product are taken in
// groups of eight, then of four, two and one; term k of a group is added to partial sum k%4. The four partial
// sums are added at the end.
func partialSums(x, y []Vector, lane int) float64 {
	var sums [4]float64
	for group, start := 8, 0; group > 0; group /= 2 {
		for ; start+group <= len(x); start += group {
			for k := range group {
				sums[k%4] = math.FMA(x[start+k][lane], y[start+k][lane], sums[k%4])
			}
		}
	}
	return (sums[0] + sums[1]) + (sums[2] + sums[3])
}
