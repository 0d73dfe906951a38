package verify

import (
	"antipode/sde"
	"antipode/sphere"
)

// seenOutcome is the outcome of a configuration, and whether it has an antipodal pair.
type seenOutcome struct {
	outcome sphere.Outcome
	pair    bool
}

func classify(v *sde.View) (s seenOutcome) {
	s.outcome, s.pair = v.Outcome(tolerance)
	return s
}

// tokens is N tokens of recursion (4) from independent uniform starts.
func tokens(n, dim int, beta float64, depth int) sde.Cell {
	return sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: n, Dim: dim, Beta: beta, Depth: depth, Start: sde.UniformStart{}}
}

func fractionOf(seen []seenOutcome, outcome sphere.Outcome) int {
	return count(seen, func(s seenOutcome) bool { return s.outcome == outcome })
}
