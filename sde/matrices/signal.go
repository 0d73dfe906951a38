package matrices

import (
	"fmt"
	"math"

	"antipode/internal/products"

	"gonum.org/v1/gonum/mat"
)

// Signal is the signal of one sample on its way through the layers.
type Signal struct {
	source source
	drawer *drawer
	work   *Workspace
	keeps  bool // all that a backward pass needs
	layer  int  // layers that have been applied
	x      *mat.Dense
	last   *layer
}

// layer is what a layer did to a signal.
type layer struct {
	input     *mat.Dense // nil for that of the network
	heads     []head
	output    *mat.Dense
	deviation []float64 // of the rows before LayerNorm, which divides by it
}

// Start returns the signal of a sample before the first layer. The network must be valid,
// samples are counted from 0. Of many samples those of a Workspace take less time.
func (n Network) Start(seed uint64, sample int64) *Signal { return n.Workspace().Start(seed, sample) }

// Layer is the number of layers that the signal has passed.
func (s *Signal) Layer() int { return s.layer }

// X returns the signal X_ℓ after the last layer, T×D, or nil for the input, which is
// orthonormal. The caller must not change it; it is lost two calls of Advance later.
func (s *Signal) X() *mat.Dense { return s.x }

// Attention is the attention matrix of a head of the last layer, T×T, without its gap if that is removed.
// That of head 0 is there, others are computed again. The caller must not change it; the next call of Advance
// does.
func (s *Signal) Attention(head int) *mat.Dense {
	h := &s.last.heads[head]
	if h.matrix == nil {
		if err := s.attend(h, s.layer-1, head, s.last.input); err != nil {
			panic(err) // there was none in the layer
		}
	}
	return h.matrix
}

// Advance sends the signal through the next layer. It is an error, which names the layer,
// if the signal becomes 0 or overflows.
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

// next is the room for the next layer, that of the last one unless it is kept.
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

// Norms of signals whose singular values have squares, and scores products of two.
const (
	smallestNorm = 1e-100
	largestNorm  = 1e140
)

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

// normalize is LayerNorm of the output.
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
