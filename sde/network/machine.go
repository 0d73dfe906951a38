package network

import (
	"context"
	"fmt"
)

// machine computes one network after another.
type machine struct {
	network Network
	weights *weights
	input   matrix
	blocks  []*block // of all layers, or one or two that take turns
	grads   *weights // nil without gradients
	way     *way
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
	m.grads, m.way = newWeights(n), newWay(n)
	return m
}

// run passes the tokens of a network forward and, with gradients, back. The weights of each
// layer are drawn again on the way back.
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
		seen := observe(b.out, n.Late)
		if !seen.bounded() {
			return nil, fmt.Errorf("layer %d: the tokens become 0 or overflow", l+1)
		}
		seen.Excess = b.attention.excess(n)
		layers = append(layers, seen)
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
		copy(m.way.tokens.Data, probe.Data)
		m.blocks[l].backward(n, m.weights, m.grads, m.way)
		layers[l+1].Whole = m.grads.squaredNorms()
		probe, m.way.tokens = m.way.tokens, probe
	}
	return layers, nil
}

// local returns the gradients of a layer's own attention and of its own MLP.
func (m *machine) local(s source, l int) Gradients {
	n, b, y := m.network, m.blocks[l], m.way
	s.fill(y.tokens.Data, 1, l, drawsAttentionProbe)
	y.attention.derive(n, &b.attention, y.tokens)
	y.attention.parameters(b.seen, m.grads)
	s.fill(y.tokens.Data, 1, l, drawsMLPProbe)
	b.mlp.derive(n, m.weights, y.tokens, y.hidden)
	b.mlp.parameters(b.judged, y.tokens, y.hidden, m.grads)
	return m.grads.squaredNorms()
}
