//go:build long

package simulate

import (
	"testing"

	"antipode/sde"
)

// rareCases are outcomes that are about as rare as the exact law can resolve.
var rareCases = []splitCase{
	{"rare antipodal, tokens", func(s *Experiment) {
		s.Dim, s.Beta, s.Depth, s.Horizon = 10, 0.8, 10, 5
	}, 6.3156e-8},
	{"rare single, hybrid", func(s *Experiment) {
		s.Model, s.Law, s.Splitting = "hybrid", sde.Rademacher, SplitSingle
		s.Dim, s.Beta, s.Epsilon, s.Depth, s.Horizon, s.Method = 6, 1, 3, 20, 10, sde.Chain
		s.Trajectories = 200
	}, 2.6e-7},
}

// The 95 % intervals of 50 runs with different seeds contain the exact probability. If the coverage is 0.92,
// as it may be for skewed estimates, fewer than 39 of them do in one of two thousand tests. With fewer
// trajectories than here, the coverage of the rare outcome of the hybrid model is lower.
func TestSplittingCoverageLong(t *testing.T) {
	for _, c := range append(rareCases, splitCases...) {
		t.Run(c.name, func(t *testing.T) { checkCoverage(t, c, 50, 39) })
	}
}
