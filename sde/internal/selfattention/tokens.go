package selfattention

import (
	"fmt"
	"math"

	"antipode/sphere"
)

// Tokens advances eight trajectories of recursion (4), X_i ← normalise(X_i + L^{-1/2} V A_i), in lanes, with
// B = I. Step does not allocate.
//
// After a step each norm differs from 1 by at most (4+√d)·2^-53. Rows that coincide bit for bit stay
// coincident; if N = 2, two opposite rows of equal mass stay opposite bit for bit.
type Tokens struct {
	X      []Vector // the tokens, N rows of d coordinates
	Masses []Vector // number of tokens that each row stands for: 1, or more, or 0 for an unused row

	attention     *Attention
	n, d, rank    int
	scale         float64  // L^{-1/2}
	field, work   []Vector // work is N(d+1)
	basis, before []Vector // basis of the fields' span, rank×d; before: a square; both nil if N = 2
	coefficients  []Vector // of the fields in the basis, N×rank
	matrix        []Vector // V, d×d, or V times the basis, d×rank
	good          [][2]uint8
	mlp           *Feedforward // nil for none
}

// NewTokens returns N tokens of dimension d for depth L = 1/scale². If reduced is set and N < d, V is drawn
// only on an orthonormal basis of the span of the A_i. This is correct only if V is Gaussian. The caller
// writes the initial tokens to X.
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

// Resize changes the number of rows to n, which must not exceed the number given to NewTokens. If V is drawn
// on a basis, Resize panics unless n is the current number, since the size of the basis depends on the number
// of rows.
func (t *Tokens) Resize(n int) {
	if t.rank < t.d && n != t.n {
		panic("selfattention: tokens whose rank depends on their number")
	}
	t.n = n
	t.X, t.field = t.X[:n*t.d], t.field[:n*t.d]
	t.Masses, t.work, t.good = t.Masses[:n], t.work[:n*(t.d+1)], t.good[:n]
}

// Step advances all lanes by one layer. draw fills the entries of the value matrices, for the addresses of
// the lanes. An error names a lane in which a token has become zero or is not finite.
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

// retract adds scale·(matrix times the token's coefficients) to each token, and normalises the token. The
// matrix has d rows and r columns.
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

// normalizeExtreme normalises token i in the lanes that are not good. There its squared norm is near the ends
// of the range of float64, or outside it.
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

// partialSums returns the inner product of two vectors in a lane. Terms are taken in groups of eight, then of
// four, two and one; term k of a group is added to sum k%4. The four sums are added at the end.
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
