package network

import (
	"fmt"

	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/blas/blas64"
)

// Transformer is a network with given weights, which any number of Workspaces may read concurrently. The
// weights must not be changed while a Workspace reads them.
type Transformer struct {
	Network Network
	// Parameters are all weights of the Transformer, from the input to the outputs; layers may share
	// parameters.
	Parameters []*Parameter
	register   *register
}

// New returns a Transformer with the law n and random initial weights, which depend on the seed and the
// number network. The Transformer has the weights of the network with this number in an Ensemble of the same
// law and seed. The error of New is that of Network.Validate.
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

// Size returns the number of weights of the Transformer.
func (t *Transformer) Size() int { return t.register.size }

// Workspace is the memory in which one goroutine passes sequences through a Transformer.
type Workspace struct {
	// Gradient contains the derivatives with respect to all parameters, in their order, accumulated by calls
	// of Backward; the caller resets Gradient to 0. Gradient is nil for a batch without gradients.
	Gradient []float64

	batch     Batch
	work      *work
	embedding *embedding // nil if tokens are given by their geometry
	input     matrix     // tokens before the first layer
	dropped   *dropout   // dropout of the tokens before the first layer; nil if there is none
	blocks    []*block
	final     *norm  // LayerNorm after the last layer; nil if there is none
	outputs   linear // map to the logits; without a weight if there are no logits
	last      matrix // tokens after the last layer
	logits    matrix

	derivative matrix
}

// Batch specifies what passes through a Workspace at once.
type Batch struct {
	Sequences int  // number of sequences, all of the same length, at least 1; 0 stands for 1
	Tokens    int  // length of each sequence, 1 to Network.Tokens; 0 stands for Network.Tokens
	Workers   int  // number of goroutines for a matrix product; results do not depend on this number
	Gradients bool // whether Backward may follow Forward
	Dropout   Dropout
	// FixedStrengths leaves the derivatives with respect to strengths of residual connections at 0. The
	// derivatives with respect to strengths are sums over all tokens.
	FixedStrengths bool
}

// of returns the batch with the defaults of the network in place of zeros.
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

// Workspace returns the memory to pass a batch through the Transformer. Dropout is off until Drop is called.
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

// Memory estimates the memory, in bytes, of a Transformer of the network and of the given number of
// workspaces for a batch.
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
	if n.Layers > 0 { // all layers after the first need the same memory
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

// transformer builds the complete diagram of a Transformer in the memory of a workspace.
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

// constantLaw is the law of parameters whose entries all have the same value.
func constantLaw(value float64) law { return law{kind: constant, scale: value} }

// Forward passes the sequences of a batch through the network. Forward returns the logits of the tokens or,
// if the network has no logits, the tokens after the last layer: a row for each token, sequence after
// sequence. The returned matrix is valid until the next call of Forward. Until then, the vectors of the
// sequences must not be changed. Forward panics if the sequences do not match the workspace.
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

// give copies the vectors of the sequences, which are the tokens before the first layer, to the memory of the
// workspace.
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

// Backward takes the derivatives of a loss with respect to the result of Forward, and adds the derivatives
// with respect to all parameters to Gradient. Backward returns the derivatives with respect to the vectors of
// the sequences or, for words, with respect to the sums of their embeddings. The batch of the workspace must
// have gradients, and the returned matrix is valid until the next call of Backward.
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

// ScaleScores sets the factor by which later calls of Forward multiply attention scores, which is the inverse
// of a softmax temperature. The factor is 1 in a new workspace.
func (w *Workspace) ScaleScores(factor float64) { w.work.scores = factor }

// View shows a layer after the forward pass; it is valid until the next forward pass.
type View struct {
	Tokens blas64.General // tokens after the layer, each a row
	// Attention contains the attention matrices of the heads of the layer, sequence after sequence; with gain
	// control, the mean of each row is subtracted. For the input, Attention is nil.
	Attention []blas64.General
}

// Layer returns the view of a layer after the last forward pass; layer 0 is the input.
func (w *Workspace) Layer(layer int) View {
	if layer == 0 {
		return View{Tokens: w.input}
	}
	return w.blocks[layer-1].view()
}
