package weak

import (
	"slices"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// The labels that name the series in the figure of weak do not cover dots or intervals.
func TestWeakKeyIsOutsideThePlots(t *testing.T) {
	w := New()
	w.Dim, w.Depth, w.Trajectories = 3, []int{8, 16, 32, 64}, 200
	drawn := must.Get(w.Draw(experimenttest.Table(t, w, run.Options{Seed: 1})))(t)
	r := figuretest.Figure(drawn)
	k := slices.IndexFunc(r.Texts,
		func(text figuretest.Text) bool { return text.Value == "recursion, gaussian" })
	if k < 0 {
		t.Fatalf("the recursion has no name in %q", r.Strings())
	}
	place := r.Texts[k].Place
	for _, line := range r.Lines {
		for _, point := range line.Points {
			if place.Min.X < point.X && point.X < place.Max.X && place.Min.Y < point.Y &&
				point.Y < place.Max.Y {
				t.Fatalf("a line passes %v, within the name at %v", point, place)
			}
		}
	}
	for _, text := range r.Texts {
		if text.Value == "|error|" && text.Place.Min.Y < place.Max.Y {
			t.Errorf("a plot at %v reaches down to the key at %v", text.Place, place)
		}
	}
}

// Each scheme and law has its errors in the panel of its statistic, in its colour and shape, except for
// errors that are not distinguishable from 0. The dashed line has the slope of the order, and runs at 1.6
// times the error that lies highest relative to it.
func TestFigureShowsTheErrors(t *testing.T) {
	w := New()
	drawn := figuretest.Draw(t, w, experimenttest.TableOf(t, w,
		Row{Scheme: recursionName, Law: sde.Gaussian, Depth: 8, Error: 0.08, Stderr: 0.01},
		Row{Scheme: recursionName, Law: sde.Gaussian, Depth: 16, Error: -0.05, Stderr: 0.02},
		Row{Scheme: recursionName, Law: sde.Rademacher, Depth: 8, Error: 0.03, Stderr: 0.005},
		Row{Scheme: recursionName, Law: sde.Rademacher, Depth: 16, Error: 0.009, Stderr: 0.005},
		Row{Scheme: "extrapolated-euler", Law: sde.Gaussian, Depth: 8, Error: 0.004, Stderr: 0.001,
			Statistic: 2}))
	blue, orange := figure.SeriesColors[0], figure.SeriesColors[1]
	dots := func(d figure.Dots, shape figure.Shape, c int) figure.Dots {
		d.Bar, d.Shape, d.Color = 0.7, shape, figure.SeriesColors[c]
		return d
	}
	const half = 0.01959963984540054 // a 95 % interval of standard error 0.01
	order := figure.Stroke{Color: figure.SeriesColors[5], Width: 0.7, Dashes: []float64{4, 3}}

	p := figuretest.Read(t, drawn, 0, "Error of the mean of z", "depth L", "|error|")
	p.Logarithmic(true, true)
	p.Has(figuretest.LineOf(figure.Stroke{Color: blue, Width: 1}, 8, 0.08, 16, 0.05))
	p.Has(dots(figuretest.DotsOf(0, 8, 0.08, 0.08-half, 0.08+half, 16, 0.05, 0.05-2*half,
		0.05+2*half), figure.Circle, 0))
	p.Has(figuretest.LineOf(figure.Stroke{Color: blue, Width: 1}, 8, 0.03))
	p.Has(dots(figuretest.DotsOf(0, 8, 0.03, 0.03-half/2, 0.03+half/2), figure.Pyramid, 0))
	p.Follows(order, 8/1.15, 16*1.15, 1e-12, func(x float64) float64 { return 1.6 * 0.05 * 16 / x })
	p.Count(5)
	p.Range(p.X, 8/1.15, 16*1.15)

	p = figuretest.Read(t, drawn, 5, "… extrapolated", "depth L", "|error|")
	p.Has(figuretest.LineOf(figure.Stroke{Color: orange, Width: 1}, 8, 0.004))
	p.Has(dots(figuretest.DotsOf(0, 8, 0.004, 0.004-half/10, 0.004+half/10), figure.Circle, 1))
	p.Follows(order, 8/1.15, 8*1.15, 1e-12, func(x float64) float64 { return 1.6 * 0.004 * 64 / (x * x) })
	figuretest.Read(t, drawn, 4, "… extrapolated", "depth L", "|error|").Count(0)
	figuretest.Key(t, drawn.Key, drawn.Panels, "recursion, gaussian", "recursion, rademacher", "euler")
}
