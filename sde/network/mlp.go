package network

// mlp is what an MLP keeps of its forward pass.
type mlp struct {
	hidden, active matrix // W₁x + b₁ and φ of it, Tokens × Dim
}

func newMLP(n Network) mlp {
	return mlp{newMatrix(n.Tokens, n.Dim), newMatrix(n.Tokens, n.Dim)}
}

// forward writes W₂φ(W₁x + b₁) + b₂.
func (m *mlp) forward(n Network, w *weights, x, out matrix) {
	value, _ := n.Activation.functions()
	multiply(plain, transposed, 1, x, w.hidden, 0, m.hidden)
	for t := range n.Tokens {
		hidden, active := row(m.hidden, t), row(m.active, t)
		for k, bias := range w.hiddenBias {
			hidden[k] += bias
			active[k] = value(hidden[k])
		}
	}
	multiply(plain, transposed, 1, m.active, w.output, 0, out)
	for t := range n.Tokens {
		addMultiple(row(out, t), 1, w.outputBias)
	}
}

// derive writes to hidden the derivatives with respect to W₁x + b₁, from those with
// respect to the output.
func (m *mlp) derive(n Network, w *weights, out, hidden matrix) {
	_, slope := n.Activation.functions()
	multiply(plain, plain, 1, out, w.output, 0, hidden)
	for k, h := range m.hidden.Data {
		hidden.Data[k] *= slope(h)
	}
}

// parameters writes the derivatives with respect to the weights, to tokens x.
func (m *mlp) parameters(x, out, hidden matrix, g *weights) {
	multiply(transposed, plain, 1, out, m.active, 0, g.output)
	multiply(transposed, plain, 1, hidden, x, 0, g.hidden)
}
