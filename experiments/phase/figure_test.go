package phase

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/invariant"
	"antipode/sphere/must"
)

// If there are few values of β, the tiles of the map do not extend to negative β, except the tile of β = 0,
// which is as wide as the others. The labels of the boundary are not on the map.
func TestPhasePlaneOfFewBeta(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		betas []float64
		low   float64
	}{{[]float64{0.3}, 0}, {[]float64{0.3, 1.5}, 0}, {[]float64{0, 0.1, 3}, -0.05}} {
		betas := c.betas
		p := New()
		p.Dim, p.Beta, p.Trajectories, p.Depth, p.Horizon = []int{4}, betas, 10, 100, 1
		table := experimenttest.Table(t, p, run.Options{Seed: 1})
		rows := must.Get(data.RowsOf[Row](table))(t)
		if plane := p.plane(rows, &figure.Key{}); plane.X.Low != c.low {
			t.Errorf("β = %v: the map begins at %g", betas, plane.X.Low)
		}
		whole := must.Get(p.Draw(table))(t)
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

// The exact law at a depth is known for independent Gaussian entries and B = Id; for others the title does
// not promise it.
func TestTitleOfTheLines(t *testing.T) {
	for _, covariance := range []invariant.Covariance{invariant.Ginibre, {A: 4}} {
		p := New()
		p.Covariance = covariance
		if title := p.curvesTitle(); !strings.Contains(title, "this depth") {
			t.Errorf("covariance %v: %s", covariance, title)
		}
	}
	for what, change := range map[string]func(p *Experiment){
		"a law":        func(p *Experiment) { p.Law = sde.Uniform },
		"a covariance": func(p *Experiment) { p.Covariance = invariant.Symmetric },
		"random scores": func(p *Experiment) {
			p.Interaction = experimenttest.Must(setting.ParseInteraction("resampled:1"))
		},
	} {
		p := New()
		if change(p); strings.Contains(p.curvesTitle(), "depth") {
			t.Errorf("%s: %s", what, p.curvesTitle())
		}
	}
}

// Each tile of the map has the colour of its fraction relative to the largest fraction. The line is cosh 2β =
// d-2, and dots are the boundaries at the depth. The panel on the right has the fractions of each dimension
// with their intervals, and the theory in the limit.
func TestFigure(t *testing.T) {
	p := New()
	p.Dim, p.Beta, p.Law, p.Method = []int{4, 6}, []float64{0.5, 1.5}, sde.Rademacher,
		sde.Tokens // with this law and method there is little theory to compute
	row := func(dim int32, beta, fraction, boundary float64) Row {
		return Row{Dim: dim, Beta: beta, Trajectories: 100, BoundaryDepth: boundary,
			AntipodalFraction: outcomes.AntipodalFraction{PAntipodal: fraction, Low: 0.9 * fraction,
				High: 1.2 * fraction}}
	}
	drawn := figuretest.Draw(t, p, experimenttest.TableOf(t, p,
		row(4, 0.5, 0.1, 0.7), row(4, 1.5, 0.4, 0.7), row(6, 0.5, 0.2, 1.1), row(6, 1.5, 0.35, 1.1)))
	const beta = "inverse temperature β"
	plane := figuretest.Read(t, drawn, 0, "Antipodal fraction, simulated", beta, "dimension d")
	tile := func(b, d, share float64) figure.Tile {
		return figure.Tile{Low: figure.Point{X: b - 0.5, Y: d - 1}, High: figure.Point{X: b + 0.5, Y: d + 1},
			Color: figure.ProbabilityColor(share)}
	}
	plane.Has(tile(0.5, 4, 0.1/0.4))
	plane.Has(tile(1.5, 4, 1))
	plane.Has(tile(0.5, 6, 0.2/0.4))
	plane.Has(tile(1.5, 6, 0.35/0.4))
	plane.Has(figure.Dots{Points: []figure.Point{{X: 0.7, Y: 4}, {X: 0.7, Y: 4}, {X: 1.1, Y: 6},
		{X: 1.1, Y: 6}},
		Glyph: figure.Glyph{Color: color.Black, Shape: figure.Circle, Radius: 3}})
	plane.Follows(figure.Stroke{Color: color.Black, Width: 1.5, Dashes: []float64{6, 4}}, 0, 1.14, 1e-9,
		func(b float64) float64 { return math.Cosh(2*b) + 2 })
	plane.Count(6)
	figuretest.Key(t, drawn.Panels[0].Key, drawn.Panels, "boundary cosh 2β = d-2", "the same at this depth")

	curves := figuretest.Read(t, drawn, 1,
		"… and theory: at this horizon (solid), in the limit (dotted)", beta, "P(antipodal)")
	curves.Has(figuretest.DotsOf(0, 0.5, 0.1, 0.09, 0.12, 1.5, 0.4, 0.36, 0.48))
	curves.Has(figuretest.DotsOf(1, 0.5, 0.2, 0.18, 0.24, 1.5, 0.35, 0.315, 0.42))
	for k, dim := range []int{4, 6} {
		curves.Follows(figure.Stroke{Color: figure.SeriesColors[k], Width: 1, Dashes: []float64{1.5, 2.5}},
			0.5, 1.5,
			1e-9, func(b float64) float64 {
				d := must.Get(overlap.New(dim, b, overlap.Softmax, 1))(t)
				return d.AntipodalUniform().Value
			})
	}
	curves.Range(curves.X, 0.5, 1.5)
	curves.Count(6)
	figuretest.Key(t, drawn.Panels[1].Key, drawn.Panels, "d = 4", "d = 6")
}
