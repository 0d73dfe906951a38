package selfattention

import (
	"antipode/sde/internal/kernels"
	"antipode/sphere/activation"
)

// Feedforward is an MLP, in lanes, that adds Scale·W₂φ(Root·W₁x) to every token x. The entries of W₁ and W₂
// are standard normal; all tokens of a lane share W₁ and W₂.
type Feedforward struct {
	Activation activation.Activation
	Width      int // number of hidden units
	Root       float64
	Scale      float64
	// InSequence says that the MLP is applied after attention, to tokens that have been normalised after
	// attention.
	InSequence bool
	// Draw fills the entries of both matrices of a layer with random numbers, which differ from lane to lane.
	Draw func(entries []Vector)

	entries, first, second []Vector // weights W₁, m×d, and W₂, d×m
	hidden                 []Vector // hidden units of the tokens, N×m
}

// Add adds an MLP to every layer. Add must be called before the first Step.
func (t *Tokens) Add(m *Feedforward) {
	size := m.Width * t.d
	m.entries = make([]Vector, 2*size)
	m.first, m.second = m.entries[:size], m.entries[size:]
	m.hidden = make([]Vector, t.n*m.Width)
	t.mlp = m
}

// of samples the matrices of the MLP of a layer, and returns the m hidden units of each of the n tokens x,
// n×m.
func (m *Feedforward) of(x []Vector, n, d int) []Vector {
	m.Draw(m.entries)
	hidden := m.hidden[:n*m.Width]
	clear(hidden)
	active().addProducts(hidden, m.first, x, n, m.Width, d, 1)
	kernels.Activate(m.Activation, kernels.Numbers(hidden), m.Root)
	return hidden
}
