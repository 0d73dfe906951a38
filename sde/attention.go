package sde

import (
	"antipode/sde/internal/attention"
	"antipode/sde/internal/enum"
	"antipode/sde/internal/kernels"
)

// Attention is a kind of self-attention.
type Attention int8

const (
	// Softmax is eq. (2): A_i = Σ_j e^{s_ij} x_j / Σ_j e^{s_ij}.
	Softmax Attention = iota
	// Unnormalized is eq. (3): A_i = (1/N) Σ_j e^{s_ij} x_j.
	Unnormalized
)

// AttentionNames are the names of the kinds of attention, in the order of their
// values.
var AttentionNames = []string{"softmax", "unnormalized"}

// String returns the kind's name.
func (a Attention) String() string { return enum.Name(AttentionNames, a, "Attention") }

// MarshalText returns the kind's name, or an error if it has none.
func (a Attention) MarshalText() ([]byte, error) {
	return enum.Marshal(AttentionNames, a, "attention")
}

// UnmarshalText takes one of AttentionNames.
func (a *Attention) UnmarshalText(text []byte) error {
	return enum.Unmarshal(AttentionNames, a, "attention", text)
}

// Field writes the attention field of the tokens x (N×d) of the cell to dst: row i is A_i of eq. (2) or (3).
// The cell must be valid; its noise and start have no effect. dst must not overlap x.
func (c Cell) Field(dst, x []float64) { c.newAttention().Field(dst, x) }

// Weights writes the attention matrix of the tokens x (N×d) of the cell to dst, N×N, row-major: entry (i, j)
// is the coefficient of x_j in A_i of eq. (2) or (3). The cell must be valid; its noise and start have no
// effect. dst must not overlap x.
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
// scale. With β = 1, the score of any two unit tokens is normal over such matrices, with standard deviation
// scale. For each d the matrix is the same in every run, because it is not part of the random numbers of
// trajectories.
func GaussianInteraction(d int, scale float64) []float64 {
	const seed, cell = 0, 0x696e746572616374 // spells "interact"; a cell's ID, in contrast, is a hash
	matrix := make([]float64, d*d)
	kernels.NewStream(seed, cell).Normals(matrix, scale, kernels.Starts, 0, 0)
	return matrix
}
