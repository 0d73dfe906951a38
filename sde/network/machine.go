package network

import (
	"context"
	"fmt"

	"antipode/sde/internal/rowwise"
	"antipode/sde/matrices"

	"gonum.org/v1/gonum/mat"
)

// machine computes the networks of an ensemble, one at a time, in the same memory. A machine holds the
// weights of one layer, which are sampled when tokens reach the layer, and the embeddings of only the words
// that occur.
type machine struct {
	network   Network
	words     [][]int       // given words of each sequence; nil if they are random
	zipf      zipf          // law of random words; nil for the uniform law
	embedding *embedding    // nil if tokens are given by their geometry
	inputs    *register     // parameters of the embedding
	layer     *register     // parameters of one layer
	given     matrix        // tokens before the first layer, or vectors
	sequences []matrix      // tokens of each sequence before a layer
	blocks    []*block      // blocks of all layers; a single block without gradients
	gradient  []float64     // gradient with respect to the parameters of one layer; nil without gradients
	loss      *crossEntropy // nil if the derivatives of tokens are asked for
	classes   int           // number of classes of the loss
	probe     matrix
	pass      matrix // derivatives during the backward pass
	ranks     bool
}

func newMachine(e *Ensemble) *machine {
	m := &machine{network: e.Network, words: e.Words, classes: e.Classes, ranks: e.Ranks}
	m.sequences = make([]matrix, e.sequences())
	if e.Gradients {
		m.gradient = make([]float64, measured(e).layer.size)
	}
	if e.Zipf {
		m.zipf = newZipf(e.Network.Embedding.Vocabulary)
	}
	m.draft(&drafter{Network: e.Network, tokens: e.Network.Tokens}, e.Network.Layers)
	return m
}

// measured returns the machine of an ensemble with the diagram of a single layer, with all parameters but
// without memory.
func measured(e *Ensemble) *machine {
	m := &machine{network: e.Network, classes: e.Classes, sequences: make([]matrix, e.sequences())}
	if e.Gradients {
		m.gradient = []float64{}
	}
	m.draft(&drafter{Network: e.Network, tokens: e.Network.Tokens, measure: true}, 1)
	return m
}

// draft creates the given number of layers of the machine.
func (m *machine) draft(d *drafter, layers int) {
	n := m.network
	m.inputs, m.layer = newRegister(), newRegister()
	d.takeWork(m.gradient != nil, 1)
	d.register = m.inputs
	if n.Input == Embedded {
		m.embedding = d.embedding(n.Tokens)
		if n.Embedding.Features > 0 {
			m.given = d.matrix(n.Tokens-m.embedding.first(), n.Embedding.Features)
		}
	} else {
		m.given = d.tokenMatrix()
	}
	d.register, d.gradient = m.layer, m.gradient
	if m.gradient == nil {
		layers = min(layers, 1)
		for k := range m.sequences {
			m.sequences[k] = d.tokenMatrix()
		}
	} else {
		m.probe, m.pass = d.tokenMatrix(), d.tokenMatrix()
		if m.classes > 0 {
			m.loss = d.crossEntropy(m.classes)
		}
	}
	for range layers {
		m.blocks = append(m.blocks, d.block(0, "layer."))
	}
}

// input samples the embeddings, and returns the tokens of a sequence before the first layer.
func (m *machine) input(s *source, number int) matrix {
	n := m.network
	if m.embedding == nil {
		s.tokens(n, m.given)
		return m.given
	}
	var sequence Sequence
	var rows []int
	if m.embedding.law.Vocabulary == 0 {
		s.normals(m.given, 1, tokenRole, 0, nil)
		sequence.Vectors = m.given
	} else {
		if m.words != nil {
			rows = m.words[number]
		} else {
			rows = s.words(m.zipf, number, n.Tokens-m.embedding.first(), n.Embedding.Vocabulary)
		}
		for k := range rows { // row k of the weights belongs to word k of the sequence
			sequence.Words = append(sequence.Words, k)
		}
	}
	for _, p := range m.inputs.parameters {
		if p.law.role == wordRole {
			s.normals(rowsOf(matrixOf(p.Rows, p.Cols, p.Value), 0, len(rows)), p.law.scale, wordRole, 0, rows)
		} else {
			s.draw(p, 0)
		}
	}
	return m.embedding.Forward([]Sequence{sequence})
}

