package sde

import (
	"fmt"
	"math"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/selfattention"
	"antipode/sphere"
	"antipode/sphere/activation"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// MLP adds W₂φ(W₁x) to what attention adds to a token in a layer, with weights that are drawn anew in each
// layer: entries of W₁ are N(0, Variance), those of W₂ normal such that every coordinate has variance
// Strength on the unit sphere. All tokens share the weights. The zero value adds nothing.
type MLP struct {
	Activation activation.Activation
	Strength   float64 // c in [0, 10^6]; 0 for no MLP
	Variance   float64 // w of pre-activations, from activation.LeastVariance to LargestVariance
	// Width is the number of hidden units, from 1 to 2^20; 0 for infinitely many, of which the method Chain
	// has the law.
	Width int
}

const (
	largestStrength = 1e6
	largestWidth    = 1 << 20
)

// none reports whether there is no MLP.
func (m MLP) none() bool { return m.Strength == 0 }

// numbers is how many normal numbers a layer takes; a real number, since it is also asked of cells that are
// far too large.
func (m MLP) numbers(dim float64) float64 {
	if m.none() {
		return 0
	}
	return 2 * float64(m.Width) * dim
}

// address describes the MLP, after a space; nothing if there is none.
func (m MLP) address() string {
	if m.none() {
		return ""
	}
	return fmt.Sprintf(" mlp=%v,%x,%x,%d", m.Activation, math.Float64bits(m.Strength),
		math.Float64bits(m.Variance), m.Width)
}

func (m MLP) validate(method Method) error {
	switch {
	case !(m.Strength >= 0 && m.Strength <= largestStrength):
		return fmt.Errorf("strength %v of the MLP: must be from 0 to 1e6", m.Strength)
	case m.none():
		return nil
	case method == Chain && m.Width != 0:
		return fmt.Errorf("width %d of the MLP: must be 0, for infinite width, by the method chain", m.Width)
	case method == Tokens && (m.Width < 1 || m.Width > largestWidth):
		return fmt.Errorf("width %d of the MLP: must be from 1 to 2^20", m.Width)
	}
	_, err := activation.NewCorrelation(m.Activation, m.Variance)
	return err
}

// correlation is what a valid MLP makes of overlaps.
func (m MLP) correlation() *activation.Correlation {
	c, err := activation.NewCorrelation(m.Activation, m.Variance)
	if err != nil {
		panic("sde: " + err.Error())
	}
	return c
}

// vectorMLP is the MLP of a cell for tokens in vectors.
func (c Cell) vectorMLP() *selfattention.Feedforward {
	return &selfattention.Feedforward{
		Activation: c.MLP.Activation, Width: c.MLP.Width, Root: math.Sqrt(c.MLP.Variance),
		Scale: c.MLP.scale() / math.Sqrt(float64(c.Depth)), InSequence: c.Arrangement == InSequence,
	}
}

// scale is that of the entries of W₂, for standard normal numbers.
func (m MLP) scale() float64 {
	return math.Sqrt(m.Strength / (float64(m.Width) * m.correlation().Moment()))
}

// feedforward computes an MLP of one trajectory's tokens. Tokens that coincide bit for bit get the same bits.
type feedforward struct {
	MLP
	d           int
	root, scale float64   // of the entries of W₁, and of W₂ for standard normal numbers
	hidden      []float64 // N×m
	out         []float64 // N×d
	products    *products.Multiplier
}

// newFeedforward returns the MLP of a cell, nil for none.
func newFeedforward(c Cell) *feedforward {
	m := c.MLP
	if m.none() {
		return nil
	}
	f := &feedforward{
		MLP: m, d: c.Dim, root: math.Sqrt(m.Variance),
		scale:  m.scale(),
		hidden: make([]float64, c.Tokens*m.Width), out: make([]float64, c.Tokens*c.Dim),
	}
	const worthwhile = 1 << 12 // multiplications, from which on products of matrices are faster
	if c.Tokens*c.Dim*m.Width >= worthwhile {
		f.products = products.For(team.New(1))
	}
	return f
}

// of returns the MLP's vectors of the tokens x (N×d), given its numbers: W₁ over √w, m×d, and the transpose
// of W₂, m×d, both of standard normal numbers.
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
			addScaled(out[i*f.d:(i+1)*f.d], hidden[i*m+k], second[k*f.d:(k+1)*f.d])
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
