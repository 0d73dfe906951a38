package overlap

import (
	"testing"

	"antipode/experiments/figure"
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/sphere/must"
)

// A law that cannot be computed leaves a gap in the order of colours; the laws after it are drawn.
func TestLawsThatCannotBeComputed(t *testing.T) {
	o := New()
	horizon := 2.
	o.Horizon = &horizon
	good := must.Get(overlap.New(4, 0.5, overlap.Softmax, 1))(t)
	bad := must.Get(overlap.New(4, 700, overlap.Unnormalized, 1))(t)
	for _, start := range []*float64{nil, new(float64)} {
		if o.Z0 = start; start != nil {
			*start = 0.25
		}
		if _, err := theory.LawAt(bad, o.Z0, horizon, 1e-4); err == nil {
			t.Fatal("the law is computed")
		}
		p := o.lawPanel([]*overlap.Diffusion{good, bad, good})
		if len(p.Marks) != 2 {
			t.Fatalf("%d lines", len(p.Marks))
		}
		for k, series := range []int{0, 2} {
			line := p.Marks[k].(figure.Line)
			if want := figure.SeriesStroke(series, 1.4); line.Color != want.Color || len(line.Points) < 10 {
				t.Errorf("line %d has the colour %v and %d points", k, line.Color, len(line.Points))
			}
		}
		if p.X.Low != -1 || p.X.High != 1 || p.Y.Low != 0 || p.Y.High != 1 ||
			p.Title != "Law of the overlap at time 2" {
			t.Errorf("%s: %+v, %+v", p.Title, p.X, p.Y)
		}
	}
}