// drawLayer samples the weights of a layer of the network.
func (m *machine) drawLayer(s *source, layer int) {
	for _, p := range m.layer.parameters {
		s.draw(p, layer)
	}
}

// run computes the forward pass of a network and, with gradients, the backward pass. For the backward pass
// the weights of each layer are sampled again. The function show is called with every sequence after every
// layer.
func (m *machine) run(
	ctx context.Context, s *source, show func(sequence, layer int, v View) error,
) (layers []Layer, err error) {
	n := m.network
	for l := range n.Layers + 1 {
		if l > 0 {
			m.drawLayer(s, l-1)
		}
		seen := make([]Layer, len(m.sequences))
		for k := range seen {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if seen[k], err = m.advance(s, k, l, show); err != nil {
				return nil, err
			}
		}
		layers = append(layers, meanOf(seen))
	}
	if m.gradient == nil || n.Layers == 0 {
		return layers, nil
	}
	if m.loss == nil {
		s.normals(m.probe, 1, wholeProbe, n.Layers-1, nil)
	} else {
		m.loss.derivative(m.sequences[0], m.loss.draw(s), m.probe)
	}
	for l := n.Layers - 1; l >= 0; l-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.drawLayer(s, l)
		b := m.blocks[l]
		layers[l+1].Local = m.local(s, l)
		clear(m.gradient)
		b.Backward(m.probe)
		layers[l+1].Whole = b.gradients()
		layers[l+1].Whole.Input = rowwise.Dot(m.probe.Data, m.probe.Data)
	}
	return layers, nil
}

// advance passes a sequence through a layer, whose weights have been sampled, and returns the statistics of
// the sequence after the layer. Layer 0 is the input.
func (m *machine) advance(
	s *source, sequence, layer int, show func(sequence, layer int, v View) error,
) (seen Layer, err error) {
	var v View
	if layer == 0 {
		v.Tokens = m.input(s, sequence)
		seen = observeWith(m.network, v.Tokens)
	} else {
		b := m.blocks[(layer-1)%len(m.blocks)]
		b.Forward(m.sequences[sequence])
		v = b.view()
		if seen = observeWith(m.network, v.Tokens); !seen.bounded() {
			return seen, fmt.Errorf("layer %d: the tokens become 0 or overflow", layer)
		}
		seen.Excess, seen.Jacobian = b.attention.excess()
	}
	if m.ranks {
		excess, err := matrices.CovarianceExcess(mat.NewDense(v.Tokens.Rows, v.Tokens.Cols, v.Tokens.Data))
		if err != nil {
			return seen, fmt.Errorf("layer %d: %w", layer, err)
		}
		seen.StableRank = 1 + excess
	}
	if m.gradient == nil {
		copy(m.sequences[sequence].Data, v.Tokens.Data)
	} else {
		m.sequences[sequence] = v.Tokens
	}
	return seen, show(sequence, layer, v)
}

// local returns the squared norms of the gradients of the outputs of the attention and of the MLP of a layer,
// with respect to the weights and the input of this layer.
func (m *machine) local(s *source, l int) Gradients {
	b := m.blocks[l]
	clear(m.gradient)
	s.normals(m.pass, 1, attentionProbe, l, nil)
	b.attention.Backward(m.pass)
	input := rowwise.Dot(m.pass.Data, m.pass.Data)
	if b.mlp != nil {
		s.normals(m.pass, 1, mlpProbe, l, nil)
		b.mlp.Backward(m.pass)
	}
	g := b.gradients()
	g.Input = input
	return g
}
