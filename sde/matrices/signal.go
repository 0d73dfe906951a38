package matrices

import (
	"fmt"
	"math"

	"antipode/internal/products"

	"gonum.org/v1/gonum/mat"
)

// Signal is the signal of one sample of a network, as it passes through the layers.
type Signal struct {
	source source
	drawer *drawer
	work   *Workspace
	keeps  bool // whether the signal keeps what a backward pass needs
	layer  int  // number of layers that have been applied to the signal
	x      *mat.Dense
	last   *layer
}

// layer holds the matrices of one layer through which a signal has passed.
type layer struct {
	input     *mat.Dense // signal before the layer; nil for the input of the network
	heads     []head
	output    *mat.Dense
	deviation []float64 // standard deviations of the rows before LayerNorm, which divides by them
}

// Start returns the signal of a sample before the first layer. The network must be valid; samples are
// counted from 0. Many samples are computed faster in a Workspace.
func (n Network) Start(seed uint64, sample int64) *Signal { return n.Workspace().Start(seed, sample) }

// Layer returns the number of layers that the signal has passed.
func (s *Signal) Layer() int { return s.layer }

// X returns the signal X_ℓ (T×D) after the last layer that has been applied, or nil before the first layer.
// The caller must not change the matrix; it is valid until Advance has been called twice.
func (s *Signal) X() *mat.Dense { return s.x }

// Attention returns the attention matrix of a head of the last layer, T×T, after removal of its gap if the
// network removes gaps. The matrix of head 0 is stored; the matrices of other heads are computed again. The
// caller must not change the matrix, which is valid until the next call of Advance.
func (s *Signal) Attention(head int) *mat.Dense {
	h := &s.last.heads[head]
	if h.matrix == nil {
		if err := s.attend(h, s.layer-1, head, s.last.input); err != nil {
			panic(err) // impossible: the layer was computed without error
		}
	}
	return h.matrix
}

// Advance passes the signal through the next layer. If the signal becomes 0 or overflows, Advance returns an
// error that names the layer.
func (s *Signal) Advance() error {
	n, m := s.source.Network, &s.work.memory
	l := s.next()
	l.input, l.output = s.x, m.take(n.Tokens, n.Dim)
	for k := range l.heads {
		h := &l.heads[k]
		if err := s.draw(h, s.layer, k, s.x); err != nil {
			return err
		}
		s.multiply(plain, h.matrix.RawMatrix(), plain, h.values.RawMatrix(), 0,
			columns(l.output, k, n.width()))
		if s.keeps {
			continue
		}
		m.give(&h.values)
		if k > 0 {
			h.giveAttention(m)
		}
	}
	if n.Skip {
		addInput(l.output, s.x)
	}
	if n.LayerNorm {
		l.normalize()
	}
	s.x, s.last = l.output, l
	s.layer++
	if norm := math.Sqrt(squaredNorm(s.x.RawMatrix())); !(norm > smallestNorm && norm < largestNorm) {
		what := "overflows"
		if norm <= smallestNorm {
			what = "vanishes"
		}
		return fmt.Errorf("the signal %s in layer %d", what, s.layer)
	}
	return nil
}

// next returns the memory for the next layer, which is that of the last layer unless a backward pass needs
// all layers.
func (s *Signal) next() *layer {
	if s.keeps {
		return s.work.layer(s.layer)
	}
	l, m := s.work.layer(0), &s.work.memory
	for k := range l.heads {
		l.heads[k].giveAttention(m)
	}
	m.give(&l.input)
	return l
}

// The norm of a signal must stay between smallestNorm and largestNorm. Within these limits of the norm,
// squares of singular values are finite, and so are scores, which are products of two projections of the
// signal.
const (
	smallestNorm = 1e-100
	largestNorm  = 1e140
)

// addInput adds the input of a layer to sum; a nil input stands for the input of the network.
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

// normalize applies LayerNorm to the output of the layer.
func (l *layer) normalize() {
	forRows(l.output.RawMatrix(), func(first int, rows [][]float64) {
		centre(rows)
		_, width := l.output.Dims()
		squares := dots(rows, rows)
		for k, row := range rows {
			deviation := math.Sqrt(squares[k] / float64(width))
			l.deviation[first+k] = deviation
			if deviation > 0 {
				products.Divide(row, deviation)
			}
		}
	})
}
