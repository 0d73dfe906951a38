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

// MLP is the map x ↦ W₂φ(W₁x) of tokens x, with random weights that all tokens share. The entries of W₁ are
// normal with mean 0 and variance Variance. The entries of W₂ are normal with the variance for which every
// coordinate of the output has variance Strength if |x| = 1.
type MLP struct {
	Activation activation.Activation
	Strength   float64
	Variance   float64
	Width      int // number m of hidden units
}

// Numbers returns the number of entries of both weight matrices of the MLP for tokens of dimension dim.
func (m MLP) Numbers(dim int) int { return 2 * m.Width * dim }

// Correlation returns the correlation of two outputs of the MLP as a function of the overlap of the inputs.
// Correlation panics if the MLP is not valid.
func (m MLP) Correlation() *activation.Correlation {
	c, err := activation.NewCorrelation(m.Activation, m.Variance)
	if err != nil {
		panic("steppers: " + err.Error())
	}
	return c
}

// Root returns the standard deviation of the entries of the first weights W₁ of the MLP.
func (m MLP) Root() float64 { return math.Sqrt(m.Variance) }

// Scale returns the standard deviation of the entries of the second weights W₂ of the MLP.
func (m MLP) Scale() float64 {
	return math.Sqrt(m.Strength / (float64(m.Width) * m.Correlation().Moment()))
}

// feedforward applies an MLP to the tokens of one trajectory. Tokens that coincide bit for bit get the same
// output bit for bit.
type feedforward struct {
	MLP
	d           int
	root, scale float64   // standard deviations of the entries of W₁ and W₂
	hidden      []float64 // hidden units of the tokens, N×m
	out         []float64 // outputs for the tokens, N×d
	products    *products.Multiplier
}

// newFeedforward returns the MLP for N tokens of dimension d, or nil if m is nil.
func newFeedforward(m *MLP, tokens, dim int) *feedforward {
	if m == nil {
		return nil
	}
	f := &feedforward{
		MLP: *m, d: dim, root: m.Root(), scale: m.Scale(),
		hidden: make([]float64, tokens*m.Width), out: make([]float64, tokens*dim),
	}
	const worthwhile = 1 << 12 // from this number of multiplications on matrix products are faster
	if tokens*dim*m.Width >= worthwhile {
		f.products = products.For(team.New(1))
	}
	return f
}

// of returns the outputs of the MLP for the tokens x (N×d), which are valid until the next call. The argument
// numbers holds standard normal numbers: first the entries of W₁, m×d, then those of the transpose of W₂,
// m×d, both before multiplication by their standard deviation.
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

// multiply writes the product of the matrix a with the weights or their transpose to dst. The rows of a have
// inner entries, and the rows of dst have outer entries.
func (f *feedforward) multiply(transpose blas.Transpose, a, weights, dst []float64, inner, outer int) {
	general := func(data []float64, columns int) blas64.General {
		return blas64.General{Rows: len(data) / columns, Cols: columns, Stride: columns, Data: data}
	}
	f.products.Multiply(blas.NoTrans, transpose, 1, general(a, inner), general(weights, f.d), 0,
		general(dst, outer))
}
