package widthgradients

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/attention"
	"antipode/experiments/run"
)

// Gradients of both gaps, three depths and every layer against their exact means: 12 means
// of 400 samples within 5 standard errors, which they leave once in 10^5 runs.
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
		if z := (p.Value - p.Limit) / p.Stderr; math.Abs(z) > 5 || p.Stderr > 0.2*p.Value {
			t.Errorf("%+v: %.4g ± %.2g, want %.4g", c.Kind, p.Value, p.Stderr, p.Limit)
		}
	}
}

// The parameter that is out of bounds is named.
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
