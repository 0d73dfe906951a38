package tokens

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/internal/outcomes"
	"antipode/overlap"
	"antipode/sphere/must"
)

// Each number of tokens has a line and dots with intervals, sorted by β whatever the order of the rows. For
// two tokens there is also the limit of the theory.
func TestFigure(t *testing.T) {
	k := New()
	k.Tokens, k.Beta, k.Horizon, k.Dim = []int{2, 5}, []float64{1, 2}, 30, 5
	row := func(tokens int32, beta, p float64) Row {
		return Row{Tokens: tokens, Dim: 5, Beta: beta, Trajectories: 100, PAntipodalPair: p, Low: 0.9 * p,
			High: 1.2 * p}
	}
	drawn := figuretest.Draw(t, k, experimenttest.TableOf(t, k,
		row(2, 2, 0.3), row(2, 1, 0.1), row(5, 1, 0.2), row(5, 2, 0.5)))
	p := figuretest.Read(t, drawn, 0, "At least one antipodal pair at time 30, with 95 % intervals",
		"inverse temperature β", "P(antipodal pair)")
	p.Has(figuretest.LineOf(figure.SeriesStroke(0, 1), 1, 0.1, 2, 0.3))
	p.Has(figuretest.DotsOf(0, 1, 0.1, 0.09, 0.12, 2, 0.3, 0.27, 0.36))
	p.Has(figuretest.LineOf(figure.SeriesStroke(1, 1), 1, 0.2, 2, 0.5))
	p.Has(figuretest.DotsOf(1, 1, 0.2, 0.18, 0.24, 2, 0.5, 0.45, 0.6))
	p.Follows(figure.Stroke{Color: figure.SeriesColors[0], Width: 1.4, Dashes: []float64{1.5, 2.5}}, 1, 2,
		1e-9,
		func(beta float64) float64 {
			d := must.Get(overlap.New(5, beta, overlap.Softmax, 1))(t)
			return d.AntipodalUniform().Value
		})
	p.Count(5)
	p.Range(p.Y, 0, 1.05*0.6+0.01)
	figuretest.Key(t, drawn.Panels[0].Key, drawn.Panels, "N = 2", "N = 5", "N = 2, limit")
}

// A second panel shows how unequal two opposite clusters of more than two tokens are, at each β that has
// some.
func TestFigureOfImbalance(t *testing.T) {
	k := New()
	k.Tokens, k.Beta, k.Horizon = []int{2, 7}, []float64{1, 2, 3}, 25
	row := func(tokens int32, beta float64, antipodal int64, imbalance float64) Row {
		return Row{Tokens: tokens, Dim: 4, Beta: beta, Trajectories: 90, Antipodal: antipodal,
			Means: outcomes.Means{Imbalance: imbalance, Square: imbalance*imbalance + 0.01}}
	}
	drawn := figuretest.Draw(t, k, experimenttest.TableOf(t, k, row(2, 1, 30, 0), row(2, 2, 40, 0),
		row(7, 1, 0, math.NaN()), row(7, 2, 26, 0.5), row(7, 3, 1, 0.25)))
	p := figuretest.Read(t, drawn, 1, "Imbalance of two opposite clusters at time 25",
		"inverse temperature β", "mean imbalance |n₊ - n₋| / N")
	p.Has(figuretest.LineOf(figure.SeriesStroke(1, 1), 2, 0.5, 3, 0.25))
	half := 1.959963984540054 * 0.1 / 5
	p.Has(figuretest.DotsOf(1, 2, 0.5, 0.5-half, 0.5+half))
	p.Range(p.Y, 0, 1)
}
