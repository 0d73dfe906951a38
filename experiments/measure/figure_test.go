package measure

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
)

// Dots are overlaps with their quantiles, which include them; lines are the theory, the stable rank and the
// clusters, where they are known.
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
