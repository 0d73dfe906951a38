package tasks

import (
	"fmt"
	"math"
	"sync"

	"antipode/sde/network"
	"antipode/sde/training"

	"gonum.org/v1/gonum/blas/blas64"
)

// Heaviside is the task of computing the step function of every coordinate of every token: 1 for a positive
// coordinate, and 0 for any other. The input tokens are isometric: orthonormal vectors, uniformly distributed
// (Naderi, Saada and Tanner, "Mind the Gap", A.3). A predictor that knows the step function has loss 0.
type Heaviside struct {
	tokens, dim int
	examples    [2]int64
	draws       draws
	// inputs returns the training and the validation examples, one example after another; inputs samples the
	// examples when it is first called.
	inputs func() [2][]float64
}

const largestInputs = 1 << 28 // largest number of coordinates of all examples together

// NewHeaviside returns the Heaviside task with the given number of tokens, at most the dimension dim. The
// task has train training examples, or an unlimited number if train is 0, and validation ≥ 1 validation
// examples.
func NewHeaviside(tokens, dim int, train, validation int64, seed uint64) (*Heaviside, error) {
	size := float64(tokens) * float64(dim)
	switch {
	case tokens < 2 || tokens > dim:
		return nil, fmt.Errorf("tokens %d: must be from 2 to the dimension, %d, as they are orthonormal",
			tokens, dim)
	case train < 0 || validation < 1:
		return nil, fmt.Errorf("examples %d and %d: must be at least 0 and 1", train, validation)
	case size*(float64(train)+float64(validation)) > largestInputs:
		return nil, fmt.Errorf("examples %d and %d: "+
			"of %d tokens of dimension %d they have more than %d numbers",
			train, validation, tokens, dim, largestInputs)
	}
	h := &Heaviside{tokens: tokens, dim: dim, examples: [2]int64{train, validation},
		draws: drawsOf("heaviside", seed)}
	h.inputs = sync.OnceValue(func() [2][]float64 { return h.draw(h.draws) })
	return h, nil
}

// draw samples the input tokens of all training and validation examples.
func (h *Heaviside) draw(d draws) (inputs [2][]float64) {
	size := int64(h.tokens * h.dim)
	for split, examples := range h.examples {
		inputs[split] = make([]float64, examples*size)
		for index := range examples {
			h.input(d, training.Split(split), index, inputs[split][index*size:][:size])
		}
	}
	return inputs
}

// input samples the input tokens of an example.
func (h *Heaviside) input(d draws, split training.Split, index int64, into []float64) {
	d.normals(into, 1, split, index, inputRole)
	network.Orthonormalize(h.matrix(into))
}

func (h *Heaviside) matrix(data []float64) blas64.General {
	return blas64.General{Rows: h.tokens, Cols: h.dim, Stride: h.dim, Data: data}
}

// Fit implements training.Task.
func (h *Heaviside) Fit(n network.Network) network.Network {
	n.Tokens, n.Dim, n.Outputs, n.Embedding = h.tokens, h.dim, 0, network.Embedding{}
	n.Input, n.Q, n.P = network.Gaussian, 1/float64(h.dim), 0
	return n
}

// Loss implements training.Task.
func (*Heaviside) Loss() training.Loss { return training.MeanSquare }

// Examples implements training.Task.
func (h *Heaviside) Examples(split training.Split) int64 {
	return h.examples[split]
}

// Example implements training.Task.
func (h *Heaviside) Example(split training.Split, index int64, into *training.Example) {
	size := h.tokens * h.dim
	x, y := h.matrix(sized(into.Sequence.Vectors.Data, size)), h.matrix(sized(into.Values.Data, size))
	if h.examples[split] == 0 {
		h.input(h.draws, split, index, x.Data)
	} else {
		copy(x.Data, h.inputs()[split][int(index)*size:])
	}
	for k, v := range x.Data {
		if y.Data[k] = 0; v > 0 {
			y.Data[k] = 1
		}
	}
	into.Sequence.Vectors, into.Values = x, y
}

// Best implements training.Task. A target depends on its own token only.
func (*Heaviside) Best(bool) (loss, accuracy float64) { return 0, math.NaN() }

// Blind returns the loss 1/8 of a predictor that sees no example; the best constant output is 1/2.
func (*Heaviside) Blind() float64 { return 0.125 }
