package steppers

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/linear"
	"antipode/sphere"
	"antipode/sphere/activation"
)

// MLP is W₂φ(W₁x), with weights that all tokens share: entries of W₁ are N(0, Variance), and those of W₂
// normal such that every coordinate of the result has variance Strength on the unit sphere.
type MLP struct {
	Activation activation.Activation
	Strength   float64
	Variance   float64
	Width      int // m hidden units
}

// Numbers is how many standard normal numbers its weights take in d dimensions.
func (m MLP) Numbers(dim int) int { return 2 * m.Width * dim }

// Correlation is what the MLP, which must be valid, makes of overlaps.
func (m MLP) Correlation() *activation.Correlation {
	c, err := activation.NewCorrelation(m.Activation, m.Variance)
	if err != nil {
		panic("steppers: " + err.Error())
	}
	return c
}

// Root is the standard deviation of the entries of W₁.
func (m MLP) Root() float64 { return math.Sqrt(m.Variance) }

// Scale is the standard deviation of the entries of W₂.
func (m MLP) Scale() float64 {
	return math.Sqrt(m.Strength / (float64(m.Width) * m.Correlation().Moment()))
}

// feedforward computes an MLP of one trajectory's tokens. Tokens that coincide bit for bit get the same bits.
type feedforward struct {
	MLP
	d           int
	root, scale float64   // of the entries of W₁ and of W₂
	hidden      []float64 // N×m
	out         []float64 // N×d
	products    *products.Multiplier
}

// newFeedforward returns the MLP of N tokens of dimension d, nil for none.
func newFeedforward(m *MLP, tokens, dim int) *feedforward {
	if m == nil {
		return nil
	}
	f := &feedforward{
		MLP: *m, d: dim, root: m.Root(), scale: m.Scale(),
		hidden: make([]float64, tokens*m.Width), out: make([]float64, tokens*dim),
	}
	const worthwhile = 1 << 12 // multiplications, from which on products of matrices are faster
	if tokens*dim*m.Width >= worthwhile {
		f.products = products.For(team.New(1))
	}
	return f
}

// of returns the MLP's vectors of the tokens x (N×d), given its numbers: those of W₁, m×d, and of the
// transpose of W₂, m×d, all standard normal.
func (f *feedforward) of(x, numbers []float64) []float64 {
	n, m := len(x)/f.d, f.Width
	first, second := numbers[:m*f.d], numbers[m*f.d:]
	hidden, out := f.hidden[:n*m], f.out[:n*f.d]
	if f.products != nil {
		f.multiply(blas.Trans, x, first, hidden, f.d, m)
	} else {
		for i := range n {
			for k := range m {
				hidden[i*m+k] = sphere.Dot(x[i*f.d:(i+1)*f.d], first[k*f.d:(k+1)*f.d])
			}
		}
	}
	kernels.Activate(f.Activation, hidden, f.root)
	for k := range hidden {
		hidden[k] *= f.scale
	}
	if f.products != nil {
		f.multiply(blas.NoTrans, hidden, second, out, m, f.d)
		return out
	}
	clear(out)
	for i := range n {
		for k := range m {
			linear.AddScaled(out[i*f.d:(i+1)*f.d], hidden[i*m+k], second[k*f.d:(k+1)*f.d])
		}
	}
	return out
}

// multiply writes the product of a matrix with rows of a length and the weights, or their transpose, to dst.
func (f *feedforward) multiply(transpose blas.Transpose, a, weights, dst []float64, inner, outer int) {
	general := func(data []float64, columns int) blas64.General {
		return blas64.General{Rows: len(data) / columns, Cols: columns, Stride: columns, Data: data}
	}
	f.products.Multiply(blas.NoTrans, transpose, 1, general(a, inner), general(weights, f.d), 0,
		general(dst, outer))
}
