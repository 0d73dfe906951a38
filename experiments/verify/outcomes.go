package verify

import (
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
)

// tolerance is that of an outcome, as in the paper's experiments.
const tolerance = 1e-3

// depthShift bounds the change of a probability by finite depth, times the depth. With
// softmax it is 0.35 at d = 8, β = 2 and 0.32 at d = 10, β = 3, and less in smaller
// dimensions.
const depthShift = 0.4

// uniformPair is a pair of tokens of recursion (4) from independent uniform starts.
func uniformPair(dim int, beta float64, depth int) sde.Cell {
	c := transformerPair(dim, beta, sde.Softmax, depth, 0)
	c.Start = sde.UniformStart{}
	return c
}

// outcomeOf is the outcome of a pair.
func outcomeOf(p pair) sphere.Outcome { return sphere.PairOutcome(p.above, p.below, tolerance) }

// outcomes counts the outcomes of a pair at a horizon, beside its law there by the
// Fokker-Planck equation.
func outcomes(
	l *laboratory, c sde.Cell, trajectories int64, horizon float64,
) (counts [3]int, law fokkerplanck.Distribution, err error) {
	limit, err := l.limitOf(c)
	if err != nil {
		return counts, law, err
	}
	laws, err := fokkerplanck.Uniform(limit, []float64{horizon}, 1e-6)
	if err != nil {
		return counts, law, err
	}
	seen, err := atLayer(l, c, trajectories, int64(horizon*float64(c.Depth)), seePair)
	for _, p := range seen {
		counts[outcomeOf(p)]++
	}
	return counts, laws[0], err
}

// count is the number of samples for which an event holds.
func count[T any](samples []T, event func(T) bool) int {
	n := 0
	for _, s := range samples {
		if event(s) {
			n++
		}
	}
	return n
}
