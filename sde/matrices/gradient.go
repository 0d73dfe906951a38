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
		norm := mat.Norm(gradient, 2)
		return float64(norm * norm)
	})
	for l, square := range squares {
		if !(square <= math.MaxFloat64) {
			return nil, fmt.Errorf("the gradient by the value matrix of layer %d overflows", l+1)
		}
	}
	return squares, err
}

// gradients sums over the heads of a layer what measure makes of the gradient of <probe,
// X_L> by their value matrices. For those of the first layer, which the input meets, it is
// the one by their product with the input, which has the same norm.
func (n Network) gradients(seed uint64, sample int64, probe *mat.Dense,
	measure func(layer, head int, gradient *mat.Dense) float64) ([]float64, error) {
	signal := n.Start(seed, sample)
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
		gradient, err = n.backward(layers[l], gradient, func(head int, g *mat.Dense) {
			results[l] += measure(l, head, g)
		})
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// backward takes the gradient by a layer's output to that by its input, nil for that of the
// network, and shows those by its value matrices.
func (n Network) backward(l *layer, gradient *mat.Dense,
	show func(head int, gradient *mat.Dense)) (*mat.Dense, error) {
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
		var values, weight mat.Dense
		values.Mul(h.matrix.T(), output)
		if l.input == nil {
			show(k, &values)
			continue
		}
		weight.Mul(l.input.T(), &values)
		show(k, &weight)
		addProduct(toInput, &values, h.value.T())
		if n.Attention.HasScores() {
			if err := n.backwardScores(h, output, toInput); err != nil {
				return nil, err
			}
		}
	}
	return toInput, nil
}

// backwardScores adds to the gradient by the input what comes from the attention matrix.
func (n Network) backwardScores(h *head, output, toInput *mat.Dense) error {
	var scores, query, key mat.Dense
	scores.Mul(output, h.values.T())
	if err := n.Gap.backward(h.raw, &scores); err != nil {
		return err
	}
	n.backwardNormalize(h.raw, &scores)
	query.Mul(&scores, h.key)
	key.Mul(scores.T(), h.query)
	addProduct(toInput, &query, h.queryWeight.T())
	addProduct(toInput, &key, h.keyWeight.T())
	return nil
}

func addProduct(sum *mat.Dense, a, b mat.Matrix) {
	var product mat.Dense
	product.Mul(a, b)
	sum.Add(sum, &product)
}
