// Package fields computes the attention of the tokens of one trajectory at a time: for each token, the
// weighted mean or sum of all tokens, called its field. Sums over many tokens in up to four dimensions use
// spherical harmonics. Other sums over tokens use vectors of tokens if the dimension is small, and matrix
// products if the dimension is large. Package fields never stores the weights of all pairs of many tokens at
// once.
package fields

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/selfattention"
)

// Attention describes the self-attention of up to N tokens of dimension d.
type Attention struct {
	Beta        float64
	Softmax     bool
	Interaction []float64 // interaction matrix B, d×d and row-major; nil for the identity
	Count, Dim  int       // number N and dimension d of the tokens
	Sum         Way
	// Kernel, if not nil, replaces the scores of token i with all tokens by their weights. With a Kernel,
	// Beta and Softmax are ignored. Kernel is called from several goroutines.
	Kernel func(weights []float64, i int)
	// Weigh, if not nil, replaces the scores of any pairs of tokens by their weights. With Weigh, Beta is
	// ignored. With Softmax, a sum over tokens is divided by the sum of the weights; without Softmax the sum
	// is not divided. Weigh is called from several goroutines.
	Weigh func(scores []float64)
}

// Way is a method by which attention is summed over tokens.
type Way int8

const (
	// Fastest uses Harmonics if spherical harmonics are faster according to measurements, and otherwise
	// Direct.
	Fastest Way = iota
	// Direct sums attention over all pairs of tokens.
	Direct
	// Harmonics sums attention by spherical harmonics.
	Harmonics
)

// Field computes the attention of the tokens of one trajectory after another. A Field reuses its working
// memory, so it must not be used concurrently. With one worker, a Field does not allocate.
//
// Tokens that coincide bit for bit get the same attention bit for bit: each sum runs over the tokens in their
// order, for every method of summation and any number of workers.
type Field struct {
	of       Attention
	kernel   *selfattention.Attention
	products *products.Multiplier
	team     *team.Team
	sums     summation

	n       int // number of tokens of the last sum
	x       *kernels.Matrix
	masses  []kernels.Vector // masses of the tokens; 0 after the last token
	keys    kernels.Matrix   // keys B x_j, unless B is the identity
	heavy   kernels.Matrix   // tokens times their masses, stored as rows
	factors []float64
}

// summation is an implementation of a method by which attention is summed over tokens.
type summation interface {
	// sum writes the sums for all tokens of a Field to dst, and the factors of these sums to the Field.
	sum(dst *kernels.Matrix, masses []float64)
}

// FewDimensions is the largest dimension of tokens in which sums over pairs of tokens are faster in vectors
// of tokens than by matrix products.
const FewDimensions = 23

// New returns a Field that divides its work among the goroutines of a team. Between sums the team may do
// other work.
func New(a Attention, t *team.Team) *Field {
	f := &Field{
		of: a, kernel: selfattention.NewAttention(a.Beta, a.Count, a.Softmax),
		products: products.For(t), team: t,
		masses: make([]kernels.Vector, kernels.Width(a.Count)), factors: make([]float64, a.Count),
	}
	if a.Interaction != nil {
		f.keys = kernels.NewMatrix(a.Count, a.Dim)
	}
	switch {
	case !f.symmetric():
		f.sums = newStrips(f)
	case a.Dim <= FewDimensions && a.Weigh == nil:
		f.sums = newSeries(f, newGroups(f))
	default:
		f.sums = newTiles(f)
	}
	return f
}

// Bytes returns an upper bound of the memory, in bytes, of a Field for the given number of tokens of
// dimension dim that divides its work among the given number of goroutines.
func Bytes(tokens, dim, workers float64) float64 {
	const tile = 2*tileSide*(tileSide+8) + tileSide*tileSide
	each := tile + float64(rowsTogether*(tokens+16)) // numbers for each goroutine
	return float64(8*(float64(2*tokens*(dim+16))+float64(workers*each))) + seriesBytes(tokens, dim, workers)
}

// symmetric reports whether the attention weights of two tokens for each other are equal, up to the factors
// of sums.
func (f *Field) symmetric() bool {
	return f.of.Interaction == nil && f.of.Kernel == nil && (f.of.Weigh != nil || f.kernel.HasWeights())
}

