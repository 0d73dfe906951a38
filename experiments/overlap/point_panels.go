package overlap

import (
	"fmt"
	"math"
	"slices"

	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/internal/lists"
	"antipode/overlap"
)

// boundaryPanel plots the boundary beyond which overlap -1 is attracting, over β and the dimension or, for
// the hybrid model, the noise amplitude. The panel also marks the points of the grid, so that one sees on
// which side of the boundary they are. The plot is nil for unequal masses, with an MLP or a drift, and for
// random queries and keys, whose boundary has a separate figure.
func (o *Experiment) boundaryPanel(key *figure.Key) *figure.Plot {
	if !o.equalMasses() || o.resampled() || !o.beside().None() {
		return nil
	}
	high := lists.Max(3.0, o.Beta, func(beta float64) float64 { return 1.25 * beta })
	p := figure.NewPlot("Where overlap -1 attracts: below the line", "inverse temperature β", "dimension d")
	bottom, top := 2.0, 12.0
	for _, d := range o.Dim {
		top = max(top, 1.5*float64(d))
	}
	lines := []func(beta float64) float64{
		func(beta float64) float64 { return overlap.CriticalDim(beta, o.Covariance) }}
	if o.Epsilon != nil {
		p.Title, p.Y.Label = "Overlap 1 attracts below its line, -1 above", "noise amplitude ε"
		bottom, top = 0, max(2, 1.5*slices.Max(o.Epsilon))
		lines = o.thresholds()
	}
	for k, boundary := range lines {
		stroke := figure.Stroke{Color: figure.SeriesColors[5], Width: 1.4, Dashes: figure.SeriesDashes[2*k]}
		addBoundary(p, stroke, boundary, high, top)
		key.Add(o.boundaryName(k), stroke)
	}
	o.addPlaces(p)
	p.X.Range(0, high)
	p.Y.Range(bottom, top)
	return p
}

// thresholds returns two functions of β: the noise amplitude of the hybrid model at which the stability of
// overlap -1 changes, and the amplitude at which the stability of overlap 1 changes.
func (o *Experiment) thresholds() []func(beta float64) float64 {
	attention := theory.Attention(o.Attention)
	return []func(beta float64) float64{
		func(beta float64) float64 {
			_, antipodal := overlap.HybridThresholds(beta, attention)
			return antipodal
		},
		func(beta float64) float64 {
			single, _ := overlap.HybridThresholds(beta, attention)
			return single
		},
	}
}

// boundaryName returns the name of the k-th boundary of attraction in the legend.
func (o *Experiment) boundaryName(k int) string {
	if o.Epsilon == nil {
		return setting.AttractionCondition(o.Covariance, "=")
	}
	return []string{"ε of overlap -1", "ε of overlap 1"}[k]
}

// addBoundary adds the line of a boundary of attraction to a plot as a function of β, where the boundary is
// below top.
func addBoundary(
	p *figure.Plot, stroke figure.Stroke, boundary func(beta float64) float64, high, top float64,
) {
	const points = 200
	x, y := make([]float64, points+1), make([]float64, points+1)
	for i := range x {
		x[i] = high * float64(i) / points
		if y[i] = boundary(x[i]); !(y[i] <= top) || y[i] < 0 {
			y[i] = math.NaN()
		}
	}
	p.BrokenLine(x, y, stroke)
}

// addPlaces marks the points of the grid in the plot of the boundary, in the colours of their lines in other
// panels.
func (o *Experiment) addPlaces(p *figure.Plot) {
	for k, c := range o.points() {
		glyph := figure.SeriesGlyph(k)
		glyph.Radius = 4
		y := float64(c.dim)
		if o.Epsilon != nil {
			y = c.epsilon
		}
		p.Add(figure.Dots{Points: []figure.Point{{X: c.beta, Y: y}}, Glyph: glyph})
	}
}

// lawPanel plots the distribution function of the overlap at the horizon for each point of the grid. If a law
// cannot be computed, its line is missing.
func (o *Experiment) lawPanel(diffusions []*overlap.Diffusion) *figure.Plot {
	p := figure.NewPlot(fmt.Sprintf("Law of the overlap at time %s", parameter.FormatReal(*o.Horizon)),
		"overlap z", "P(Z ≤ z)")
	for k, d := range diffusions {
		law, err := theory.LawAt(d, o.Z0, *o.Horizon, 1e-4)
		if err != nil {
			continue
		}
		below := curveOf(func(z float64) float64 { return law.Below(z).Value })
		if len(below) > 1 {
			p.Add(figure.Line{Points: below, Stroke: figure.SeriesStroke(k, 1.4)})
		}
	}
	p.X.Range(-1, 1)
	p.Y.Range(0, 1)
	return p
}
