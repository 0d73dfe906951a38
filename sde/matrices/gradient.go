package matrices

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Gradients returns, for ℓ = 1, …, L, the squared norm of the gradient of <U, X_L> with respect to the value
// matrices W_ℓ, where X_L is the signal after the last layer and U is a matrix of independent random signs.
// For given U the gradients are exact: they are computed by reverse-mode differentiation through values,
// attention, skip connections and LayerNorm. The mean, over random matrices U, of the squared norm is the
// squared Frobenius norm ‖∂X_L/∂W_ℓ‖². Gradients returns an error if a norm overflows; its other errors are
// those of Signal.Advance.
func (w *Workspace) Gradients(seed uint64, sample int64) ([]float64, error) {
	n := w.network
	probe := mat.NewDense(n.Tokens, n.Dim, nil)
	stream := n.source(seed, sample).stream
	for i := range n.Tokens {
		stream.Signs(probe.RawRowView(i), 1, kernels.Starts, sample, int64(i))
	}
	squares, err := w.gradients(seed, sample, probe, func(_, _ int, gradient blas64.General) float64 {
		return squaredNorm(gradient)
	})
	for l, square := range squares {
		if !(square <= math.MaxFloat64) {
			return nil, fmt.Errorf("the gradient by the value matrix of layer %d overflows", l+1)
		}
	}
	return squares, err
}

// Gradients returns the result of Workspace.Gradients, computed in a new Workspace.
func (n Network) Gradients(seed uint64, sample int64) ([]float64, error) {
	return n.Workspace().Gradients(seed, sample)
}

// gradients returns, for each layer, the sum of measure over the heads. The function measure receives the
// gradient of <probe, X_L> with respect to the value matrix of a head. In the first layer measure receives
// the gradient with respect to the product of the input with the value matrix, which has the same norm.
func (w *Workspace) gradients(seed uint64, sample int64, probe *mat.Dense,
	measure func(layer, head int, gradient blas64.General) float64) ([]float64, error) {
	signal := w.start(seed, sample, true)
	n := w.network
	for range n.Layers {
		if err := signal.Advance(); err != nil {
			return nil, err
		}
	}
	results := make([]float64, n.Layers)
	gradient := w.memory.take(n.Tokens, n.Dim)
	gradient.Copy(probe)
	for l := n.Layers - 1; l >= 0; l-- {
		var err error
		gradient, err = signal.backward(w.layers[l], gradient, func(head int, g blas64.General) {
			results[l] += measure(l, head, g)
		})
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// backward converts the gradient with respect to the output of a layer to the gradient with respect to the
// input of the layer. For the first layer backward returns nil. backward calls show with the gradients with
// respect to the value matrices of the heads; these gradients are overwritten afterwards. After the call,
// neither the layer l nor the gradient that was passed in can be used any more.
func (s *Signal) backward(l *layer, gradient *mat.Dense,
	show func(head int, gradient blas64.General)) (*mat.Dense, error) {
	n, m := s.source.Network, &s.work.memory
	if n.LayerNorm {
		l.backwardNorm(gradient)
	}
	var toInput *mat.Dense
	keep := 0.0 // factor of toInput: 1 once it contains a term
	if l.input != nil {
		toInput = m.take(n.Tokens, n.Dim)
		if n.Skip {
			toInput.Copy(gradient)
			keep = 1
		}
	}
	byValue := s.backwardValues(l, gradient)
	for k := range l.heads {
		h, values := &l.heads[k], columns(l.output, k, n.width())
		show(k, columns(byValue, k, n.width()))
		if l.input == nil {
			continue
		}
		s.multiply(plain, values, transposed, h.value.RawMatrix(), keep, toInput.RawMatrix())
		keep = 1
		if n.Attention.HasScores() {
			if err := s.backwardScores(h, columns(gradient, k, n.width()), toInput); err != nil {
				return nil, err
			}
		}
	}
	if l.input != nil {
		m.give(&byValue)
	}
	m.give(&l.output)
	for k := range l.heads {
		l.heads[k].give(m)
	}
	m.give(&gradient)
	return toInput, nil
}

// backwardValues overwrites the output of a layer with the gradients with respect to the values XW of all
// heads, side by side. backwardValues returns the gradients with respect to the value matrices W. In the
// first layer the two kinds of gradients are equal.
func (s *Signal) backwardValues(l *layer, gradient *mat.Dense) *mat.Dense {
	width := s.source.width()
	for k := range l.heads {
		s.multiply(transposed, l.heads[k].matrix.RawMatrix(), plain, columns(gradient, k, width), 0,
			columns(l.output, k, width))
	}
	if l.input == nil {
		return l.output
	}
	return s.product(transposed, l.input.RawMatrix(), plain, l.output.RawMatrix())
}

// backwardScores adds, to the gradient with respect to the input of a layer, the contribution that comes
// through the attention matrix of a head.
func (s *Signal) backwardScores(h *head, output blas64.General, toInput *mat.Dense) error {
	scores := s.product(plain, output, transposed, h.values.RawMatrix())
	if err := s.source.Gap.backward(h.raw, scores); err != nil {
		return err
	}
	s.source.backwardNormalize(h.raw, scores)
	by := s.product(plain, scores.RawMatrix(), plain, h.key.RawMatrix())
	s.multiply(plain, by.RawMatrix(), transposed, h.queryWeight.RawMatrix(), 1, toInput.RawMatrix())
	s.multiply(transposed, scores.RawMatrix(), plain, h.query.RawMatrix(), 0, by.RawMatrix())
	s.multiply(plain, by.RawMatrix(), transposed, h.keyWeight.RawMatrix(), 1, toInput.RawMatrix())
	s.work.memory.give(&scores, &by)
	return nil
}
