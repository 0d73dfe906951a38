package network

import (
	"context"
	"fmt"
)

// machine computes networks, one at a time, in the same memory.
type machine struct {
	network Network
	weights *weights
	input   matrix
	blocks  []*block // of all layers, or one or two that are used in turn
	grads   *weights // nil without gradients
	pass    *backwardPass
}

func newMachine(n Network, gradients bool) *machine {
	m := &machine{network: n, weights: newWeights(n), input: newMatrix(n.Tokens, n.Dim)}
	if !gradients {
		m.blocks = []*block{newBlock(n)}
		return m
	}
	for range n.Layers {
		m.blocks = append(m.blocks, newBlock(n))
	}
	m.grads, m.pass = newWeights(n), newBackwardPass(n)
	return m
}

// run computes the forward pass of a network and, with gradients, the backward pass, for which
// the weights of each layer are drawn again.
func (m *machine) run(ctx context.Context, s source) ([]Layer, error) {
	n := m.network
	s.start(n, m.input)
	layers := []Layer{observe(m.input, n.Late)}
	x := m.input
	for l := range n.Layers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b := m.blocks[l%len(m.blocks)]
		m.weights.draw(n, s, l)
		b.forward(n, m.weights, x)
		layer := observe(b.out, n.Late)
		if !layer.bounded() {
			return nil, fmt.Errorf("layer %d: the tokens become 0 or overflow", l+1)
		}
		layer.Excess = b.attention.excess(n)
		layers = append(layers, layer)
		if x = b.out; m.grads == nil {
			x = m.input
			copy(x.Data, b.out.Data)
		}
	}
	if m.grads == nil || n.Layers == 0 {
		return layers, nil
	}
	probe := newMatrix(n.Tokens, n.Dim)
	s.fill(probe.Data, 1, n.Layers-1, drawsProbe)
	for l := n.Layers - 1; l >= 0; l-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.weights.draw(n, s, l)
		layers[l+1].Local = m.local(s, l)
		copy(m.pass.tokens.Data, probe.Data)
		m.blocks[l].backward(n, m.weights, m.grads, m.pass)
		layers[l+1].Whole = m.grads.squaredNorms()
		probe, m.pass.tokens = m.pass.tokens, probe
	}
	return layers, nil
}

// local returns the gradients of a layer's own attention and of its own MLP.
func (m *machine) local(s source, l int) Gradients {
	n, b, y := m.network, m.blocks[l], m.pass
	s.fill(y.tokens.Data, 1, l, drawsAttentionProbe)
	y.attention.derive(n, &b.attention, y.tokens)
	y.attention.parameters(b.attentionInput, m.grads)
	s.fill(y.tokens.Data, 1, l, drawsMLPProbe)
	b.mlp.derive(n, m.weights, y.tokens, y.hidden)
	b.mlp.parameters(b.mlpInput, y.tokens, y.hidden, m.grads)
	return m.grads.squaredNorms()
}
