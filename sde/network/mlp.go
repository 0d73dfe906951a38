package network

// mlp is the MLP of a layer, which maps a token x to W₂φ(W₁x + b₁) + b₂ or, if gated, to W₂(φ(u)⊙v) + b₂,
// where u and v are the two halves of W₁x + b₁.
type mlp struct {
	first, second  linear
	activation     Activation
	gated          bool
	input          matrix   // tokens that the MLP reads
	hidden, active matrix   // W₁x + b₁ and the hidden activations, Tokens × width
	dropped        *dropout // dropout of the hidden activations; nil if there is no dropout
	read           matrix   // the input of W₂: the hidden activations after dropout
	out            matrix
	work           *work
}

// Forward implements layer.
func (m *mlp) Forward(x matrix) matrix {
	m.input = x
	m.first.forward(x, m.hidden)
	if m.gated {
		for t := range x.Rows {
			active, u, v := m.gates(t)
			m.activation.apply(active, u)
			multiplyEntries(active, active, v)
		}
	} else {
		m.activation.apply(m.active.Data, m.hidden.Data)
	}
	m.read = m.active
	if m.dropped != nil {
		m.read = m.dropped.Forward(m.active)
	}
	m.second.forward(m.read, m.out)
	return m.out
}

// gates returns the hidden activations of a token, and both halves of W₁x + b₁ from which they are
// computed.
func (m *mlp) gates(t int) (active, u, v []float64) {
	active, hidden := row(m.active, t), row(m.hidden, t)
	return active, hidden[:len(active)], hidden[len(active):]
}

// Backward implements layer.
func (m *mlp) Backward(derivative matrix) {
	hidden := m.work.hidden
	m.second.parameters(m.read, derivative)
	if m.gated {
		active := m.work.active
		m.inner(derivative, active)
		for t := range active.Rows {
			m.backwardGates(t, row(active, t), row(hidden, t))
		}
	} else {
		m.inner(derivative, hidden)
		m.activation.chain(hidden.Data, m.hidden.Data)
	}
	m.first.parameters(m.input, hidden)
	m.first.input(hidden, 0, derivative)
}

// inner converts derivatives with respect to the outputs of the MLP to derivatives with respect to its hidden
// activations.
func (m *mlp) inner(derivative, to matrix) {
	m.second.input(derivative, 0, to)
	if m.dropped != nil {
		m.dropped.Backward(to)
	}
}

// backwardGates converts derivatives with respect to the hidden activations of a token to derivatives
// with respect to both halves of W₁x + b₁.
func (m *mlp) backwardGates(t int, derivative, halves []float64) {
	_, u, v := m.gates(t)
	byU, byV := halves[:len(u)], halves[len(u):]
	m.activation.apply(byV, u)
	multiplyEntries(byV, byV, derivative)
	multiplyEntries(byU, derivative, v)
	m.activation.chain(byU, u)
}
