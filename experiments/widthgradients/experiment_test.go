package widthgradients

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/attention"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// Gradients with and without the gap, for three depths and every layer, agree with their exact means: 12
// means of 400 samples within 5 standard errors, a false alarm in one of 10^5 runs.
func TestGradientsHaveTheirMeans(t *testing.T) {
	g := New()
	g.Tokens, g.Ratio, g.Samples = []int{16}, 1.6, 400
	table := experimenttest.Table(t, g, run.Options{Seed: 5})
	curves, err := readCurves(New(), table)
	if err != nil || len(curves) != 12 {
		t.Fatalf("%d curves, error %v", len(curves), err)
	}
	for _, c := range curves {
		p := c.Points[0]
		if z := (p.Value - p.Limit) / p.Stderr; !(math.Abs(z) <= 5) || p.Stderr > 0.2*p.Value {
			t.Errorf("%+v: %.4g ± %.2g, want %.4g", c.Kind, p.Value, p.Stderr, p.Limit)
		}
	}
}

// The error names the parameter that is out of bounds.
func TestBadParameters(t *testing.T) {
	few := &Experiment{Grid: attention.NewGrid(), Layers: []int{1}, Figure: "5"}
	few.Tokens = []int{1}
	for want, e := range map[string]*Experiment{
		"tokens 1: 1 is out of bounds":           few,
		"layers 0: 0 is out of bounds; must be ": {Grid: attention.NewGrid(), Layers: []int{0}, Figure: "5"},
	} {
		err := e.Run(t.Context(), run.Options{Seed: 1}, data.NewTable(run.Schema(e, 1)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// The report has the layers that the table has for each network, whatever the order of the rows, and says
// which these are.
func TestReportOfFilteredLayers(t *testing.T) {
	var rows []Row
	for _, place := range [][2]int32{{2, 1}, {3, 1}, {2, 2}, {3, 3}} { // layers, layer
		r := Row{Layers: place[0], Layer: place[1], Samples: 2, Gradient: float64(10*place[0] + place[1]),
			Expected: math.NaN(), Bound: math.NaN()}
		r.Tokens = 20
		rows = append(rows, r)
	}
	table := data.NewTable(run.Schema(New(), 1))
	must.Do(t, data.WriteRows(table, rows...))
	var text strings.Builder
	must.Do(t, New().Describe(&text, table))
	for _, want := range []string{"L = 2: ‖∂X_L/∂W_ℓ‖² = 21, 22 for ℓ = 1 to L at T = 20",
		"L = 3: ‖∂X_L/∂W_ℓ‖² = 31, 33 for ℓ = 1, 3 at T = 20"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}
