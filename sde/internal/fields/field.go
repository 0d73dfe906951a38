// Package fields computes the attention of configurations of many tokens or dimensions, by
// products of matrices.
package fields

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/products"
	"antipode/sde/internal/team"
)

// Attention is self-attention of up to N tokens of dimension d.
type Attention struct {
	Beta        float64
	Softmax     bool
	Interaction []float64 // B, d×d and row-major; nil for the identity
	Count, Dim  int       // N and d
}

// Field computes the attention field of configurations. It keeps working memory, so it must not be
// used concurrently; with one worker it does not allocate.
//
// Tokens that coincide bit for bit get the same field.
type Field struct {
	of       Attention
	kernel   *kernels.Attention
	products *products.Multiplier
	team     *team.Team

	n       int
	x       *kernels.Matrix  // of the sum at hand
	columns kernels.Matrix   // their transpose, if its products are taken as they are weighed
	matrix  kernels.Matrix   // of overlaps, then of weights
	overlap bool             // what it holds
	masses  []kernels.Vector // of the tokens, 0 beyond the last
	heavy   kernels.Matrix   // tokens times their masses
	keys    kernels.Matrix   // B x_j, unless B is the identity
	factors []float64
	totals  []kernels.Vector // working memory
	// Parts of the work, as values that are made once.
	weigh, normalise func(k int)
}

// weighsProducts reports whether the products of tokens are weighed in the moment they are there: of few
// tokens and dimensions that saves calls, while more products are better left to package products.
func weighsProducts(a Attention) bool { return a.Dim <= 16 && a.Count <= 128 }

// New returns a Field that divides its work among that many goroutines.
func New(a Attention, workers int) *Field {
	padded := 8 * kernels.Width(a.Count) // whole strips
	f := &Field{
		of: a, kernel: kernels.NewAttention(a.Beta, a.Count, a.Softmax),
		products: products.New(workers), team: team.New(workers),
		matrix: kernels.NewSquare(padded), masses: make([]kernels.Vector, kernels.Width(a.Count)),
		heavy: kernels.NewMatrix(a.Count, a.Dim), factors: make([]float64, a.Count),
		totals: make([]kernels.Vector, a.Count),
	}
	if a.Interaction != nil {
		f.keys = kernels.NewMatrix(a.Count, a.Dim)
	}
	f.weigh, f.normalise = f.weighStrip, f.sumRows
	if !f.symmetric() {
		f.normalise = f.exponentials
	} else if weighsProducts(a) {
		f.columns = kernels.NewMatrix(a.Dim, padded)
	}
	return f
}

// Bytes is the memory of a Field of N tokens of dimension d.
func Bytes(tokens, dim float64) float64 {
	return float64(8 * (float64((tokens+16)*(tokens+16)) + float64(2*tokens*(dim+16))))
}

// symmetric reports whether the weight of a pair of tokens is the same for both.
func (f *Field) symmetric() bool { return f.of.Interaction == nil && f.kernel.HasWeights() }

// Forget says that the tokens have changed.
func (f *Field) Forget() { f.overlap = false }

// Overlaps returns the lower triangle of the Gram matrix of the first n rows of x, which it remembers
// until Forget or Sum.
func (f *Field) Overlaps(x *kernels.Matrix, n int) blas64.General {
	gram := f.matrix.General(n, n)
	if !f.overlap {
		f.products.Lower(blas.NoTrans, 1, x.General(n, f.of.Dim), 0, gram)
		f.overlap = true
	}
	return gram
}

// Sum writes the sums of the first tokens, the rows of x, weighted by the attention, to dst; masses
// has for each of them how many coincident tokens it stands for, of sum N. The field of a token is
// its sum times its factor; factors are valid until the next call.
func (f *Field) Sum(dst, x *kernels.Matrix, masses []float64) (factors []float64) {
	f.n, f.x = len(masses), x
	f.setMasses(masses)
	if f.symmetric() {
		f.prepareWeights()
		f.team.Each(kernels.Width(f.n), f.weigh)
		f.team.Each((f.n+rowsTogether-1)/rowsTogether, f.normalise)
	} else {
		f.scores(x)
		f.team.Each(f.n, f.normalise)
	}
	f.overlap = false
	weighed := f.weighed(x, masses)
	f.products.Multiply(blas.NoTrans, blas.NoTrans, 1, f.matrix.General(f.n, f.n),
		weighed.General(f.n, f.of.Dim), 0, dst.General(f.n, f.of.Dim))
	return f.factors[:f.n]
}

