package network

// mlp is W₂φ(W₁x + b₁) + b₂.
type mlp struct {
	first, second  linear
	activation     Activation
	input          matrix // tokens
	hidden, active matrix // W₁x + b₁ and φ of it, Tokens × width
	out            matrix
	work           *work
}

// Forward implements layer.
func (m *mlp) Forward(x matrix) matrix {
	m.input = x
	m.first.forward(x, m.hidden)
	m.activation.apply(m.active.Data, m.hidden.Data)
	m.second.forward(m.active, m.out)
	return m.out
}

// Backward implements layer.
func (m *mlp) Backward(derivative matrix) {
	hidden := m.work.hidden
	m.second.parameters(m.active, derivative)
	m.second.input(derivative, 0, hidden)
	m.activation.chain(hidden.Data, m.hidden.Data)
	m.first.parameters(m.input, hidden)
	m.first.input(hidden, 0, derivative)
}
