package outcomes

import (
	"math"
	"testing"

	"antipode/experiments/setting"
	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// followed records what happens to a trajectory after the bound on a return has fallen to p.
type followed struct {
	decided bool
	outcome sphere.Outcome // when the trajectory was decided
	changed bool           // whether it had another outcome at some later time
}

// follow simulates trajectories and returns what happens to each of them after the bound on a change of its
// outcome has fallen to p. Outcomes are defined by the tolerance edge.
func follow(
	t *testing.T, cell sde.Cell, edge, p float64, trajectories, layers int64,
) (all []followed) {
	t.Helper()
	bounds := must.Get(newErrorBound(cell, edge))(t)
	var times []int64
	for layer := int64(1); layer <= layers; layer++ {
		times = append(times, layer)
	}
	ensemble := &sde.Ensemble[followed]{
		Cells: []sde.Cell{cell}, Trajectories: trajectories, Layers: layers, Times: times, Seed: 8,
		Workers: 1,
		Observer: func(int) func(*followed, *sde.View) {
			return func(row *followed, v *sde.View) {
				above, below := v.Logarithms(0, 1)
				outcome := sphere.PairOutcome(above, below, edge)
				if row.decided {
					row.changed = row.changed || outcome != row.outcome
				} else if bounds.at(above, below) <= p {
					row.decided, row.outcome = true, outcome
				}
			}
		},
		Reduce: func(_ int, _ int64, row followed) error { all = append(all, row); return nil },
	}
	must.Do(t, ensemble.Run(t.Context()))
	return all
}

// The bound holds, and is sharp. With p = 0.01 in place of 1e-9, at most a fraction 0.01 of the trajectories,
// and at least a third of that, have another outcome at some time after they could have ended. Of 3000
// trajectories 0.01 is 30 ± 5.4. More than 57 is a false alarm in 10^5 seeds if the bound holds with
// equality, and less than 10 one in 10^5 if the true fraction is 0.009. With twice the exponent 300 would
// have another outcome.
func TestBoundOfAnEarlyDecisionIsHonest(t *testing.T) {
	longtest.Only(t)
	const p, trajectories = 1e-2, 3000
	for _, method := range []sde.Method{sde.Chain, sde.Tokens} {
		cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Method: method, Tokens: 2, Dim: 2, Beta: 1,
			Depth: 20, Start: sde.UniformStart{}}
		var antipodal, changed int
		for k, row := range follow(t, cell, neighbourhood, p, trajectories, 2000) {
			if !row.decided {
				t.Errorf("%v: trajectory %d is not decided in 2000 layers", method, k)
			}
			if row.outcome == sphere.Antipodal {
				antipodal++
			}
			if row.changed {
				changed++
			}
		}
		t.Logf("%v: of %d trajectories, %d of them antipodal, %d changed their outcome", method, trajectories,
			antipodal, changed)
		if changed > 57 || changed < 10 {
			t.Errorf("%v: %d of %d changed their outcome, the bound is %g", method, changed, trajectories, p)
		}
	}
}

// The hybrid's bound holds and is sharp in the same way, at both ends. Of 2500 trajectories a fraction of
// 0.01 is 25 ± 5: more than 48 is one false alarm in 10^5 seeds, and fewer than 7 one in 10^4 if the true
// fraction is 0.009.
func TestBoundOfAnEarlyHybridDecisionIsHonest(t *testing.T) {
	longtest.Only(t)
	const p, trajectories = 1e-2, 2500
	for _, c := range []struct {
		model     sde.Hybrid
		attention sde.Attention
	}{
		{sde.Hybrid{Law: sde.Rademacher, Epsilon: 1.7}, sde.Softmax},
		{sde.Hybrid{Law: sde.Uniform, Epsilon: 1.3}, sde.Unnormalized},
		{sde.Hybrid{Law: sde.TruncatedNormal, Epsilon: 0.6}, sde.Unnormalized},
	} {
		cell := sde.Cell{Model: c.model, Method: sde.Chain, Tokens: 2, Dim: 3,
			Beta: 1, Depth: 40, Attention: c.attention, Start: sde.UniformStart{}}
		var decided, antipodal, changed int
		for _, row := range follow(t, cell, 1e-3, p, trajectories, 1600) {
			if row.decided {
				decided++
			}
			if row.outcome == sphere.Antipodal {
				antipodal++
			}
			if row.changed {
				changed++
			}
		}
		t.Logf("%+v: %d trajectories decided, %d of them antipodal, %d changed their outcome", c, decided,
			antipodal, changed)
		if changed > 48 || changed < 7 || decided < trajectories*9/10 {
			t.Errorf("%+v: %d of %d changed their outcome, the bound is %g", c, changed, decided, p)
		}
	}
}

// A pair that is almost antipodal approaches -1 with the Lyapunov exponent λ of the theory: over 10^6 layers
// ln(1+Z) falls with slope 2λ, to about -14,000, far below the logarithms of float64 numbers. 4.5 standard
// errors, estimated from the scatter over a hundred parts: one false alarm in 10^5 seeds.
func TestAntipodalPairFallsWithTheLyapunovExponent(t *testing.T) {
	const layers, parts = 1_000_000, 100
	cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Method: sde.Chain, Tokens: 2, Dim: 4, Beta: 1.5,
		Depth: 100, Start: sde.PairStart{Overlap: -1 + 1e-9}}
	layer := must.Get(finitedepth.Antipodal(cell.Dim, cell.Beta, overlap.Softmax, 1, cell.Depth))(t)
	var heights []float64
	ensemble := &sde.Ensemble[[]float64]{
		Cells: []sde.Cell{cell}, Trajectories: 1, Layers: layers, Times: setting.ObservationTimes(layers,
			layers/parts), Seed: 6,
		Observer: func(int) func(*[]float64, *sde.View) {
			return func(row *[]float64, v *sde.View) {
				p, _ := v.Pair()
				*row = append(*row, p.Above)
			}
		},
		Reduce: func(_ int, _ int64, row []float64) error { heights = row; return nil },
	}
	must.Do(t, ensemble.Run(t.Context()))
	total := heights[parts] - heights[0]
	squares := 0.0
	for k := range parts {
		rest := heights[k+1] - heights[k] - total/parts
		squares += rest * rest
	}
	want := 2 * layer.Lyapunov()
	slope, deviation := total/layers, math.Sqrt(squares)/layers
	t.Logf("slope %.6f ± %.6f, theory %.6f, from %.1f to %.1f", slope, deviation, want, heights[0],
		heights[parts])
	if !(math.Abs(slope-want) < 4.5*deviation) || !(heights[parts] < -10_000) {
		t.Errorf("slope %v ± %v, theory %v", slope, deviation, want)
	}
}
