package selfattention

import (
	"antipode/sde/internal/kernels"
	"antipode/sphere/activation"
)

// Feedforward is an MLP that adds Scale·W₂φ(Root·W₁x) to every token x of a layer, with entries of W₁ and W₂
// that are standard normal, and common to the tokens of a lane.
type Feedforward struct {
	Activation activation.Activation
	Width      int // number of hidden units
	Root       float64
	Scale      float64
	// InSequence: it follows attention, and tokens are normalised before it too.
	InSequence bool
	// Draw fills the entries of both matrices of a layer at the lanes' addresses.
	Draw func(entries []Vector)

	entries, first, second []Vector // W₁, m×d, and W₂, d×m
	hidden                 []Vector // N×m
}

// Add puts an MLP into the layers, before the first step.
func (t *Tokens) Add(m *Feedforward) {
	size := m.Width * t.d
	m.entries = make([]Vector, 2*size)
	m.first, m.second = m.entries[:size], m.entries[size:]
	m.hidden = make([]Vector, t.n*m.Width)
	t.mlp = m
}

// of draws the matrices of a layer and returns the hidden units of n tokens.
func (m *Feedforward) of(x []Vector, n, d int) []Vector {
	m.Draw(m.entries)
	hidden := m.hidden[:n*m.Width]
	clear(hidden)
	active().addProducts(hidden, m.first, x, n, m.Width, d, 1)
	kernels.Activate(m.Activation, kernels.Numbers(hidden), m.Root)
	return hidden
}
