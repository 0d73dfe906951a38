// Package attention computes the attention A_i of each token of a trajectory, called the attention field, and
// the derivative of this field as the tokens change. For a few tokens, package attention uses loops. For more
// tokens it uses package fields and matrix products.
package attention

import (
	"math"
	"slices"

	"antipode/sde/internal/fields"
	"antipode/sde/internal/linear"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// Settings determine the attention of N tokens of dimension d. Attention with a user-defined Kernel has no
// derivative.
type Settings struct {
	fields.Attention
	// Spread S adds S x_iᵀG x_j to the scores, where the random matrix G is sampled independently in each
	// layer. If Spread is 0, the scores have no random part.
	Spread float64
	// Keys is the number k of key dimensions of the random scores. If k > 0, G = QᵀK/√k with k×d matrices Q
	// and K of independent standard normal entries. If Keys is 0, the random matrix G itself has independent
	// standard normal entries.
	Keys int
}

// Attention computes the attention field of tokens x_i. Scores are s_ij = β x_iᵀ B x_j with the interaction
// matrix B = QᵀK. An Attention reuses its working memory: it does not allocate, and must not be used
// concurrently.
//
// Tokens that coincide bit for bit get the same attention field bit for bit, and two opposite tokens get
// opposite fields. For this property, sums run over the tokens in their order, without fused operations: an
// exchange of two terms, or a change of all signs, then changes no rounding. For many tokens or dimensions
// the field is computed by matrix products, and opposite tokens get opposite fields up to rounding.
type Attention struct {
	softmax     bool
	kernel      func(weights []float64, i int) // if not nil, replaces softmax and beta
	beta        float64
	interaction []float64     // interaction matrix B, d×d, row-major; nil for the identity
	count       float64       // number N of tokens
	n, d        int           // current number n of tokens, at most N
	masses      []float64     // masses of the current tokens, with sum N
	scores      []float64     // scores of pairs of tokens, N×N
	keys        []float64     // B x_j, N×d, unless B is the identity
	random      *randomScores // added to the scores; nil if there are none
	large       *large        // used instead of scores and keys for many tokens or dimensions
}

// New returns the attention of tokens, computed by loops or by matrix products, whichever is faster.
func New(s Settings) *Attention {
	if !s.ByFields() || s.Kernel != nil {
		return NewByLoops(s)
	}
	a := blank(s)
	a.large = newLarge(s)
	return a
}

// NewByLoops returns the attention of tokens, computed by loops whatever their number.
func NewByLoops(s Settings) *Attention {
	a := blank(s)
	a.scores = make([]float64, s.Count*s.Count)
	if a.interaction != nil {
		a.keys = make([]float64, s.Count*s.Dim)
	}
	if s.Spread != 0 {
		a.random, a.beta = newRandomScores(s), 1 // products then returns complete scores
	}
	return a
}

// blank returns an Attention with the given settings but without working memory.
func blank(s Settings) *Attention {
	return &Attention{
		softmax: s.Softmax, kernel: s.Kernel, beta: s.Beta, interaction: s.Interaction,
		count: float64(s.Count), n: s.Count, d: s.Dim,
		masses: slices.Repeat([]float64{1}, s.Count),
	}
}

// ByFields reports whether attention without a Kernel is computed faster by vector instructions and matrix
// products than by loops, in the geometric mean of measurements over models and schemes.
func (s Settings) ByFields() bool {
	const many, numbers = 8, 120
	return s.Spread == 0 && (s.Sum == fields.Harmonics || s.Count >= many || s.Count > 2 &&
		float64(s.Count)*float64(s.Dim) >= numbers)
}

// Bytes returns the memory, in bytes, of an Attention with these settings and, with derives, of its
// Derivative.
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

// Shape returns the current number of tokens, and their dimension d.
func (a *Attention) Shape() (tokens, dim int) { return a.n, a.d }

// ByProducts reports whether the attention is computed by matrix products, so that Multiply is available.
func (a *Attention) ByProducts() bool { return a.large != nil }

// Numbers returns the standard normal numbers of the random scores, which must be set before each layer: the
// entries of G (d×d), or those of Q and K (k×d each). Numbers returns nil if the scores have no random part.
func (a *Attention) Numbers() []float64 {
	if a.random == nil {
		return nil
	}
	return a.random.numbers
}

// SetMasses sets the number of tokens that later calls receive, and the masses of these tokens: how many
// coinciding tokens each token stands for.
func (a *Attention) SetMasses(masses []float64) { a.n, a.masses = len(masses), masses }

// Field writes the attention A_i of each token of x (N×d) to row i of dst.
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

// Weights writes the attention matrix of the tokens x to dst (N×N, row-major): entry (i, j) is the
// coefficient of x_j in the attention A_i. The Attention must be one that is computed by loops.
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
// matrix products. The Attention must be one that is computed by matrix products; see ByProducts.
func (a *Attention) Multiply(dst, matrix, vectors []float64) { a.large.multiply(dst, matrix, vectors) }

// products fills the field scores with x_iᵀ B x_j or, if the scores have a random part, with β x_iᵀ B x_j
// plus this part.
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

// weigh replaces the row of products of token i by the attention weights of all tokens, up to a factor, and
// returns the number by which these weights must be divided.
func (a *Attention) weigh(row []float64, i int) (total float64) {
	if a.kernel == nil {
		return a.exponentials(row)
	}
	a.kernel(row, i)
	return 1
}

// exponentials replaces a row of products by exponential attention weights, up to a factor, and returns the
// number by which these weights must be divided.
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

// average writes the attention of token i to dst: the mean of the tokens x, weighted according to the row of
// products of token i.
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

// LargestScore returns an upper bound of |x_iᵀ B x_j| for unit tokens, given the interaction matrix B. The
// returned bound is the smaller of two bounds: the Frobenius norm of B, and the geometric mean of the largest
// row sum and the largest column sum of B. If B is the identity, LargestScore returns 1.
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
