package sde

import (
	"math"
	"testing"

	"antipode/sphere"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// The fractions of single clusters of two tokens beside a strong rough MLP of width 4, after 15 units of time
// in d = 12 at β = 0.5, with c = 5, tanh and w = 36, which another program has of 3,000 trajectories: both
// arrangements have the limit of none, and the depth hides it, in sequence for longer. Of three reference
// values, 0.970, 0.643 and 0.057 at L = 50, 100 and 200, the first is that of the sublayers together (0.968
// within a tolerance of 0.01) and the last that of sublayers in sequence; the second is that of neither, nor
// of a layer whose tokens are normalised for the MLP alone (0.61) or only after both (0.57). With infinite
// width nothing is single. 120 trajectories: |z| ≤ 4 in six comparisons, a false alarm in 2,500 seeds.
func TestSingleClustersBesideAStrongMLP(t *testing.T) {
	if testing.Short() {
		t.Skip("half a million layers of a block")
	}
	const trajectories, reference = 120, 3000
	for _, c := range []struct {
		arrangement Arrangement
		depth       int
		want        float64
	}{
		{Together, 50, 0.959}, {Together, 100, 0.281}, {Together, 200, 0.029},
		{InSequence, 50, 1}, {InSequence, 100, 0.689}, {InSequence, 200, 0.045},
	} {
		cell := Cell{Model: Transformer{Sigma: 1}, Tokens: 2, Dim: 12, Beta: 0.5, Depth: c.depth,
			Start: UniformStart{}, MLP: MLP{activation.Tanh, 5, 36, 4}, Arrangement: c.arrangement}
		single := 0.0
		e := &Ensemble[sphere.Outcome]{
			Cells: []Cell{cell}, Trajectories: trajectories, Layers: 15 * int64(c.depth), Seed: 14,
			Observer: func(int) func(*sphere.Outcome, *View) {
				return func(row *sphere.Outcome, v *View) { *row, _ = v.Outcome(1e-3) }
			},
			Reduce: func(_ int, _ int64, row sphere.Outcome) error {
				if row == sphere.Single {
					single++
				}
				return nil
			},
		}
		must.Do(t, e.Run(t.Context()))
		variance := max(c.want*(1-c.want), 1./reference) * (1./trajectories + 1./reference)
		if z := (single/trajectories - c.want) / math.Sqrt(variance); !(math.Abs(z) <= 4) {
			t.Errorf("%v, depth %d: single %v, want %v, z = %.1f", c.arrangement, c.depth,
				single/trajectories, c.want, z)
		}
		t.Logf("%v, depth %d: single %v, another program %v", c.arrangement, c.depth, single/trajectories,
			c.want)
	}
}
