package overlap

import (
	"fmt"
	"math"

	"antipode/experiments/figure"
	"antipode/experiments/internal/theory"
	"antipode/experiments/parameter"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// boundaryPanel draws the boundary beyond which overlap -1 attracts, and on which side of it the points
// are: over β the dimension, or the noise amplitude of the hybrid model. The result is false where there is
// none: for unequal masses, and for random queries and keys, whose boundary has a figure of its own.
func (o *Experiment) boundaryPanel(key *figure.Key) (figure.Panel, bool, error) {
	if !o.equalMasses() || o.resampled() {
		return figure.Panel{}, false, nil
	}
	high := 3.0
	for _, beta := range o.Beta {
		high = max(high, 1.25*beta)
	}
	p := figure.NewPlot("Where overlap -1 attracts: below the line", "inverse temperature β", "dimension d")
	top := 12.0
	for _, d := range o.Dim {
		top = max(top, 1.5*float64(d))
	}
	v := o.Covariance.Theory()
	lines := []func(beta float64) float64{v.CriticalDim}
	values := dimensionsOf(o.Dim)
	p.Y.Min = 2
	if o.Epsilon != nil {
		p = figure.NewPlot("Overlap 1 attracts below its line, -1 above", "inverse temperature β",
			"noise amplitude ε")
		top, values = max(2, 1.5**o.Epsilon), []float64{*o.Epsilon}
		attention := theory.Attention(o.Attention)
		lines = []func(beta float64) float64{
			func(beta float64) float64 {
				_, antipodal := overlap.HybridThresholds(beta, attention)
				return antipodal
			},
			func(beta float64) float64 {
				single, _ := overlap.HybridThresholds(beta, attention)
				return single
			},
		}
		p.Y.Min = 0
	}
	for k, boundary := range lines {
		if err := addBoundary(p, k, boundary, high, top, key, o.boundaryName(k)); err != nil {
			return figure.Panel{}, false, err
		}
	}
	if err := o.addPlaces(p, values); err != nil {
		return figure.Panel{}, false, err
	}
	p.X.Min, p.X.Max, p.Y.Max = 0, high, top
	return figure.Panel{Plot: p}, true, nil
}

// boundaryName names a line of the panel.
func (o *Experiment) boundaryName(k int) string {
	if o.Epsilon == nil {
		return o.condition("=")
	}
	return []string{"ε of overlap -1", "ε of overlap 1"}[k]
}

// addBoundary draws a boundary over β, as far as it is below the top.
func addBoundary(
	p *plot.Plot, k int, boundary func(beta float64) float64, high, top float64, key *figure.Key, name string,
) error {
	const points = 200
	x, y := make([]float64, points+1), make([]float64, points+1)
	for i := range x {
		x[i] = high * float64(i) / points
		if y[i] = boundary(x[i]); !(y[i] <= top) || y[i] < 0 {
			y[i] = math.NaN()
		}
	}
	style := draw.LineStyle{Color: figure.SeriesColors[5], Width: 1.4, Dashes: figure.SeriesDashes[2*k]}
	key.Add(name, &plotter.Line{LineStyle: style})
	return figure.AddBroken(p, x, y, style)
}

// addPlaces marks the points in the colours of their lines; their values along y vary the slowest.
func (o *Experiment) addPlaces(p *plot.Plot, values []float64) error {
	k := 0
	for _, y := range values {
		for _, beta := range o.Beta {
			at := plotter.XYs{{X: beta, Y: y}}
			dot, err := plotter.NewScatter(at)
			if err != nil {
				return err
			}
			dot.GlyphStyle = draw.GlyphStyle{
				Color:  figure.SeriesColors[k],
				Radius: 4,
				Shape:  figure.SeriesMarkers[k],
			}
			p.Add(dot)
			figure.Mark(p, at)
			k++
		}
	}
	return nil
}

// lawPanel draws the distribution function of the overlap at the horizon. Where the law is refused there is
// no line.
func (o *Experiment) lawPanel(diffusions []*overlap.Diffusion) (figure.Panel, error) {
	p := figure.NewPlot(fmt.Sprintf("Law at time %s", parameter.FormatReal(*o.Horizon)), "overlap z",
		"P(Z ≤ z)")
	for k, d := range diffusions {
		law, err := o.lawAt(d, 1e-4)
		if err != nil {
			continue
		}
		below := func(z float64) float64 { return law.Below(z).Value }
		if _, err := addCurve(p, k, curveOf(below)); err != nil {
			return figure.Panel{}, err
		}
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1, 1, 0, 1
	return figure.Panel{Plot: p}, nil
}

// lawAt is the law of the overlap at the horizon, to an accuracy if that can be had.
func (o *Experiment) lawAt(d *overlap.Diffusion, accuracy float64) (fokkerplanck.Distribution, error) {
	var laws []fokkerplanck.Distribution
	var err error
	if times := []float64{*o.Horizon}; o.Z0 == nil {
		laws, err = fokkerplanck.Uniform(d, times, accuracy)
	} else {
		laws, err = fokkerplanck.From(d, *o.Z0, times, accuracy)
	}
	if err != nil {
		return fokkerplanck.Distribution{}, err
	}
	return laws[0], nil
}
