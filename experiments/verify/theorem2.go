package verify

import (
	"math"

	"antipode/sde"
)

var theorem2 = []Claim{
	{"thm2-below", Clustering, "Theorem 2", "where d-2 ≥ cosh 2β two tokens never become antipodal", theorem2Below},
	{"thm2-probability", Clustering, "Theorem 2, (24)", "two tokens become antipodal with the probability of the scale function", theorem2Probability},
}

// theorem2Below counts the pairs near overlap -1 at time 100, where the Fokker-Planck
// equation leaves next to none.
func theorem2Below(l *laboratory, r *report) error {
	const horizon, trajectories, tolerance = 100, 1000, 1e-3
	for _, c := range []struct {
		dim  int
		beta float64
	}{{4, 0.3}, {6, 0.6}, {10, 1}} {
		cell := transformerPair(c.dim, c.beta, sde.Softmax, 30, 0)
		cell.Start = sde.UniformStart{}
		limit, err := l.limitOf(cell)
		if err != nil {
			return err
		}
		laws, err := limit.EvolveUniform([]float64{horizon}, 1e-6)
		if err != nil {
			return err
		}
		seen, err := atLayer(l, cell, trajectories, horizon*int64(cell.Depth), seePair)
		if err != nil {
			return err
		}
		antipodal := count(seen, func(p pair) bool { return p.above <= math.Log(tolerance) })
		p := laws[0].Antipodal(tolerance)
		r.binomial(describe(cell), p.Value, antipodal, trajectories, p.Error)
		r.refute(0.05) // what Theorem 2 excludes is any lasting share
	}
	return nil
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

// theorem2Probability follows pairs until they are within a band of an end, which the scale
// function takes into account. At depth 64 the probabilities are those of the limit up to
// 0.003.
func theorem2Probability(l *laboratory, r *report) error {
	const band, trajectories, depth, horizon = 1e-5, 10_000, 64, 200
	for _, c := range []struct {
		dim         int
		beta, start float64
	}{{3, 1, 0}, {2, 1, 0.5}, {4, 1, 0}, {5, 1.5, -0.3}, {8, 3, 0.2}} {
		cell := transformerPair(c.dim, c.beta, sde.Softmax, depth, c.start)
		limit, err := l.limitOf(cell)
		if err != nil {
			return err
		}
		p, err := limit.HitFrom(c.start, -1+band, 1-band)
		if err != nil {
			return err
		}
		antipodal, _, err := exits(l, cell, trajectories, horizon*depth, band)
		if err != nil {
			return err
		}
		r.binomial(describe(cell), p.Value, antipodal, trajectories, 0.003)
	}
	return nil
}
