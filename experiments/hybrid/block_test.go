package hybrid

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// blockRun returns an experiment with softmax and the given flags.
func blockRun(t *testing.T, flags ...string) *Experiment {
	t.Helper()
	h := New()
	h.Beta, h.Epsilon, h.Trajectories, h.Depth, h.Horizon = []float64{1}, []float64{0.8, 1.6}, 400, 50, 6
	for _, flag := range append([]string{"attention=softmax"}, flags...) {
		name, value, _ := strings.Cut(flag, "=")
		must.Do(t, parameter.ByName(h.Parameters(), name).Set(value))
	}
	return h
}

// With an MLP, with sublayers together and in sequence, the simulated fractions agree with the theory at the
// horizon, within 4.5 standard errors and 0.02 for the depth, and with the law at the depth within 4.5
// standard errors: a false alarm in one of 9,000 seeds. In dimension 3 an MLP of strength c changes exponents
// by -c, whatever its activation. So a single cluster attracts where ε² < 2(1+c) and, if the activation is
// odd, opposite clusters attract where ε² > 2(1-t-c)/(1-t²), t = tanh β.
func TestHybridBesideAnMLP(t *testing.T) {
	for _, order := range []string{"together", "in-sequence"} {
		h := blockRun(t, "mlp=tanh:0.2:2:5", "sublayers="+order)
		table := experimenttest.Table(t, h, run.Options{Seed: 2})
		rows, err := data.RowsOf[BlockRow](table)
		if err != nil || len(rows) != 2 {
			t.Fatal(len(rows), err)
		}
		tanh := math.Tanh(1)
		for _, r := range rows {
			if math.Abs(r.EpsilonSingle-math.Sqrt(2.4)) > 1e-9 ||
				math.Abs(r.EpsilonAntipodal-math.Sqrt(2*(1-tanh-0.2)/(1-tanh*tanh))) > 1e-9 {
				t.Errorf("%s: thresholds %v and %v", order, r.EpsilonSingle, r.EpsilonAntipodal)
			}
			if (r.LimitSingle > 0) != (r.Epsilon < r.EpsilonSingle) ||
				math.Abs(r.Limit+r.LimitSingle-1) > 1e-9 {
				t.Errorf("%s: limits %v and %v at ε = %v", order, r.Limit, r.LimitSingle, r.Epsilon)
			}
			for _, c := range [][3]float64{
				{r.PAntipodal, r.AntipodalHorizon, 0.02}, {r.PSingle, r.SingleHorizon, 0.02},
				{r.PAntipodal, r.DepthAntipodal, 0}, {r.PSingle, r.DepthSingle, 0},
			} {
				if off := math.Abs(c[0] - c[1]); !(off < c[2]+4.5*math.Sqrt(c[1]*(1-c[1])/400)) {
					t.Errorf("%s, ε = %v: %v, theory %v", order, r.Epsilon, c[0], c[1])
				}
			}
		}
		var text strings.Builder
		must.Do(t, h.Describe(&text, table))
		const want = "a single cluster attracts in 1 of 2 cells, opposite clusters in 2, and neither in 0."
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s", &text)
		}
	}
}

// Without an MLP the table has no additional columns, and the order of sublayers cannot be given.
func TestHybridWithoutAnMLP(t *testing.T) {
	h := blockRun(t)
	if got, want := len(h.Columns()), len(data.ColumnsOf[Row]()); got != want {
		t.Errorf("%d columns, want %d", got, want)
	}
	given := func(p parameter.Parameter) bool { return p.Name == "sublayers" }
	if err := parameter.CheckGiven(h.Parameters(), given); err == nil {
		t.Error("sublayers without an MLP are accepted")
	}
}
