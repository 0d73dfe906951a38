package sde

import (
	"antipode/internal/enum"
	"antipode/sde/internal/attention"
	"antipode/sde/internal/kernels"
)

// Attention is a kind of self-attention of tokens: how scores s_ij of tokens i and j become weights.
type Attention int8

const (
	// Softmax is the attention of eq. (2), with weights that sum to 1: A_i = Σ_j e^{s_ij} x_j / Σ_j e^{s_ij}.
	Softmax Attention = iota
	// Unnormalized is the attention of eq. (3), divided by the number of tokens N: A_i = (1/N) Σ_j e^{s_ij}
	// x_j.
	Unnormalized
)

// AttentionNames are the names of the kinds of attention, in the order of the constants Softmax and
// Unnormalized.
var AttentionNames = []string{"softmax", "unnormalized"}

// String returns the name of the kind of attention.
func (a Attention) String() string { return enum.Name(AttentionNames, a, "Attention") }

// MarshalText returns the name of the kind of attention, or an error for a value that has no name.
func (a Attention) MarshalText() ([]byte, error) {
	return enum.Marshal(AttentionNames, a, "attention")
}

// UnmarshalText sets the kind of attention to that with the given name, one of AttentionNames.
func (a *Attention) UnmarshalText(text []byte) error {
	return enum.Unmarshal(AttentionNames, a, "attention", text)
}

// Field writes the attention field of the tokens x (N×d) of the cell to dst: row i is A_i of eq. (2) or (3).
// The cell must be valid; the attention does not depend on its noise and start. The slices dst and x must not
// overlap.
func (c Cell) Field(dst, x []float64) { c.newAttention().Field(dst, x) }

// Weights writes the attention matrix of the tokens x (N×d) of the cell to dst, N×N, row-major: entry (i, j)
// is the coefficient of x_j in A_i of eq. (2) or (3). The cell must be valid; the matrix does not depend on
// its noise and start. The slices dst and x must not overlap.
func (c Cell) Weights(dst, x []float64) { attention.NewByLoops(c.attention()).Weights(dst, x) }

// newAttention returns the attention of the cell's tokens.
func (c Cell) newAttention() *attention.Attention { return attention.New(c.attention()) }

// attention returns the settings that determine the attention of the cell's tokens.
func (c Cell) attention() attention.Settings {
	s := attention.Settings{Attention: c.fieldsAttention(), Spread: c.Resampling.Spread,
		Keys: c.Resampling.Keys}
	s.Kernel = c.ownKernel()
	return s
}

// GaussianInteraction returns a d×d matrix B (row-major) of independent normal entries of standard deviation
// scale. Over random matrices B, the score x·By of any two unit tokens x and y is normal with standard
// deviation scale, if β = 1. GaussianInteraction returns the same matrix for a dimension d in every run,
// whatever the seed of the trajectories.
func GaussianInteraction(d int, scale float64) []float64 {
	const seed, cell = 0, 0x696e746572616374 // spells "interact"; a cell's ID, in contrast, is a hash
	matrix := make([]float64, d*d)
	kernels.NewStream(seed, cell).Normals(matrix, scale, kernels.Starts, 0, 0)
	return matrix
}
