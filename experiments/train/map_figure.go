package train

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// figure returns the figure of the map of α and β. The figure shows the learned fraction, the lines of both
// failures of the theory of initialisation, and crosses where theory and training disagree.
func (p *plane) figure(e *Experiment, table *data.Table) (*figure.Figure, error) {
	title := fmt.Sprintf("Learned fraction, %s, %s",
		wording.Count(e.Layers[0], e.kindName()+" layer"), wording.Count(e.Steps, "step"))
	picture := figure.NewPlot(title, "scale of query and key weights, β",
		"strength of attention's residual connection, α_SA")
	columns := figure.Cells{Grid: slices.Sorted(slices.Values(e.Beta)), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: slices.Sorted(slices.Values(e.AlphaSA)), Low: 0, High: math.Inf(1)}
	at := lists.Map(p.cells, func(c cell) figure.Point { return figure.Point{X: c.beta, Y: c.alpha} })
	picture.Tiles(columns, lines, at,
		func(k int) color.Color { return figure.ProbabilityColor(max(0, p.cells[k].learned)) })
	critical := make([]float64, len(lines.Grid))
	for k, alpha := range lines.Grid {
		critical[k] = p.cells[slices.IndexFunc(p.cells, func(c cell) bool { return c.alpha == alpha })].betaC
	}
	key := &figure.Key{}
	networks.AddFailures(picture, key, lines.Grid, critical, p.alphaC)
	p.addCrosses(picture, key)
	caption := fmt.Sprintf("%s, T = %d, d = %d, batch %d, the best of rates %s, mean of %s; theory: "+
		"T → ∞, start %.2g, alike above cosine %g", e.Task, e.Tokens, e.Dim, e.Batch,
		parameter.FormatList(e.LearningRate), wording.Count(e.Seeds, "seed"), p.start,
		collapsed)
	bar := figure.ProbabilityBar(1)
	return figure.Single(860, 460, figure.Panel{Plot: picture, Key: key, Bar: &bar},
		run.Caption(table, caption))
}

// addCrosses marks the cells of the map in which theory and training disagree.
func (p *plane) addCrosses(picture *figure.Plot, key *figure.Key) {
	for _, kind := range []struct {
		name  string
		learn bool
		shape figure.Shape
	}{{"learns, against theory", true, figure.Plus}, {"does not, against theory", false, figure.Cross}} {
		var at []figure.Point
		for _, c := range p.cells {
			if p.disagree(c) && p.learns(c) == kind.learn {
				at = append(at, figure.Point{X: c.beta, Y: c.alpha})
			}
		}
		if len(at) > 0 {
			glyph := figure.Glyph{Color: figure.SeriesColors[1], Shape: kind.shape, Radius: 5}
			picture.Add(figure.Dots{Points: at, Glyph: glyph})
			key.Add(kind.name, glyph)
		}
	}
}
