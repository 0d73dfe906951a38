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

// MLP is x ↦ W₂φ(W₁x) with weights that all tokens share. The entries of W₁ are N(0, Variance). Those of W₂
// are normal too, with the variance that gives every coordinate of the result variance Strength for |x| = 1.
type MLP struct {
	Activation activation.Activation
	Strength   float64
	Variance   float64
	Width      int // m hidden units
}

// Numbers returns the number of entries of both weight matrices in d dimensions.
func (m MLP) Numbers(dim int) int { return 2 * m.Width * dim }

// Correlation returns the correlation function of the MLP's outputs, given the overlap of its inputs. It
// panics if the MLP is not valid.
func (m MLP) Correlation() *activation.Correlation {
	c, err := activation.NewCorrelation(m.Activation, m.Variance)
	if err != nil {
		panic("steppers: " + err.Error())
	}
	return c
}

// Root returns the standard deviation of the entries of W₁.
func (m MLP) Root() float64 { return math.Sqrt(m.Variance) }

// Scale returns the standard deviation of the entries of W₂.
func (m MLP) Scale() float64 {
	return math.Sqrt(m.Strength / (float64(m.Width) * m.Correlation().Moment()))
}

// feedforward applies an MLP to the tokens of one trajectory. Tokens that coincide bit for bit get the same
// result bit for bit.
type feedforward struct {
	MLP
	d           int
	root, scale float64   // standard deviations of the entries of W₁ and W₂
	hidden      []float64 // N×m
	out         []float64 // N×d
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
	const worthwhile = 1 << 12 // multiplications; from here on matrix products are faster
	if tokens*dim*m.Width >= worthwhile {
		f.products = products.For(team.New(1))
	}
	return f
}

// of returns the MLP's results for the tokens x (N×d), valid until the next call. numbers are standard
// normal: the entries of W₁, m×d, then those of the transpose of W₂, m×d, both without their scale.
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

// multiply writes the product of a, whose rows have inner entries, and the weights or their transpose to dst,
// whose rows have outer entries.
func (f *feedforward) multiply(transpose blas.Transpose, a, weights, dst []float64, inner, outer int) {
	general := func(data []float64, columns int) blas64.General {
		return blas64.General{Rows: len(data) / columns, Cols: columns, Stride: columns, Data: data}
	}
	f.products.Multiply(blas.NoTrans, transpose, 1, general(a, inner), general(weights, f.d), 0,
		general(dst, outer))
}