// Sum writes, for each token, the sum over all tokens weighted by the attention of this token, to a row of
// dst. The tokens are the first len(masses) rows of x. Each entry of masses says how many coinciding tokens a
// token stands for; the entries sum to N. The attention of a token is its sum times its entry in factors. The
// factors are valid until the next call of Sum.
func (f *Field) Sum(dst, x *kernels.Matrix, masses []float64) (factors []float64) {
	f.take(x, masses)
	if f.of.Interaction != nil {
		d := f.of.Dim
		f.products.Multiply(blas.NoTrans, blas.Trans, 1, x.General(f.n, d),
			blas64.General{Rows: d, Cols: d, Stride: d, Data: f.of.Interaction}, 0, f.keys.General(f.n, d))
	}
	f.sums.sum(dst, masses)
	return f.factors[:f.n]
}

// Energy returns the mean of e^{β(⟨x_i,x_j⟩-1)} over all ordered pairs of tokens, including i = j. The
// arguments x and masses describe the tokens as for Sum. HasSeries must be true for the Attention of the
// Field. The relative error of the energy is at most Accuracy.
func (f *Field) Energy(x *kernels.Matrix, masses []float64) float64 {
	f.take(x, masses)
	return f.sums.(*series).energy(masses)
}

// take sets the tokens of the Field, which are the first len(masses) rows of x, and their masses.
func (f *Field) take(x *kernels.Matrix, masses []float64) {
	f.n, f.x = len(masses), x
	clear(f.masses)
	copy(kernels.Numbers(f.masses), masses)
}

// Keys returns the keys B x_i for all tokens of the last Sum, if B is not the identity.
func (f *Field) Keys() blas64.General { return f.keys.General(f.n, f.of.Dim) }

// Weights writes the attention matrix of the tokens of the last Sum to dst. Row i holds the weights of all
// tokens in the attention of token i, including the factor. All tokens of the last Sum must have had mass 1.
func (f *Field) Weights(dst *kernels.Matrix) {
	d, all := f.of.Dim, dst.General(f.n, f.n)
	if f.symmetric() {
		f.products.Lower(blas.NoTrans, 1, f.x.General(f.n, d), 0, all)
		f.weighLower(dst, f.n)
	} else {
		f.products.Multiply(blas.NoTrans, blas.Trans, 1, f.x.General(f.n, d), f.keysOrTokens(), 0, all)
		for i := range f.n {
			f.weigh(dst.Row(i), i)
		}
	}
	dst.Rescale(0, f.factors[:f.n])
}

// factor returns the factor by which a sum of tokens with symmetric weights must be multiplied to become
// attention, given the sum of the weights.
func (f *Field) factor(total float64) float64 {
	switch {
	case f.of.Weigh == nil:
		return f.kernel.Factor(total)
	case f.of.Softmax:
		return 1 / total
	}
	return 1
}

// keysOrTokens returns the keys B x_j for all tokens, which are the tokens themselves if B is the identity.
func (f *Field) keysOrTokens() blas64.General {
	if f.of.Interaction == nil {
		return f.x.General(f.n, f.of.Dim)
	}
	return f.Keys()
}

// weighLower replaces the Gram matrix of some tokens by the matrix of the weights of their pairs. weighLower
// reads the lower triangle of the Gram matrix, and writes each weight to both triangles.
func (f *Field) weighLower(m *kernels.Matrix, tokens int) {
	all := m.General(tokens, tokens)
	for first := 0; first < tokens; first += 8 {
		last := min(first+8, tokens)
		for i := first; i < last; i++ {
			f.kernel.Weigh(m.Row(i)[:kernels.Width(last)])
		}
		products.Mirror(all, first, last)
	}
}

// weighed returns the tokens multiplied by their masses.
func (f *Field) weighed(masses []float64) *kernels.Matrix {
	if allOnes(masses) {
		return f.x
	}
	for i := range masses {
		copy(f.heavy.Row(i), f.x.Row(i))
	}
	f.heavy.Rescale(0, masses)
	return &f.heavy
}

// allOnes reports whether every token stands only for itself; masses are at least 1.
func allOnes(masses []float64) bool { return kernels.Largest(masses) == 1 }
