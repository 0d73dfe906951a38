package attention

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/run"
	"antipode/sde/matrices"
)

// Equal sizes determine no rate.
func TestRateOfEqualSizes(t *testing.T) {
	r := FitRate([]float64{1, 1}, []float64{1, 2}, []float64{1, 1}, 1)
	if !math.IsNaN(r.Value) || !math.IsNaN(r.Low) || !math.IsNaN(r.High) ||
		r.String() != "a power that cannot be fitted" {
		t.Errorf("%+v", r)
	}
}

// A curve without positive estimates is not drawn and not in the legend, even if its limit is known.
func TestCurvesWithoutPoints(t *testing.T) {
	for value, want := range map[float64]int{0: 0, -1: 0, 2: 2} {
		c := &Curve{}
		for k := range 2 {
			c.Points = append(c.Points, Point{Tokens: 10 * float64(k+1), Limit: 3,
				Estimate: statistics.Estimate{Value: value, Stderr: 0.1}})
		}
		p, key := figure.NewPlot("", "", ""), &figure.Key{}
		if c.Draw(p, key, 0, "curve", true); len(p.Marks) != want {
			t.Errorf("values of %v: %d marks, want %d", value, len(p.Marks), want)
		}
	}
}

// Only the names of architectures are read.
func TestNamesOfArchitectures(t *testing.T) {
	for _, a := range Architectures() {
		var read Architecture
		if err := read.UnmarshalText([]byte(a.String())); err != nil || read != a {
			t.Errorf("%v is read as %v, %v", a, read, err)
		}
	}
	a := SkipLayerNorm
	err := a.UnmarshalText([]byte("x"))
	if err == nil || !strings.Contains(err.Error(), "must be "+ArchitectureNames[0]) || a != SkipLayerNorm {
		t.Errorf("%v, %v", a, err)
	}
}

// A run that is refused measures nothing. An error of a measurement names the layers, and an ended context
// does not.
func TestSamplingsThatFail(t *testing.T) {
	g := NewGrid()
	g.Samples = 2
	n, broken := g.Network(g.Kinds()[0], 5, 3), errors.New("broken")
	ctx, end := context.WithCancel(t.Context())
	measured := 0
	s := Sampling{Networks: []matrices.Network{n}, KeptLayers: func(matrices.Network) int { return 0 },
		Measure: func(context.Context, *matrices.Workspace, int64) ([]float64, error) {
			measured++
			return nil, broken
		}}
	refused := run.Options{Workers: 1, Preflight: func(run.Needs) error { return experimenttest.ErrNoRoom }}
	if err := g.Sample(ctx, refused, s, nil); !errors.Is(err, experimenttest.ErrNoRoom) || measured > 0 {
		t.Errorf("%v after %d measurements", err, measured)
	}
	experimenttest.CheckRefused(t, g.Sample(ctx, run.Options{Workers: 1}, s, nil), "layers",
		"broken; must be fewer")
	s.Measure = func(ctx context.Context, _ *matrices.Workspace, _ int64) ([]float64, error) {
		end()
		return nil, context.Canceled
	}
	if err := g.Sample(ctx, run.Options{Workers: 1}, s, nil); err != context.Canceled {
		t.Errorf("%v", err)
	}
}
