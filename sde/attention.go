package sde

import (
	"math"
	"slices"

	"antipode/sde/internal/enum"
	"antipode/sde/internal/kernels"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// Attention is a kind of self-attention.
type Attention int8

const (
	// Softmax is eq. (2): A_i = Σ_j e^{s_ij} x_j / Σ_j e^{s_ij}.
	Softmax Attention = iota
	// Unnormalized is eq. (3): A_i = (1/N) Σ_j e^{s_ij} x_j.
	Unnormalized
)

// AttentionNames are the names of the kinds of attention, in the order of their
// values.
var AttentionNames = []string{"softmax", "unnormalized"}

// String returns the kind's name.
func (a Attention) String() string { return enum.Name(AttentionNames, a, "Attention") }

// MarshalText returns the kind's name, or an error if it has none.
func (a Attention) MarshalText() ([]byte, error) {
	return enum.Marshal(AttentionNames, a, "attention")
}

// UnmarshalText takes one of AttentionNames.
func (a *Attention) UnmarshalText(text []byte) error {
	return enum.Unmarshal(AttentionNames, a, "attention", text)
}

// attention computes the attention field of a configuration. Scores are
// s_ij = β x_iᵀ B x_j with B = QᵀK.
//
// Tokens that coincide bit for bit get the same field bit for bit, and two
// opposite tokens get opposite fields: sums run over the tokens in their order,
// without fused operations, so that exchanging two terms or all signs changes
// nothing. Of many tokens or dimensions the field is computed by products of matrices, and opposite
// tokens get opposite fields to rounding.
type attention struct {
	kind        Attention
	kernel      Kernel // in place of kind and beta, if not nil
	beta        float64
	interaction []float64     // B, d×d, row-major; nil is the identity
	count       float64       // N
	n, d        int           // n tokens at present, at most N
	masses      []float64     // of the tokens at present, of sum N
	scores      []float64     // N×N
	keys        []float64     // B x_j, N×d, unless B is the identity
	random      *randomScores // of which scores have some; nil for none
	large       *large        // in place of scores and keys, for many tokens or dimensions
}

func newAttention(c Cell) *attention {
	if !c.attendsByFields() || c.hasKernel() {
		return newSmallAttention(c)
	}
	a := blankAttention(c)
	a.large = newLarge(c)
	return a
}

// attendsByFields reports whether the attention of a stepper is computed in vectors or by products of
// matrices.
func (c Cell) attendsByFields() bool { return c.Resampling.none() && c.isLarge() }

// newSmallAttention returns attention that goes by loops.
func newSmallAttention(c Cell) *attention {
	a := blankAttention(c)
	a.scores = make([]float64, c.Tokens*c.Tokens)
	if a.interaction != nil {
		a.keys = make([]float64, c.Tokens*c.Dim)
	}
	if !c.Resampling.none() {
		a.random, a.beta = newRandomScores(c), 1 // products are whole scores then
		a.random.beta = c.Beta
	}
	return a
}

// blankAttention returns attention without working memory.
func blankAttention(c Cell) *attention {
	return &attention{
		kind: c.Attention, kernel: c.ownKernel(), beta: c.Beta, interaction: c.Interaction,
		count: float64(c.Tokens), n: c.Tokens, d: c.Dim,
		masses: slices.Repeat([]float64{1}, c.Tokens),
	}
}

// setMasses says how many coincident tokens each of the next tokens stands for.
func (a *attention) setMasses(masses []float64) { a.n, a.masses = len(masses), masses }

// field writes the attention field A (N×d) of the tokens x to dst.
func (a *attention) field(dst, x []float64) {
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

// Field writes the attention field of the tokens x (N×d) of the cell to dst: row i
// is A_i of eq. (2) or (3). The cell must be valid; its noise and start do not
// matter. dst may not overlap x.
func (c Cell) Field(dst, x []float64) { newAttention(c).field(dst, x) }

// Weights writes the attention matrix of the tokens x (N×d) of the cell to dst, N×N, row-major: entry (i, j)
// is the factor of x_j in A_i of eq. (2) or (3). The cell must be valid; its noise and start do not
// matter. dst may not overlap x.
func (c Cell) Weights(dst, x []float64) {
	a := newSmallAttention(c)
	a.products(x)
	for i := range a.n {
		row := a.scores[i*a.n : (i+1)*a.n]
		scale := 1 / a.weigh(row, i)
		for j, weight := range row {
			dst[i*a.n+j] = float64(weight * scale)
		}
	}
}

// products fills scores with x_iᵀ B x_j.
func (a *attention) products(x []float64) {
	if a.interaction == nil {
		sphere.Gram(a.scores[:a.n*a.n], x, a.d)
		if a.random != nil {
			a.random.add(a.scores, x, a.n)
		}
		return
	}
	for j := range a.n {
		multiply(a.keys[j*a.d:(j+1)*a.d], a.interaction, x[j*a.d:(j+1)*a.d])
	}
	for i := range a.n {
		for j := range a.n {
			a.scores[i*a.n+j] = sphere.Dot(x[i*a.d:(i+1)*a.d], a.keys[j*a.d:(j+1)*a.d])
		}
	}
}

// weigh replaces the row of products of a token by the weights of all tokens, up to a factor, and returns
// what they are to be divided by.
func (a *attention) weigh(row []float64, i int) (total float64) {
	if a.kernel == nil {
		return a.exponentials(row)
	}
	a.kernel(row, i)
	return 1
}

// exponentials replaces a row of products by the weights of the tokens, up to a factor, and returns what they
// are to be divided by.
func (a *attention) exponentials(row []float64) (total float64) {
	shift, total := 0.0, a.count
	if a.kind == Softmax {
		shift, total = row[0], 0
		for _, p := range row {
			shift = max(shift, p)
		}
	}
	for j, p := range row {
		row[j] = float64(a.masses[j] * elementary.Exp(float64(a.beta*(p-shift))))
		if a.kind == Softmax {
			total += row[j]
		}
	}
	return total
}

// average writes the mean of the tokens with the weights of a token's row of products.
func (a *attention) average(dst, row, x []float64, i int) {
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

// multiply writes the product of a square matrix (row-major) and x to dst.
func multiply(dst, matrix, x []float64) {
	d := len(x)
	for r := range dst {
		dst[r] = sphere.Dot(matrix[r*d:(r+1)*d], x)
	}
}

// largestScore bounds |x_iᵀ B x_j| over unit tokens: min of the Frobenius norm of
// B and the geometric mean of its largest row and column sums; 1 for the identity.
func largestScore(interaction []float64, d int) float64 {
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

// GaussianInteraction returns a d×d matrix (row-major) of independent normal entries of
// standard deviation scale. With β = 1 and B = QᵀK the score of any two unit tokens has
// the same standard deviation over such matrices. For each d it is the same matrix in
// every run: it does not belong to the random numbers of trajectories.
func GaussianInteraction(d int, scale float64) []float64 {
	const seed, cell = 0, 0x696e746572616374 // "interact"; a cell's ID is a hash
	matrix := make([]float64, d*d)
	kernels.NewStream(seed, cell).Normals(matrix, scale, kernels.Starts, 0, 0)
	return matrix
}
