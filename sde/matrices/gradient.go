package matrices

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/mat"
)

// Gradients returns for ℓ = 1, …, L the squared norm of the gradient of <U, X_L> by the
// value matrices W_ℓ, for a random U of independent signs: exact for U, by reverse mode
// through values, attention, skip connections and LayerNorm. Over U its mean is the squared
// Frobenius norm ‖∂X_L/∂W_ℓ‖². It is an error if one
// overflows; others are those of Signal.Advance.
func (n Network) Gradients(seed uint64, sample int64) ([]float64, error) {
	probe := mat.NewDense(n.Tokens, n.Dim, nil)
	stream := n.source(seed, sample).stream
	for i := range n.Tokens {
		stream.Signs(probe.RawRowView(i), 1, kernels.Starts, sample, int64(i))
	}
	squares, err := n.gradients(seed, sample, probe, func(_, _ int, gradient *mat.Dense) float64 {
		return squaredNorm(gradient)
	})
	for l, square := range squares {
		if !(square <= math.MaxFloat64) {
			return nil, fmt.Errorf("the gradient by the value matrix of layer %d overflows", l+1)
		}
	}
	return squares, err
}

func squaredNorm(m *mat.Dense) (square float64) {
	rows, _ := m.Dims()
	for i := range rows {
		row := m.RawRowView(i)
		square += dot(row, row)
	}
	return square
}

// gradients sums over the heads of a layer what measure makes of the gradient of <probe,
// X_L> by their value matrices. For those of the first layer, which the input meets, it is
// the one by their product with the input, which has the same norm.
func (n Network) gradients(seed uint64, sample int64, probe *mat.Dense,
	measure func(layer, head int, gradient *mat.Dense) float64) ([]float64, error) {
	signal := n.Start(seed, sample)
	signal.keeps = true
	layers := make([]*layer, n.Layers)
	for l := range layers {
		if err := signal.Advance(); err != nil {
			return nil, err
		}
		layers[l] = signal.last
	}
	results := make([]float64, n.Layers)
	gradient := probe
	for l := n.Layers - 1; l >= 0; l-- {
		var err error
		gradient, err = signal.backward(layers[l], gradient, func(head int, g *mat.Dense) {
			results[l] += measure(l, head, g)
		})
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// backward takes the gradient by a layer's output to that by its input, nil for that of the
// network, and shows those by its value matrices, which are overwritten afterwards. It uses the layer up.
func (s *Signal) backward(l *layer, gradient *mat.Dense,
	show func(head int, gradient *mat.Dense)) (*mat.Dense, error) {
	n := s.source.Network
	if n.LayerNorm {
		gradient = l.backwardNorm(gradient)
	}
	var toInput *mat.Dense
	if l.input != nil {
		toInput = mat.NewDense(n.Tokens, n.Dim, nil)
		if n.Skip {
			toInput.Copy(gradient)
		}
	}
	for k, h := range l.heads {
		output := columns(gradient, k, n.width())
		values := s.product(transposed, h.matrix, plain, output)
		if l.input == nil {
			show(k, values)
			continue
		}
		byValue := s.product(transposed, l.input, plain, values)
		show(k, byValue)
		s.addProduct(toInput, values, transposed, h.value)
		s.memory.give(byValue, values)
		if n.Attention.HasScores() {
			if err := s.backwardScores(h, output, toInput); err != nil {
				return nil, err
			}
		}
	}
	s.memory.giveHeads(l)
	return toInput, nil
}

// backwardScores adds to the gradient by the input what comes from the attention matrix.
func (s *Signal) backwardScores(h *head, output, toInput *mat.Dense) error {
	scores := s.product(plain, output, transposed, h.values)
	if err := s.source.Gap.backward(h.raw, scores); err != nil {
		return err
	}
	s.source.backwardNormalize(h.raw, scores)
	byQuery, byKey := s.product(plain, scores, plain, h.key), s.product(transposed, scores, plain, h.query)
	s.addProduct(toInput, byQuery, transposed, h.queryWeight)
	s.addProduct(toInput, byKey, transposed, h.keyWeight)
	s.memory.give(scores, byQuery, byKey)
	return nil
}
