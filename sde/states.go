package sde

import (
	"fmt"
	"math"

	"antipode/sphere"
)

// StatesStart starts from given states: trajectory k of any cell starts from the state with index k modulo
// the number of states. A StatesStart uses no random numbers.
type StatesStart struct {
	states      []float64 // n states of N×d coordinates, one after another
	tokens, dim int
	checksum    string
}

// NewStatesStart returns a start from n ≥ 1 states of N tokens of dimension d (n×N×d). The StatesStart keeps
// the slice of states. Each token's norm must be within 10^-6 of 1. Tokens that have norm 1 up to rounding
// keep their bits, so that a simulation can continue where another ended. Tokens whose norm differs more from
// 1 are normalised, in place.
func NewStatesStart(states []float64, tokens, dim int) (*StatesStart, error) {
	const tolerance = 1e-6
	if tokens < 1 || dim < 1 || len(states) == 0 || len(states)%tokens != 0 || len(states)/tokens%dim != 0 {
		return nil, fmt.Errorf("%d numbers are not states of %d tokens of dimension %d", len(states), tokens,
			dim)
	}
	rounding := float64(dim+20) * 0x1p-52 // bounds the error of a squared norm
	for i := 0; i < len(states); i += dim {
		token := states[i : i+dim]
		square := sphere.Dot(token, token)
		if math.Abs(square-1) <= rounding {
			continue
		}
		if norm := math.Sqrt(square); !(math.Abs(norm-1) <= tolerance) {
			return nil, fmt.Errorf("token %d of state %d has norm %.6g; must be 1",
				i/dim%tokens+1, i/dim/tokens+1, norm)
		}
		sphere.Normalize(token, token)
	}
	return &StatesStart{states: states, tokens: tokens, dim: dim, checksum: Checksum(states)}, nil
}

// Checksum returns the SHA-256 of the states, computed by the function Checksum.
func (s *StatesStart) Checksum() string { return s.checksum }

// Fill implements Start.
func (s *StatesStart) Fill(x []float64, _ int, trajectory int64, _ func() float64) error {
	k := int(trajectory % int64(s.count()))
	copy(x, s.states[k*len(x):(k+1)*len(x)])
	return nil
}

// Validate implements Start.
func (s *StatesStart) Validate(tokens, dim int) error {
	if tokens != s.tokens || dim != s.dim {
		return fmt.Errorf("the states have %d tokens of dimension %d, not %d of dimension %d",
			s.tokens, s.dim, tokens, dim)
	}
	return nil
}

// String implements Start: different states have different descriptions.
func (s *StatesStart) String() string {
	return fmt.Sprintf("%d states of %d tokens of dimension %d, sha256 %s",
		s.count(), s.tokens, s.dim, s.checksum)
}

// count returns the number of states.
func (s *StatesStart) count() int { return len(s.states) / s.tokens / s.dim }
