// Package attention computes the attention field of one trajectory's tokens, and its derivative along changes
// of the tokens. For a few tokens it uses loops. For more tokens it uses package fields and matrix products.
package attention

import (
	"math"
	"slices"

	"antipode/sde/internal/fields"
	"antipode/sde/internal/linear"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// Settings determine the attention of N tokens of dimension d. If there is a Kernel, the attention has no
// derivative.
type Settings struct {
	fields.Attention
	// Spread S adds S x_iᵀG x_j to the scores, where the random matrix G is sampled independently in each
	// layer. Spread 0 adds nothing.
	Spread float64
	// Keys is the number k of key dimensions. If k > 0, G = QᵀK/√k with k×d matrices Q and K of independent
	// standard normal entries. If k = 0, G itself has independent standard normal entries.
	Keys int
}

// Attention computes the attention field of a configuration. Scores are s_ij = β x_iᵀ B x_j with B = QᵀK. An
// Attention reuses working memory: it does not allocate, and must not be used concurrently.
//
// Tokens that coincide bit for bit get the same field bit for bit, and two opposite tokens get opposite
// fields. For this, sums run over the tokens in their order, without fused operations: an exchange of two
// terms, or a change of all signs, then changes no rounding. For many tokens or dimensions the field is
// computed by matrix products, and opposite tokens get opposite fields up to rounding.
type Attention struct {
	softmax     bool
	kernel      func(weights []float64, i int) // if not nil, replaces softmax and beta
	beta        float64
	interaction []float64     // B, d×d, row-major; nil is the identity
	count       float64       // N
	n, d        int           // current number n of tokens, at most N
	masses      []float64     // masses of the current tokens, with sum N
	scores      []float64     // N×N
	keys        []float64     // B x_j, N×d, unless B is the identity
	random      *randomScores // added to the scores; nil if there are none
	large       *large        // replaces scores and keys for many tokens or dimensions
}

// New returns the attention of tokens, computed by the faster method.
func New(s Settings) *Attention {
	if !s.ByFields() || s.Kernel != nil {
		return NewByLoops(s)
	}
	a := blank(s)
	a.large = newLarge(s)
	return a
}

// NewByLoops returns attention that is computed by loops, whatever the number of tokens.
func NewByLoops(s Settings) *Attention {
	a := blank(s)
	a.scores = make([]float64, s.Count*s.Count)
	if a.interaction != nil {
		a.keys = make([]float64, s.Count*s.Dim)
	}
	if s.Spread != 0 {
		a.random, a.beta = newRandomScores(s), 1 // as products then returns complete scores
	}
	return a
}

// blank returns attention without working memory.
func blank(s Settings) *Attention {
	return &Attention{
		softmax: s.Softmax, kernel: s.Kernel, beta: s.Beta, interaction: s.Interaction,
		count: float64(s.Count), n: s.Count, d: s.Dim,
		masses: slices.Repeat([]float64{1}, s.Count),
	}
}

// ByFields reports whether attention without a Kernel is computed faster by vector instructions and matrix
// products than by loops, in the geometric mean over models and schemes.
func (s Settings) ByFields() bool {
	const many, numbers = 8, 120
	return s.Spread == 0 && (s.Sum == fields.Harmonics || s.Count >= many || s.Count > 2 &&
		float64(s.Count)*float64(s.Dim) >= numbers)
}

// Bytes returns the memory of the attention, and of its derivative if that is needed.
func (s Settings) Bytes(derives bool) float64 {
	tokens, dim := float64(s.Count), float64(s.Dim)
	switch {
	case !s.ByFields():
		return 8 * float64(tokens*tokens)
	case derives:
		return fields.Bytes(tokens, dim, 1) + float64(largeDerivativeBytes(tokens, dim))
	}
	return fields.Bytes(tokens, dim, 1)
}

// Shape returns the current number of tokens and d.
func (a *Attention) Shape() (tokens, dim int) { return a.n, a.d }

// ByProducts reports whether the attention is computed by matrix products, so that Multiply is available.
func (a *Attention) ByProducts() bool { return a.large != nil }

// Numbers returns the standard normal numbers of the random scores, which must be set before each layer: the
// entries of G, d×d, or those of Q and K, k×d each; nil without random scores.
func (a *Attention) Numbers() []float64 {
	if a.random == nil {
		return nil
	}
	return a.random.numbers
}

// SetMasses sets the number of tokens of the following calls, and how many coinciding tokens each of them
// stands for.
func (a *Attention) SetMasses(masses []float64) { a.n, a.masses = len(masses), masses }

// Field writes the attention field A (N×d) of the tokens x to dst.
func (a *Attention) Field(dst, x []float64) {
	if a.large != nil {
		a.large.attend(dst, x, a.masses)
		return
	}
	a.products(x)
	for i := range a.n {
		row := a.scores[i*a.n : (i+1)*a.n]
		a.average(dst[i*a.d:(i+1)*a.d], row, x, i)
	}
}

// Weights writes the coefficients of x_j in A_i, as entries (i, j) of an N×N matrix (row-major), to dst. The
// attention must be computed by loops.
func (a *Attention) Weights(dst, x []float64) {
	a.products(x)
	for i := range a.n {
		row := a.scores[i*a.n : (i+1)*a.n]
		scale := 1 / a.weigh(row, i)
		for j, weight := range row {
			dst[i*a.n+j] = float64(weight * scale)
		}
	}
}

// Multiply writes the products of a square matrix (row-major) with each of the rows of vectors to dst, by
// matrix products.
func (a *Attention) Multiply(dst, matrix, vectors []float64) { a.large.multiply(dst, matrix, vectors) }

// products fills scores with x_iᵀ B x_j or, if there are random scores, with β x_iᵀ B x_j plus these.
func (a *Attention) products(x []float64) {
	if a.interaction == nil {
		sphere.Gram(a.scores[:a.n*a.n], x, a.d)
		if a.random != nil {
			a.random.add(a.scores, x, a.n)
		}
		return
	}
	for j := range a.n {
		linear.Multiply(a.keys[j*a.d:(j+1)*a.d], a.interaction, x[j*a.d:(j+1)*a.d])
	}
	for i := range a.n {
		for j := range a.n {
			a.scores[i*a.n+j] = sphere.Dot(x[i*a.d:(i+1)*a.d], a.keys[j*a.d:(j+1)*a.d])
		}
	}
}

// weigh replaces the row of products of a token by the weights of all tokens, up to a factor, and returns the
// divisor of the weights.
func (a *Attention) weigh(row []float64, i int) (total float64) {
	if a.kernel == nil {
		return a.exponentials(row)
	}
	a.kernel(row, i)
	return 1
}

// exponentials replaces a row of products by the weights of the tokens, up to a factor, and returns the
// divisor of the weights.
func (a *Attention) exponentials(row []float64) (total float64) {
	shift, total := 0.0, a.count
	if a.softmax {
		shift, total = row[0], 0
		for _, p := range row {
			shift = max(shift, p)
		}
	}
	for j, p := range row {
		row[j] = float64(a.masses[j] * elementary.Exp(float64(a.beta*(p-shift))))
		if a.softmax {
			total += row[j]
		}
	}
	return total
}

// average writes the mean of the tokens with the weights of a token's row of products.
func (a *Attention) average(dst, row, x []float64, i int) {
	total := a.weigh(row, i)
	clear(dst)
	for j, weight := range row {
		for k, v := range x[j*a.d : (j+1)*a.d] {
			dst[k] += float64(weight * v)
		}
	}
	scale := 1 / total
	for k := range dst {
		dst[k] = float64(dst[k] * scale)
	}
}

// LargestScore returns a bound of |x_iᵀ B x_j| for unit tokens. It is the smaller of two bounds: the
// Frobenius norm of B, and the geometric mean of its largest row sum and its largest column sum. For the
// identity it is 1.
func LargestScore(interaction []float64, d int) float64 {
	if interaction == nil {
		return 1
	}
	largest := 0.0
	columns := make([]float64, d)
	for r := range d {
		row := 0.0
		for k, v := range interaction[r*d : (r+1)*d] {
			row += math.Abs(v)
			columns[k] += math.Abs(v)
		}
		largest = max(largest, row)
	}
	column := 0.0
	for _, v := range columns {
		column = max(column, v)
	}
	bySums := math.Sqrt(largest) * math.Sqrt(column)
	return min(bySums, frobenius(interaction))
}

func frobenius(matrix []float64) float64 {
	unit := make([]float64, len(matrix))
	return sphere.Normalize(unit, matrix)
}
