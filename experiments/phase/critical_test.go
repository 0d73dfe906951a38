package phase

import (
	"context"
	"errors"
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/theory"
	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sde"
)

// With unnormalized attention too, intervals contain the critical β.
func TestIntervalsOfTheCriticalBetaOfUnnormalizedAttention(t *testing.T) {
	longtest.Only(t)
	checkCritical(t, sde.Unnormalized, 6, 40, 1.0940)
}

// Intervals contain the critical β, whose exact value at a depth was computed by quadrature of the law of one
// step.
func TestIntervalsOfTheCriticalBetaHoldIt(t *testing.T) {
	longtest.Only(t)
	checkCritical(t, sde.Softmax, 4, 10, 0.71078)
}

// With unnormalized attention the growth rate divided by its clock is nearly linear in tanh²β: through the
// exact growth rates at any depth, the line near the critical β has its zero within 0.01 of the critical β.
func TestCriticalBetaOfExactGrowths(t *testing.T) {
	p := New()
	p.Attention = sde.Unnormalized
	for _, depth := range []int64{5, 40, 1000} {
		for _, dim := range []int{4, 6, 10, 64} {
			p.Depth = depth
			beta := experimenttest.Must(theory.CriticalBetaDepth(dim, overlap.Unnormalized, p.Sigma,
				p.Covariance, depth))
			exact := func(t []float64) (at zero) {
				g := growths{variance: 1e-6}
				for _, x := range t {
					layer := experimenttest.Must(finitedepth.Antipodal(dim, betaOf(x),
						overlap.Unnormalized, p.Sigma, int(depth)))
					clock := p.clock(dim, x)
					g.t, g.clock = append(g.t, x), append(g.clock, clock)
					g.mean = append(g.mean, layer.Lyapunov()*float64(depth)/clock)
				}
				at.t, at.low, at.high = g.line().root()
				return at
			}
			at := exact(p.wholeRange())
			for range p.refinements() {
				at = exact(p.near(at))
			}
			if got := betaOf(at.t); !(math.Abs(got-beta) < 0.01) {
				t.Errorf("d = %d, depth %d: %.4f, want %.4f", dim, depth, got, beta)
			}
		}
	}
}

// checkCritical checks that at least 50 of 60 intervals of 95 % contain the critical β. If they do with
// probability 95 %, fewer do so once in 1600 tests. It also checks that the standard error that the intervals
// imply agrees with the scatter of the estimates, up to 40 %.
func checkCritical(t *testing.T, attention sde.Attention, dim int, depth int64, beta float64) {
	t.Helper()
	p := New()
	p.Attention, p.Depth, p.Trajectories = attention, depth, 200
	held, sum, squares, width := 0, 0., 0., 0.
	for seed := range uint64(60) {
		at := experimenttest.Must(p.critical(t.Context(), run.Options{Seed: seed}, dim))
		if at.Low <= beta && beta <= at.High {
			held++
		}
		sum += at.Beta - beta
		squares += (at.Beta - beta) * (at.Beta - beta)
		width += (at.High - at.Low) / 2 / normal95
	}
	t.Logf("%v, d = %d, depth %d: %d of 60, mean error %.4f, deviation %.4f, standard error %.4f",
		attention, dim, depth, held, sum/60, math.Sqrt(squares/60), width/60)
	if held < 50 || !(math.Abs(math.Sqrt(squares)/math.Sqrt(60)/(width/60)-1) < 0.4) {
		t.Errorf("%v, d = %d, depth %d: %d of 60 intervals hold β_c", attention, dim, depth, held)
	}
}

// In dimension 2 two opposite tokens always attract each other: there is no β_c.
func TestNoCriticalBeta(t *testing.T) {
	p := New()
	p.Depth, p.Trajectories = 10, 200
	at := experimenttest.Must(p.critical(t.Context(), run.Options{Seed: 1}, 2))
	if !math.IsNaN(at.Beta) || !math.IsNaN(at.Low) || !math.IsNaN(at.High) {
		t.Errorf("%+v", at)
	}
}

// There is no estimate if its interval would have no upper end.
func TestCriticalBetaHasBothEnds(t *testing.T) {
	p := New()
	p.Depth, p.Trajectories = 2, 20
	for _, seed := range []uint64{2, 3} {
		at := experimenttest.Must(p.critical(t.Context(), run.Options{Seed: seed}, 40))
		if math.IsInf(at.High, 1) {
			t.Errorf("seed %d: %+v", seed, at)
		}
	}
}

// A least squares line through points with the same variance, and Fieller's interval for its root: at its
// ends the absolute value of the line is 1.96 times its standard error. A line that may be flat has no root.
func TestRootOfALine(t *testing.T) {
	g := growths{t: []float64{0, 1, 2}, clock: []float64{1, 1, 1}, mean: []float64{1.1, 0.1, -1.2},
		variance: 0.01}
	zero, low, high := g.line().root()
	if !(math.Abs(zero-1) <= 1e-12) {
		t.Errorf("root %v, want 1", zero)
	}
	for _, at := range []float64{low, high} {
		value := -1.15 * (at - 1)
		if e := math.Sqrt(0.01/3 + 0.01/2*(at-1)*(at-1)); !(math.Abs(math.Abs(value)/e-1.96) <= 1e-9) {
			t.Errorf("%v is %v standard errors off", at, math.Abs(value)/e)
		}
	}
	g.mean = []float64{0.01, 0, -0.01}
	if zero, _, _ := g.line().root(); !math.IsNaN(zero) {
		t.Errorf("root %v of a line that may be flat", zero)
	}
}

// The estimate of the critical β is the same for any number of workers, and exists for laws of the entries
// for which there is no theory.
func TestCriticalBetaOfOtherLaws(t *testing.T) {
	p := New()
	p.Depth, p.Trajectories, p.Law, p.Method = 20, 1000, sde.Uniform, sde.Tokens
	one := experimenttest.Must(p.critical(t.Context(), run.Options{Seed: 3, Workers: 1}, 4))
	two := experimenttest.Must(p.critical(t.Context(), run.Options{Seed: 3, Workers: 3}, 4))
	if one != two || !(one.Low < 0.69 && one.High > 0.66 && one.High-one.Low < 0.15) {
		t.Errorf("%+v, %+v", one, two)
	}
}

// The simulation of the critical β stops if its context ends.
func TestCriticalBetaStops(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	p := New()
	c, err := p.critical(ended, run.Options{Seed: 1, Workers: 1}, 4)
	if !errors.Is(err, context.Canceled) || !math.IsNaN(c.Beta) {
		t.Errorf("β_c = %+v, error %v", c, err)
	}
}
