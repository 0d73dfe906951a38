package phase

import (
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sde"
)

// With few β no tile reaches a negative one, the boundary stays within the map, and what
// names it is not on the map.
func TestPhasePlaneOfFewBeta(t *testing.T) {
	if testing.Short() {
		t.Skip("other tests run the same at the same time")
	}
	for _, betas := range [][]float64{{0.3}, {0.3, 1.5}, {0, 0.1, 3}} {
		p := New()
		p.Dim, p.Beta, p.Trajectories, p.Depth, p.Horizon = []int{4}, betas, 10, 400, 1
		table := experimenttest.Table(t, p, run.Options{Seed: 1})
		rows, err := data.RowsOf[Row](table)
		if err != nil {
			t.Fatal(err)
		}
		if plane := p.plane(rows, &figure.Key{}); plane.X.Low < 0 {
			t.Errorf("β = %v: the map begins at %g", betas, plane.X.Low)
		}
		whole, err := p.Draw(table)
		if err != nil {
			t.Fatal(err)
		}
		r := figuretest.Figure(whole)
		names := 0
		for _, text := range r.Texts {
			if text.Value != "boundary cosh 2β = d-2" && text.Value != "the same at this depth" {
				continue
			}
			names++
			for _, area := range r.Areas {
				tile := area.Place.Size().Y > 100 && area.Place.Size().Y < 0.9*r.Height
				if tile && area.Place.Min.Y < text.Place.Max.Y {
					t.Errorf("β = %v: %q at %v is on a tile, %v", betas, text.Value, text.Place, area.Place)
				}
			}
		}
		if names != 2 {
			t.Errorf("β = %v: %d names of the boundary", betas, names)
		}
	}
}

// The exact law at the depth is that of independent Gaussian entries with the identity as B: elsewhere the
// title does not promise it.
func TestTitleOfTheLines(t *testing.T) {
	if title := New().curvesTitle(); !strings.Contains(title, "this depth") {
		t.Error(title)
	}
	for what, change := range map[string]func(p *Experiment){
		"a law":         func(p *Experiment) { p.Law = sde.Uniform },
		"a covariance":  func(p *Experiment) { p.Covariance = setting.Covariance{0.5, 0.5, 0} },
		"random scores": func(p *Experiment) { p.Interaction = "resampled:1" },
	} {
		p := New()
		if change(p); strings.Contains(p.curvesTitle(), "depth") {
			t.Errorf("%s: %s", what, p.curvesTitle())
		}
	}
}
