package network

import (
	"fmt"

	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/blas/blas64"
)

// Transformer is a network with weights of its own, which any number of Workspaces may read at once. Who
// changes them must see to it that none does.
type Transformer struct {
	Network Network
	// Parameters are all weights in the order of the diagram; layers may share some.
	Parameters []*Parameter
	register   *register
}

// New returns the network of that number under a seed. Its weights are those that an Ensemble gives it. The
// error is that of Validate.
func New(n Network, seed uint64, network int64) (*Transformer, error) {
	if err := n.Validate(); err != nil {
		return nil, err
	}
	t := &Transformer{Network: n, register: newRegister()}
	d := &drafter{Network: n, register: t.register, tokens: n.Tokens, measure: true}
	d.transformer(&Workspace{})
	t.Parameters = t.register.parameters
	s := newSource(kernels.NewStream(seed, n.id()), network)
	for _, p := range t.Parameters {
		p.Value = make([]float64, p.Rows*p.Cols)
		s.draw(p, p.law.layer)
	}
	return t, nil
}

// Size is the number of weights.
func (t *Transformer) Size() int { return t.register.size }

// Workspace is the memory in which one goroutine passes sequences through a Transformer.
type Workspace struct {
	// Gradient has the derivatives by all parameters, in their order, that the calls of Backward have added
	// up; the caller sets it to 0. It is nil without gradients.
	Gradient []float64

	tokens    int
	dim       int
	embedding *embedding // nil if tokens are given
	input     matrix     // tokens before the first layer
	blocks    []*block
	final     *norm  // nil if there is none
	outputs   linear // without a weight: none
	behind    matrix // tokens behind the last layer
	logits    matrix

	derivative matrix
}

// Workspace returns memory for sequences of that many tokens, at most Network.Tokens, with gradients or
// without. Its products are divided among up to that many goroutines; bits do not depend on it.
func (t *Transformer) Workspace(tokens, workers int, gradients bool) *Workspace {
	if tokens < 1 || tokens > t.Network.Tokens {
		panic(fmt.Sprintf("network: a sequence of %d tokens, must be from 1 to %d", tokens, t.Network.Tokens))
	}
	w := &Workspace{}
	d := &drafter{Network: t.Network, register: t.register, tokens: tokens}
	if gradients {
		w.Gradient = make([]float64, t.register.size)
		d.gradient = w.Gradient
	}
	d.takeWork(gradients, workers)
	d.transformer(w)
	return w
}

// Memory is how many bytes a Transformer of the network takes with that many workspaces, with gradients or
// without.
func (n Network) Memory(workspaces int, gradients bool) float64 {
	one := n
	one.Layers = min(n.Layers, 2)
	sizes := func(layers int) (weights, memory float64) {
		one.Layers = layers
		d := &drafter{Network: one, register: newRegister(), tokens: n.Tokens, measure: true}
		if gradients {
			d.gradient = []float64{}
		}
		d.takeWork(gradients, 1)
		d.transformer(&Workspace{})
		return float64(d.register.size), d.floats
	}
	weights, memory := sizes(0)
	if n.Layers > 0 { // the second layer is as all that follow
		firstWeights, firstMemory := sizes(1)
		nextWeights, nextMemory := sizes(2)
		more := float64(n.Layers - 1)
		weights = firstWeights + float64(more*(nextWeights-firstWeights))
		memory = firstMemory + float64(more*(nextMemory-firstMemory))
	}
	if gradients {
		memory += weights
	}
	return 8 * (weights + float64(float64(workspaces)*memory))
}

// transformer draws the whole diagram.
func (d *drafter) transformer(w *Workspace) {
	w.tokens, w.dim = d.tokens, d.Dim
	if d.Input == Embedded {
		w.embedding = d.embedding(d.Embedding.Vocabulary)
	}
	for l := range d.Layers {
		w.blocks = append(w.blocks, d.block(l, layerPlace(l)))
	}
	if d.FinalNorm {
		w.final = d.norm("final_norm")
	}
	if d.Outputs > 0 {
		w.outputs = d.linear("outputs", d.Outputs, d.Dim, normal(logitRole, 1, d.Dim), constantLaw(0))
		w.logits = d.matrix(d.tokens, d.Outputs)
	}
	if d.gradient != nil {
		w.derivative = d.sequence()
	}
}

// constantLaw is that of parameters that all have one value.
func constantLaw(value float64) law { return law{kind: constant, scale: value} }

// Forward passes a sequence through the network and returns its logits, or if it has none the tokens
// behind the last layer, a token a row. They stay until the next call; so must the sequence's vectors. It
// panics if the sequence has another length or shape than the workspace is for.
func (w *Workspace) Forward(s Sequence) blas64.General {
	x := s.Vectors
	if w.embedding != nil {
		x = w.embedding.Forward(s)
	} else if x.Rows != w.tokens || x.Cols != w.dim || x.Stride != w.dim {
		panic(fmt.Sprintf("network: %d tokens of dimension %d, %d apart, where there should be %d of dimension %d",
			x.Rows, x.Cols, x.Stride, w.tokens, w.dim))
	}
	w.input = x
	for _, b := range w.blocks {
		x = b.Forward(x)
	}
	if w.final != nil {
		x = w.final.Forward(x)
	}
	if w.behind = x; !w.outputs.weight.has() {
		return x
	}
	w.outputs.forward(x, w.logits)
	return w.logits
}

// Backward takes the derivatives of a loss by what Forward returned, adds those by all parameters to
// Gradient, and returns those by the sequence's vectors, or if it has words by the sums of their embeddings.
// The workspace must have gradients, and the result stays until the next call.
func (w *Workspace) Backward(derivative blas64.General) blas64.General {
	d := w.derivative
	if w.outputs.weight.has() {
		w.outputs.parameters(w.behind, derivative)
		w.outputs.input(derivative, 0, d)
	} else {
		for t := range d.Rows {
			copy(row(d, t), row(derivative, t))
		}
	}
	if w.final != nil {
		w.final.Backward(d)
	}
	for l := len(w.blocks) - 1; l >= 0; l-- {
		w.blocks[l].Backward(d)
	}
	if w.embedding != nil {
		return w.embedding.Backward(d)
	}
	return d
}

// View is what can be seen of a layer behind the forward pass, until the next.
type View struct {
	Tokens    blas64.General   // behind the layer, a token a row
	Attention []blas64.General // of each head the weights, less their mean if gain-controlled; nil of the input
}

// Layer is the view of a layer, 0 the input.
func (w *Workspace) Layer(layer int) View {
	if layer == 0 {
		return View{Tokens: w.input}
	}
	return w.blocks[layer-1].view()
}
