package sde

import (
	"fmt"

	"antipode/sphere"
)

// Start is the configuration of the tokens of a trajectory at layer 0.
type Start interface {
	// Fill writes the tokens of a trajectory to x (N×d), computed from standard normal numbers, which the
	// function normal samples.
	Fill(x []float64, d int, trajectory int64, normal func() float64) error
	// Validate returns an error if the start does not fit N tokens of dimension d.
	Validate(tokens, dim int) error
	// String describes the start completely: starts with different laws have different descriptions. The
	// description is part of the address of a cell's random numbers.
	String() string
}

// UniformStart samples all tokens independently and uniformly on the sphere.
type UniformStart struct{}

// Fill implements Start.
func (UniformStart) Fill(x []float64, d int, _ int64, normal func() float64) error {
	sphere.Uniform(x, d, normal)
	return nil
}

// Validate implements Start.
func (UniformStart) Validate(tokens, dim int) error { return nil }

// String implements Start.
func (UniformStart) String() string { return "uniform" }

// PairStart starts from two tokens with a given overlap in [-1, 1], in uniformly random position on the
// sphere. For overlap 1 the two tokens are exactly equal, and for overlap -1 exactly opposite.
type PairStart struct{ Overlap float64 }

// Fill implements Start.
func (s PairStart) Fill(x []float64, d int, _ int64, normal func() float64) error {
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

// OppositeStart starts from two opposite clusters, in uniformly random position on the sphere: the first
// First tokens are at one point of the sphere, and the other Second tokens at the exactly opposite point.
// Both First and Second must be at least 1.
type OppositeStart struct{ First, Second int }

// Fill implements Start.
func (s OppositeStart) Fill(x []float64, d int, _ int64, normal func() float64) error {
	point := x[:d]
	sphere.Uniform(point, d, normal)
	for i := 1; i < s.First; i++ {
		copy(x[i*d:(i+1)*d], point)
	}
	for i := s.First; i < s.First+s.Second; i++ {
		for k, v := range point {
			x[i*d+k] = -v
		}
	}
	return nil
}

// Validate implements Start.
func (s OppositeStart) Validate(tokens, dim int) error {
	if s.First < 1 || s.Second < 1 {
		return fmt.Errorf("start %v: a cluster has at least 1 token", s)
	}
	if sum := uint64(s.First) + uint64(s.Second); sum != uint64(tokens) {
		return fmt.Errorf("start %v: needs %d tokens, not %d", s, sum, tokens)
	}
	return nil
}

// String implements Start.
func (s OppositeStart) String() string {
	return fmt.Sprintf("opposite clusters of %d and %d", s.First, s.Second)
}
