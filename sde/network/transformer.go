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

	batch     Batch
	work      *work
	embedding *embedding // nil if tokens are given
	input     matrix     // tokens before the first layer
	dropped   *dropout   // of them; nil if there is none
	blocks    []*block
	final     *norm  // nil if there is none
	outputs   linear // without a weight: none
	last      matrix // tokens after the last layer
	logits    matrix

	derivative matrix
}

// Batch is what passes through a Workspace together, and how.
type Batch struct {
	Sequences int  // of one length, from 1; 0 for 1
	Tokens    int  // of each, from 1 to Network.Tokens; 0 for all
	Workers   int  // goroutines among which a product is divided; bits do not depend on it
	Gradients bool // whether Backward may follow Forward
	Dropout   Dropout
	// FixedStrengths leaves the derivatives by strengths of residual connections, which are sums over all
	// tokens, at 0.
	FixedStrengths bool
}

// of is the batch with what its zeros stand for.
func (b Batch) of(n Network) Batch {
	b.Sequences = max(b.Sequences, 1)
	if b.Tokens == 0 {
		b.Tokens = n.Tokens
	}
	if b.Tokens < 1 || b.Tokens > n.Tokens {
		panic(fmt.Sprintf("network: a sequence of %d tokens, must be from 1 to %d", b.Tokens, n.Tokens))
	}
	if err := b.Dropout.Validate(); err != nil {
		panic("network: " + err.Error())
	}
	return b
}

// Workspace returns memory for a batch. It drops nothing before Drop is called.
func (t *Transformer) Workspace(b Batch) *Workspace {
	b = b.of(t.Network)
	w := &Workspace{}
	d := &drafter{Network: t.Network, register: t.register, sequences: b.Sequences, tokens: b.Tokens,
		dropout: b.Dropout, fixedStrengths: b.FixedStrengths}
	if b.Gradients {
		w.Gradient = make([]float64, t.register.size)
		d.gradient = w.Gradient
	}
	d.takeWork(b.Gradients, b.Workers)
	d.transformer(w)
	w.batch, w.work = b, d.work
	return w
}

// Memory is how many bytes a Transformer of the network takes with that many workspaces for a batch.
func (n Network) Memory(workspaces int, b Batch) float64 {
	b = b.of(n)
	one := n
	one.Layers = min(n.Layers, 2)
	sizes := func(layers int) (weights, memory float64) {
		one.Layers = layers
		d := &drafter{Network: one, register: newRegister(), sequences: b.Sequences, tokens: b.Tokens,
			dropout: b.Dropout, measure: true}
		if b.Gradients {
			d.gradient = []float64{}
		}
		d.takeWork(b.Gradients, 1)
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
	if b.Gradients {
		memory += weights
	}
	return 8 * (weights + float64(float64(workspaces)*memory))
}

// transformer draws the whole diagram.
func (d *drafter) transformer(w *Workspace) {
	if d.Input == Embedded {
		w.embedding = d.embedding(d.Embedding.Vocabulary)
	} else {
		w.input = d.tokenMatrix()
	}
	if rate := d.dropout.Embedding; rate > 0 {
		w.dropped = d.drop(rate, embeddings, d.Dim)
	}
	for l := range d.Layers {
		w.blocks = append(w.blocks, d.block(l, layerPlace(l)))
	}
	if d.FinalNorm {
		w.final = d.norm("final_norm")
	}
	if d.Outputs > 0 {
		w.outputs = d.linear("outputs", d.Outputs, d.Dim, normal(logitRole, 1, d.Dim), constantLaw(0))
		w.logits = d.matrix(d.rows(), d.Outputs)
	}
	if d.gradient != nil {
		w.derivative = d.tokenMatrix()
	}
}

// constantLaw is that of parameters that all have one value.
func constantLaw(value float64) law { return law{kind: constant, scale: value} }

// Forward passes the sequences of a batch through the network and returns their logits, or if it has none the
// tokens after the last layer, a token a row, sequence after sequence. They stay until the next call; so
// must vectors of which embeddings are made. It panics if there are other sequences than the workspace is
// for.
func (w *Workspace) Forward(sequences ...Sequence) blas64.General {
	if len(sequences) != w.batch.Sequences {
		panic(fmt.Sprintf("network: %d sequences, where there should be %d",
			len(sequences), w.batch.Sequences))
	}
	if w.embedding != nil {
		w.input = w.embedding.Forward(sequences)
	} else {
		w.give(sequences)
	}
	x := w.input
	if w.dropped != nil {
		x = w.dropped.Forward(x)
	}
	for _, b := range w.blocks {
		x = b.Forward(x)
	}
	if w.final != nil {
		x = w.final.Forward(x)
	}
	if w.last = x; !w.outputs.weight.has() {
		return x
	}
	w.outputs.forward(x, w.logits)
	return w.logits
}

// give copies tokens that are given.
func (w *Workspace) give(sequences []Sequence) {
	tokens, dim := w.batch.Tokens, w.input.Cols
	for k, s := range sequences {
		x := s.Vectors
		if x.Rows != tokens || x.Cols != dim {
			panic(fmt.Sprintf("network: %d tokens of dimension %d, where there should be %d of dimension %d",
				x.Rows, x.Cols, tokens, dim))
		}
		for t := range tokens {
			copy(row(w.input, k*tokens+t), row(x, t))
		}
	}
}

// Backward takes the derivatives of a loss by what Forward returned, adds those by all parameters to
// Gradient, and returns those by the sequences' vectors, or if they have words by the sums of their
// embeddings. The workspace must have gradients, and the result stays until the next call.
func (w *Workspace) Backward(derivative blas64.General) blas64.General {
	d := w.derivative
	if w.outputs.weight.has() {
		w.outputs.parameters(w.last, derivative)
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
	if w.dropped != nil {
		w.dropped.Backward(d)
	}
	if w.embedding != nil {
		return w.embedding.Backward(d)
	}
	return d
}

// ScaleScores makes the calls of Forward that follow multiply the scores of attention by a factor, 1 in a new
// workspace: the inverse of a temperature of softmax.
func (w *Workspace) ScaleScores(factor float64) { w.work.scores = factor }

// View is what can be seen of a layer after the forward pass, until the next.
type View struct {
	Tokens blas64.General // after the layer, a token a row
	// Attention has the weights of each head, less their mean if gain-controlled, those of one sequence after
	// those of another; nil of the input.
	Attention []blas64.General
}

// Layer is the view of a layer, 0 the input.
func (w *Workspace) Layer(layer int) View {
	if layer == 0 {
		return View{Tokens: w.input}
	}
	return w.blocks[layer-1].view()
}