// Weights are the weights of the tokens in the last sum of token i, but for its factor.
func (f *Field) Weights(i int) []float64 { return kernels.Numbers(f.row(i))[:f.n] }

// Key is B x_i of the last sum, if B is not the identity.
func (f *Field) Key(i int) []float64 { return f.keys.Numbers(i) }

// Keys are B x_i of the last sum for all its tokens.
func (f *Field) Keys() blas64.General { return f.keys.General(f.n, f.of.Dim) }

func (f *Field) setMasses(masses []float64) {
	clear(f.masses)
	copy(kernels.Numbers(f.masses), masses)
}

// row is the entries of a row that belong to tokens, in whole Vectors.
func (f *Field) row(i int) []kernels.Vector { return f.matrix.Row(i)[:kernels.Width(f.n)] }

// prepareWeights prepares what weighStrip starts from: overlaps, or the tokens' transpose.
func (f *Field) prepareWeights() {
	if !weighsProducts(f.of) {
		f.Overlaps(f.x, f.n)
	} else if d := f.of.Dim; !f.overlap {
		products.Transpose(f.columns.General(d, f.n), f.x.General(f.n, d))
	}
}

// weighStrip sets the weights of some tokens and all before them, for both tokens of each pair; the strips
// with the most work are the first.
func (f *Field) weighStrip(k int) {
	strip := kernels.Width(f.n) - 1 - k
	first, last := 8*strip, min(8*(strip+1), f.n)
	if f.overlap {
		for i := first; i < last; i++ {
			f.kernel.Weigh(f.matrix.Row(i)[:strip+1])
		}
	} else {
		f.kernel.WeighProducts(&f.matrix, &f.columns, f.of.Dim, strip)
	}
	products.Mirror(f.matrix.General(f.n, f.n), first, last)
}

// rowsTogether is the number of rows that a goroutine takes at a time.
const rowsTogether = 32

// sumRows finds the factors of some rows of weights.
func (f *Field) sumRows(k int) {
	first, last := rowsTogether*k, min(rowsTogether*(k+1), f.n)
	if f.n%8 != 0 {
		for i := first; i < last; i++ {
			clear(kernels.Numbers(f.row(i))[f.n:])
		}
	}
	factors := f.factors[first:last]
	f.matrix.Dots(factors, first, f.masses[:kernels.Width(f.n)], f.totals[first:])
	for i, total := range factors {
		factors[i] = f.kernel.Factor(total)
	}
}

// scores fills the matrix with x_iᵀ B x_j.
func (f *Field) scores(x *kernels.Matrix) {
	d, keys := f.of.Dim, x
	if f.of.Interaction != nil {
		keys = &f.keys
		f.products.Multiply(blas.NoTrans, blas.Trans, 1, x.General(f.n, d),
			blas64.General{Rows: d, Cols: d, Stride: d, Data: f.of.Interaction}, 0, keys.General(f.n, d))
	}
	f.products.Multiply(blas.NoTrans, blas.Trans, 1, x.General(f.n, d), keys.General(f.n, d), 0,
		f.matrix.General(f.n, f.n))
}

// exponentials replaces a row of scores by weights, and finds its factor. Softmax is relative to the
// row's greatest score, as no weight is above 1 then.
func (f *Field) exponentials(i int) {
	row := f.row(i)
	scores := kernels.Numbers(row)
	shift := 0.0
	if f.of.Softmax {
		shift = slices.Max(scores[:f.n])
	}
	for j, s := range scores[:f.n] {
		scores[j] = float64(f.of.Beta * (s - shift))
	}
	clear(scores[f.n:])
	kernels.Exp(row, row)
	clear(scores[f.n:])
	f.factors[i] = 1 / float64(f.of.Count)
	if f.of.Softmax {
		total := f.factors[i : i+1]
		f.matrix.Dots(total, i, f.masses[:kernels.Width(f.n)], f.totals[i:])
		total[0] = 1 / total[0]
	}
}

// weighed is the tokens times their masses.
func (f *Field) weighed(x *kernels.Matrix, masses []float64) *kernels.Matrix {
	if slices.Max(masses) == 1 {
		return x
	}
	for i := range masses {
		copy(f.heavy.Row(i), x.Row(i))
	}
	f.heavy.Rescale(0, masses)
	return &f.heavy
}
