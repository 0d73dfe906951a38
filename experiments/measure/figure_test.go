package measure

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/measure/weights"
)

// Dots show the mean overlaps with their quantiles, and the axis includes the quantiles. Lines show the
// theory, the stable rank and the clusters, if they are known.
func TestFigure(t *testing.T) {
	m := New()
	m.File, m.Block = "hidden.npy", "post-norm"
	nan := math.NaN()
	drawn := figuretest.Draw(t, m, experimenttest.TableOf(t, m,
		Row{Layer: 0, Tokens: 4, Overlap: 0.1, Low: -0.2, High: 0.3, StableRank: 3, Clusters: 4,
			Theory: nan},
		Row{Layer: 1, Tokens: 4, Overlap: nan, Low: nan, High: nan, StableRank: 2.5, Clusters: nan,
			Theory: 0.4},
		Row{Layer: 2, Tokens: 4, Overlap: 0.8, Low: 0.5, High: 0.7, StableRank: 2, Clusters: 3,
			Theory: 0.75}))
	overlap := figuretest.Read(t, drawn, 0, "Overlap of two tokens, dots; lines from 5 to 95 % of the pairs",
		"layer", "overlap")
	overlap.Has(figuretest.DotsOf(0, 0, 0.1, -0.2, 0.3, 2, 0.8, 0.5, 0.8))
	overlap.Has(figuretest.LineOf(figure.SeriesStroke(1, 1.6), 1, 0.4, 2, 0.75))
	overlap.Count(2)
	overlap.Range(overlap.Y, -1, 1.02)
	ranks := figuretest.Read(t, drawn, 1, "Stable rank", "layer", "")
	ranks.Has(figuretest.LineOf(figure.SeriesStroke(2, 1.6), 0, 3, 1, 2.5, 2, 2))
	ranks.Count(1)
	ranks.Range(ranks.Y, 0, 3)
	clusters := figuretest.Read(t, drawn, 2, "Clusters", "layer", "")
	clusters.Has(figuretest.LineOf(figure.SeriesStroke(3, 1.6), 0, 4, 2, 3))
	clusters.Count(1)
	clusters.Range(clusters.Y, 0, 4)
	figuretest.Key(t, drawn.Key, drawn.Panels, "theory", "stable rank", "clusters")
}

// The axes of the figure of weights contain all values, also singular values above those of random matrices
// and cosines below 0, but not the ends of an interval of β that is much longer than the others.
func TestFigureOfWeights(t *testing.T) {
	m := New()
	m.File, m.Weights = none, "weights.npz"
	row := func(layer, head float64) weights.Row {
		r := data.NullRow[weights.Row]()
		r.Dim, r.Layer, r.Head = 8, layer, head
		return r
	}
	rows := []weights.Row{row(0, math.NaN())}
	for layer := range 2 {
		for head := range 3 {
			r := row(float64(layer+1), float64(head+1))
			r.Beta = weights.Estimate{Value: 0.5, Low: 0.25, High: 0.75}
			rows = append(rows, r)
		}
		whole := row(float64(layer+1), math.NaN())
		whole.A.Value, whole.ValueLargest, whole.Overlap = 0.1, 0.9+float64(layer), 0.3-0.5*float64(layer)
		rows = append(rows, whole)
	}
	drawn := figuretest.Draw(t, m, experimenttest.TableOf(t, m, rows...))
	scores := figuretest.Read(t, drawn, 1, "β of the scores of heads, with 95 %", "layer", "β")
	scores.Range(scores.Y, 0.25, 0.75)
	singular := figuretest.Read(t, drawn, 2, "Largest singular value over the largest random one", "layer",
		"")
	singular.Range(singular.Y, 0.5, 1.9)
	overlap := figuretest.Read(t, drawn, 3, "Mean cosine of two tokens", "layer", "mean cosine")
	overlap.Range(overlap.Y, -0.2, 1.02)

	rows[1].Beta.Low, rows[1].Beta.High = -7, 9
	drawn = figuretest.Draw(t, m, experimenttest.TableOf(t, m, rows...))
	scores = figuretest.Read(t, drawn, 1, "β of the scores of heads, with 95 %; longer ones are cut", "layer",
		"β")
	scores.Range(scores.Y, -0.5, 1.5)
}
