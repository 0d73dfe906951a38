package hybrid

import (
	"flag"
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/must"
)

var repeated = flag.Int("repetitions", 15, "simulated derivatives of each setting")

// The 95 % intervals of simulated derivatives contain the theory as often as they should: not more than four
// standard deviations less often, which is at least 11 of 15, and the mean error is within four standard
// errors. For twelve such comparisons there is one false alarm in 250 seeds.
func TestIntervalsOfSimulatedDerivativesHoldThem(t *testing.T) {
	longtest.Only(t)
	for _, s := range []struct {
		law                    sde.Law
		attention              sde.Attention
		dim                    int64
		beta, epsilon, horizon float64
		depth                  int64
		tolerance              float64
	}{
		{sde.Rademacher, sde.Softmax, 3, 1, 1.2, 20, 30, 1e-3},
		{sde.Uniform, sde.Unnormalized, 2, 0.4, 1.25, 8, 40, 0.02},
		{sde.Gaussian, sde.Softmax, 6, 0.5, 1.3, 6, 200, 0.05},
	} {
		h := New()
		h.Law, h.Attention, h.Dim = s.law, s.attention, s.dim
		h.Depth, h.Horizon, h.Trajectories, h.Tolerance = s.depth, s.horizon, 100, s.tolerance
		c := h.cell(s.beta, s.epsilon)
		question := theory.Question{Layers: experimenttest.Must(setting.Layers(h.Depth, h.Horizon)),
			Horizon: h.Horizon, Tolerance: h.Tolerance}
		var want [2]overlap.Derivative
		for k, by := range []overlap.Parameter{overlap.ByBeta, overlap.ByEpsilon} {
			want[k] = question.Derivative(experimenttest.Must(theory.Diffusion(c)),
				experimenttest.Must(theory.Recursion(c)), nil, by).Depth
		}
		var held [2]int
		var sum [2]float64
		for seed := range uint64(*repeated) {
			got := experimenttest.Must(h.simulated(t.Context(), run.Options{Seed: seed}, s.beta, s.epsilon))
			for k, z := range []float64{(got.ByBeta - want[0].Value) / got.ByBetaStderr,
				(got.ByEpsilon - want[1].Value) / got.ByEpsilonStderr} {
				sum[k] += z
				if math.Abs(z) < 1.96 {
					held[k]++
				}
			}
		}
		n := float64(*repeated)
		for k, by := range []string{"β", "ε"} {
			t.Logf("%+v: dP/d%s = %.6f, held by %d of %v, mean z %.2f", s, by, want[k].Value, held[k], n,
				sum[k]/n)
			if !(float64(held[k]) >= 0.95*n-4*math.Sqrt(0.95*0.05*n)) ||
				!(math.Abs(sum[k]/n) < 4/math.Sqrt(n)) || !(math.Abs(want[k].Value) > 0.01) {
				t.Errorf("%+v: intervals do not hold the theory", s)
			}
		}
	}
}

// --derivatives adds columns, and leaves the counts and the theory as they are. The derivatives by ε agree
// with difference quotients of neighbouring cells, and with simulated ones.
func TestDerivativeColumns(t *testing.T) {
	const h = 0.02
	h1 := func(derivatives bool) *Experiment {
		e := New()
		e.Attention, e.Beta, e.Derivatives = sde.Softmax, []float64{1}, derivatives
		e.Epsilon = []float64{1.35 - h, 1.35, 1.35 + h}
		e.Trajectories, e.Depth, e.Horizon = 200, 30, 20
		return e
	}
	derived, without := h1(true), h1(false)
	table := experimenttest.Table(t, derived, run.Options{Seed: 2})
	rows := experimenttest.Must(data.RowsOf[DerivedRow](table))
	table = experimenttest.Table(t, without, run.Options{Seed: 2})
	plain := experimenttest.Must(data.RowsOf[Row](table))
	for k, r := range rows {
		if r.Row.Antipodal != plain[k].Antipodal || r.DepthAntipodal != plain[k].DepthAntipodal {
			t.Errorf("row %d: %+v, without derivatives %+v", k, r.Row, plain[k])
		}
	}
	for name, d := range map[string][3]float64{
		"limit":   {rows[1].ByEpsilon.Limit.Value, rows[2].Row.Limit, rows[0].Row.Limit},
		"horizon": {rows[1].ByEpsilon.Horizon.Value, rows[2].AntipodalHorizon, rows[0].AntipodalHorizon},
		"depth":   {rows[1].ByEpsilon.Depth.Value, rows[2].DepthAntipodal, rows[0].DepthAntipodal},
	} {
		want := (d[1] - d[2]) / (2 * h)
		if !(math.Abs(d[0]/want-1) < 0.01) || math.Abs(want) < 0.1 {
			t.Errorf("dP/dε of the %s = %v, differences %v", name, d[0], want)
		}
	}
	for k, r := range rows { // one false alarm in 2,500 seeds of six comparisons
		for by, z := range map[string]float64{
			"β": (r.Simulated.ByBeta - r.ByBeta.Depth.Value) / r.ByBetaStderr,
			"ε": (r.Simulated.ByEpsilon - r.ByEpsilon.Depth.Value) / r.ByEpsilonStderr,
		} {
			if !(math.Abs(z) < 4) {
				t.Errorf("row %d: simulated derivative by %s is %v standard errors off", k, by, z)
			}
		}
	}
	if b := rows[1].ByBeta; !(b.Depth.Error < 1e-4) || !(b.Horizon.Error < 1e-4) ||
		math.Abs(b.Depth.Value) < 0.01 {
		t.Errorf("by β: %+v", b)
	}
	e := h1(true)
	must.Do(t, parameter.ByName(e.Parameters(), "mlp").Set("tanh:0.5:4"))
	if e.derivatives().Inapplicable == "" || len(e.Columns()) != len(data.ColumnsOf[BlockRow]()) {
		t.Errorf("beside an MLP: %q", e.derivatives().Inapplicable)
	}
}

// Where the antipodal outcome is rare, the few trajectories that determine its derivatives may be missing
// from the sample, and the standard errors would be far too small. The simulated derivatives are then null.
func TestNoSimulatedDerivativesOfRareOutcomes(t *testing.T) {
	h := New()
	h.Attention, h.Beta, h.Epsilon, h.Derivatives = sde.Softmax, []float64{0.5}, []float64{0.9, 1.4}, true
	h.Trajectories, h.Depth, h.Horizon = 100, 20, 20
	rows := experimenttest.Must(data.RowsOf[DerivedRow](experimenttest.Table(t, h, run.Options{Seed: 1})))
	if s := rows[0].Simulated; rows[0].Row.Antipodal >= 20 || !math.IsNaN(s.ByBeta) ||
		!math.IsNaN(s.ByBetaStderr) || !math.IsNaN(s.ByEpsilon) || !math.IsNaN(s.ByEpsilonStderr) {
		t.Errorf("%d antipodal trajectories: %+v", rows[0].Row.Antipodal, s)
	}
	if s := rows[1].Simulated; rows[1].Row.Antipodal < 20 || !(s.ByBetaStderr > 0 && s.ByEpsilonStderr > 0) {
		t.Errorf("%d antipodal trajectories: %+v", rows[1].Row.Antipodal, s)
	}
}
