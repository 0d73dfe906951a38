package crowd

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/internal/lists"
)

// The time of a run is that of the steps of all tokens: 1.21 times as many as in the largest crowd, in each
// layer, for each β and trajectory, and in each dimension. The workers share it. The time of a step is
// measured, so that a factor of 4 is allowed.
func TestTimeOfARun(t *testing.T) {
	e := New()
	e.Dim, e.Beta, e.Tokens, e.Trajectories = []int{3, 40}, []float64{0, 1, 2}, []int{10, 1000, 200}, 50
	step := e.cell(3, 2, 1000).SecondsPerStep() + e.cell(40, 2, 1000).SecondsPerStep()
	for workers, busy := range map[int]float64{1: 1, 8: 8, 1000: 100} {
		_, needs := e.needs(run.Options{Workers: workers}, 7)
		want := step * 1.21 * 7 * 3 * 50 / busy
		if !(needs.Seconds > want/4 && needs.Seconds < 4*want) {
			t.Errorf("%d workers: %g s, want %g", workers, needs.Seconds, want)
		}
	}
}

// Quantiles of samples of one, two and five numbers, interpolated between them.
func TestQuantiles(t *testing.T) {
	for _, c := range []struct {
		sample      []float64
		share, want float64
	}{{[]float64{3}, 0, 3}, {[]float64{3}, 1, 3}, {[]float64{1, 2}, 0.25, 1.25}, {[]float64{1, 2}, 1, 2},
		{[]float64{0, 1, 10, 20, 40}, 0.5, 10}, {[]float64{0, 1, 10, 20, 40}, 0.625, 15},
		{[]float64{0, 1, 10, 20, 40}, 0, 0}, {[]float64{0, 1, 10, 20, 40}, 1, 40}} {
		if got := quantile(c.sample, c.share); !(math.Abs(got-c.want) <= 1e-14) {
			t.Errorf("%v at %g: %v, want %v", c.sample, c.share, got, c.want)
		}
	}
}

// In four dimensions opposite clusters attract beyond β_c = ½ arcosh 2, and at every β > 0 in three. The
// predicted slope is that of the times where they do not.
func TestWhereClustersAttract(t *testing.T) {
	critical := 0.5 * math.Acosh(2)
	for _, c := range []struct {
		d    int
		beta float64
		want bool
	}{{2, 0, true}, {3, 1e-9, true}, {4, critical - 1e-9, false}, {4, critical + 1e-9, true}, {4, 0, false}} {
		if got := attracts(c.d, c.beta); got != c.want || math.IsNaN(predictedSlope(c.d, c.beta)) != c.want {
			t.Errorf("%+v: attract %v, slope %v", c, got, predictedSlope(c.d, c.beta))
		}
	}
}

// The mean of three tokens and one that is opposite has length ½, at which no side has won yet.
func TestHalfIsNotWon(t *testing.T) {
	c := crowd{tokens: []float64{1, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0, 0}}
	c.won = math.NaN()
	if c.look(3, 1); !math.IsNaN(c.won) {
		t.Errorf("won after layer %v", c.won)
	}
	c.tokens[6] = 1
	if c.look(3, 2); c.won != 2 {
		t.Errorf("won after layer %v", c.won)
	}
}

// Too many cells are refused, and a horizon or a time that is no whole number of layers, or a time beyond the
// horizon; the time counts only if there are several numbers of tokens.
func TestRefusedCrowds(t *testing.T) {
	many := func(n int) []int { return lists.Of(n, func(k int) int { return k + 2 }) }
	for _, c := range []struct {
		change        func(e *Experiment)
		name, problem string
	}{
		{func(e *Experiment) {
			e.Dim, e.Tokens = many(100), many(11)
			e.Beta = lists.Of(100, func(k int) float64 { return float64(k) })
		}, "tokens", "with 100 β and 100 dimensions these are 110000 cells; must be at most 100000"},
		{func(e *Experiment) { e.Horizon = 0.01 }, "horizon", "must be a whole number of layers"},
		{func(e *Experiment) { e.Time = 0.01 }, "time", "must be a whole number of layers"},
		{func(e *Experiment) { e.Horizon, e.Time = 2, 3 }, "time", "must be at most the horizon, 2"},
	} {
		e := New()
		e.Depth, e.Horizon, e.Time = 10, 5, 5
		if err := e.Validate(); err != nil {
			t.Fatal(err)
		}
		c.change(e)
		experimenttest.CheckRefused(t, e.Validate(), c.name, c.problem)
		if e.Tokens = e.Tokens[:1]; c.name == "time" && e.Validate() != nil {
			t.Errorf("time of a single crowd: %v", e.Validate())
		}
	}
}
