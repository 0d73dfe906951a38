package sde

import (
	"fmt"

	"antipode/sphere"
)

// Start is the configuration of a trajectory at layer 0.
type Start interface {
	// Fill writes the tokens to x (N×d), from standard normal numbers.
	Fill(x []float64, d int, normal func() float64) error
	// Validate refuses a start that does not fit N tokens of dimension d.
	Validate(tokens, dim int) error
	// String describes the start in full: starts of different laws have different
	// descriptions. It is part of the address of a cell's random numbers.
	String() string
}

// UniformStart draws all tokens independently and uniformly on the sphere.
type UniformStart struct{}

// Fill implements Start.
func (UniformStart) Fill(x []float64, d int, normal func() float64) error {
	sphere.Uniform(x, d, normal)
	return nil
}

// Validate implements Start.
func (UniformStart) Validate(tokens, dim int) error { return nil }

// String implements Start.
func (UniformStart) String() string { return "uniform" }

// PairStart is two tokens at a given overlap in [-1, 1], in uniform position:
// exactly equal for 1, exactly opposite for -1.
type PairStart struct{ Overlap float64 }

// Fill implements Start.
func (s PairStart) Fill(x []float64, d int, normal func() float64) error {
	return sphere.Pair(x, d, s.Overlap, normal)
}

// Validate implements Start.
func (s PairStart) Validate(tokens, dim int) error {
	if tokens != 2 {
		return fmt.Errorf("start %v: needs 2 tokens, not %d", s, tokens)
	}
	return sphere.ValidateOverlap(dim, s.Overlap)
}

// String implements Start.
func (s PairStart) String() string { return fmt.Sprintf("pair at overlap %v", s.Overlap) }
