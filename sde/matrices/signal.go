package matrices

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/products"

	"gonum.org/v1/gonum/mat"
)

// Signal is the signal of one sample on its way through the layers.
type Signal struct {
	source     source
	drawer     *drawer
	multiplier *products.Multiplier
	memory     memory
	keeps      bool // all that a backward pass needs
	layer      int  // layers behind it
	x          *mat.Dense
	last       *layer
	work       []kernels.Vector // room for a row of scores
}

// layer is what a layer did to a signal.
type layer struct {
	input     *mat.Dense // nil for that of the network
	heads     []*head
	sum       *mat.Dense // attention's output and the skip connection
	deviation []float64  // of the rows of sum, divided out by LayerNorm
}

// Start returns the signal of a sample before the first layer. The network must be valid,
// samples are counted from 0.
func (n Network) Start(seed uint64, sample int64) *Signal {
	source := n.source(seed, sample)
	return &Signal{source: source, drawer: source.drawer(), multiplier: products.New(1),
		work: make([]kernels.Vector, kernels.Width(n.Tokens))}
}

// Layer is the number of layers that the signal has passed.
func (s *Signal) Layer() int { return s.layer }

// X returns the signal X_ℓ behind the last layer, T×D, or nil for the input, which is
// orthonormal. The caller must not change it.
func (s *Signal) X() *mat.Dense { return s.x }

// Attention is the attention matrix of a head of the last layer, T×T, without its gap if
// that is removed. The caller must not change it; the next call of Advance does.
func (s *Signal) Attention(head int) *mat.Dense { return s.last.heads[head].matrix }

// Advance sends the signal through the next layer. It is an error, which names the layer,
// if the signal becomes 0 or overflows.
func (s *Signal) Advance() error {
	n := s.source.Network
	if s.last != nil {
		for _, h := range s.last.heads {
			s.drop(&h.raw)
		}
	}
	l := &layer{input: s.x, sum: mat.NewDense(n.Tokens, n.Dim, nil)}
	for k := range n.Heads {
		h, err := s.draw(s.layer, k, s.x)
		if err != nil {
			return err
		}
		l.heads = append(l.heads, h)
		s.addProduct(columns(l.sum, k, n.width()), h.matrix, plain, h.values)
		s.drop(&h.values)
	}
	if n.Skip {
		addInput(l.sum, s.x)
	}
	s.x = l.sum
	if n.LayerNorm {
		s.x = l.normalize(s.keeps)
	}
	s.last = l
	s.layer++
	if norm := math.Sqrt(squaredNorm(s.x)); !(norm > smallestNorm && norm < largestNorm) {
		what := "overflows"
		if norm <= smallestNorm {
			what = "vanishes"
		}
		return fmt.Errorf("the signal %s in layer %d", what, s.layer)
	}
	return nil
}

// drop gives up matrices, unless they are kept.
func (s *Signal) drop(matrices ...**mat.Dense) {
	if s.keeps {
		return
	}
	for _, m := range matrices {
		s.memory.give(*m)
		*m = nil
	}
}

// Norms of signals whose singular values have squares, and scores products of two.
const (
	smallestNorm = 1e-100
	largestNorm  = 1e140
)

// columns is the part of a matrix that a head makes.
func columns(m *mat.Dense, head, width int) *mat.Dense {
	rows, _ := m.Dims()
	return m.Slice(0, rows, head*width, (head+1)*width).(*mat.Dense)
}

// addInput adds the input of a layer, nil for that of the network.
func addInput(sum, input *mat.Dense) {
	if input != nil {
		sum.Add(sum, input)
		return
	}
	tokens, _ := sum.Dims()
	for i := range tokens {
		sum.Set(i, i, sum.At(i, i)+1)
	}
}

// normalize is LayerNorm, which replaces the sum unless that is to be kept.
func (l *layer) normalize(keep bool) *mat.Dense {
	x := l.sum
	if keep {
		x = mat.DenseCopyOf(x)
	}
	centreRows(x)
	rows, width := x.Dims()
	l.deviation = make([]float64, rows)
	for i := range rows {
		row := x.RawRowView(i)
		l.deviation[i] = math.Sqrt(dot(row, row) / float64(width))
		if l.deviation[i] > 0 {
			products.Divide(row, l.deviation[i])
		}
	}
	return x
}

func dot(a, b []float64) (total float64) {
	for k := range a {
		total += float64(a[k] * b[k])
	}
	return total
}
