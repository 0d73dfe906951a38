package stability

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// given returns a small experiment with the given flags.
func given(t *testing.T, flags ...string) *Experiment {
	t.Helper()
	s := New()
	s.Beta, s.Trajectories = []float64{1.2}, 400
	for _, flag := range flags {
		name, value, _ := strings.Cut(flag, "=")
		must.Do(t, parameter.ByName(s.Parameters(), name).Set(value))
	}
	return s
}

// With a ReLU MLP an antipodal pair dissolves, after the time that the theory predicts for each strength:
// simulated by chains for infinite width, and by tokens for width 3 and sublayers in sequence; the delay of
// observations at whole layers is taken into account. The standard errors of the logarithms of the times are
// at most 1/√400: 4.5 of them are one false alarm in 3·10^4 seeds. The theory for half or twice the strength
// would be rejected.
func TestLifetimesBesideReLU(t *testing.T) {
	for _, c := range []struct {
		strength float64
		more     string
		method   sde.Method
	}{
		{0.2, "dim=4", sde.Chain}, {0.05, "dim=4", sde.Chain}, {0.01, "dim=5", sde.Chain},
		{0.1, "sublayers=in-sequence", sde.Tokens},
	} {
		mlp := fmt.Sprintf("mlp=relu:%g:1", c.strength)
		if c.method == sde.Tokens {
			mlp += ":3"
		}
		s := given(t, "masses=1,1", mlp, c.more)
		if m := s.cells()[0].Method; m != c.method {
			t.Errorf("%s: method %v", mlp, m)
		}
		rows, err := data.RowsOf[Row](experimenttest.Table(t, s, run.Options{Seed: 4}))
		if err != nil || len(rows) != 1 {
			t.Fatal(len(rows), err)
		}
		late := must.Get(s.lateness(rows[0].Clusters))(t)
		off := func(predicted float64) float64 {
			return math.Log(rows[0].Lifetime/predicted) * math.Sqrt(400)
		}
		if z := off(rows[0].LifetimeTheory + late); !(math.Abs(z) < 4.5) {
			t.Errorf("%s: lifetime %v, theory %v and %v for whole layers, z = %.1f", mlp, rows[0].Lifetime,
				rows[0].LifetimeTheory, late, z)
		}
		for _, factor := range []float64{0.5, 2} {
			wrong := *s
			wrong.MLP.Strength *= factor
			d := must.Get(wrong.diffusion(rows[0].Clusters))(t)
			times, err := timesOf(d)
			if err != nil || math.Abs(off(times[0]+late)) < 4.5 {
				t.Errorf("%s: %v times its strength has a lifetime of %v, error %v", mlp, factor, times[0],
					err)
			}
		}
	}
}

// The report says that no clusters stay opposite with ReLU. Equal clusters that do stay opposite are refused,
// and so are clusters that do not come together for good.
func TestReportAndRefusalsBesideAnMLP(t *testing.T) {
	s := given(t, "masses=1,1", "mlp=relu:0.3")
	s.Trajectories = 20
	var text strings.Builder
	must.Do(t, s.Describe(&text, experimenttest.Table(t, s, run.Options{Seed: 4})))
	if !strings.Contains(text.String(), "clusters of any size beside an MLP with relu are metastable") ||
		!strings.Contains(text.String(), "trajectories. No two clusters stay opposite.") {
		t.Errorf("%s", &text)
	}
	for _, flags := range [][]string{{"masses=1,2/3,3", "mlp=tanh:0.3"}, {"masses=2,2", "drift=0.4"}} {
		experimenttest.CheckRefused(t, given(t, flags...).Validate(), "masses",
			"clusters of equal size stay opposite")
	}
	s = given(t, "masses=1,2", "mlp=tanh:5:36", "dim=12")
	none := data.SinkFunc(func(...data.Values) error { t.Error("a row"); return nil })
	err := s.Run(t.Context(), run.Options{}, none)
	experimenttest.CheckRefused(t, err, "mlp", "clusters do not come together for good in dimension 12")
}
