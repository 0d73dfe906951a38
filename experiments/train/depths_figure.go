package train

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// depthFigure plots the final validation losses against the depth of the networks. If the theory covers the
// networks, depthFigure also plots the losses against u, the theoretical collapse of the tokens at
// initialisation.
func (e *Experiment) depthFigure(curves []*learningCurve, table *data.Table) (*figure.Figure, error) {
	all := seriesOf(curves)
	drawn := all[:min(len(all), len(figure.SeriesColors))]
	key := &figure.Key{}
	depth := figure.NewPlot("validation loss at the end", "layers", "")
	theory := figure.NewPlot("over the theory of the initialisation",
		"growth u of artanh of the overlap, up to the last layer", "")
	panels := []figure.Panel{{Plot: depth}}
	for k, s := range drawn {
		sample := s.draw(depth, k, func(c *learningCurve) float64 { return float64(c.Layers[0]) })
		key.Add(s.name, sample)
		s.draw(theory, k, (*learningCurve).collapse)
	}
	if len(theory.Marks) > 0 {
		panels = append(panels, figure.Panel{Plot: theory})
	}
	for _, p := range panels {
		p.Plot.X.Logarithmic = true
		p.Plot.Y.Low = min(p.Plot.Y.Low, 0)
		e.addBounds(p.Plot, key)
	}
	text := fmt.Sprintf("%s, T = %g, d = %d, batch %d, %s; means of %s, bars: their range", e.Task,
		e.length(), e.Dim, e.Batch, wording.Count(e.Steps, "step"), wording.Count(e.Seeds, "seed"))
	text += notDrawn(len(drawn), len(all), "series")
	return figure.Pairs(panels, key, run.Caption(table, text))
}

// draw adds the final losses of a series to a plot: the means over seeds, and the ranges from the least to
// the greatest loss.
func (s *series) draw(p *figure.Plot, k int, x func(c *learningCurve) float64) figure.Sample {
	var points figure.Intervals
	for _, c := range s.curves {
		losses, mean := c.ends(), 0.0
		for _, l := range losses {
			mean += l / float64(len(losses))
		}
		if at := x(c); at > 0 && !math.IsNaN(mean) {
			points.Add(at, mean, slices.Min(losses), slices.Max(losses))
		}
	}
	stroke := figure.SeriesStroke(k, 1.5)
	if px, py := points.XY(); len(px) > 0 {
		p.Line(px, py, stroke)
		p.Dots(k, points)
	}
	return stroke
}

// addBounds adds two lines to a plot of losses: the loss of the best predictor, and the loss of the best
// predictor that does not see the input.
func (e *Experiment) addBounds(p *figure.Plot, key *figure.Key) {
	best, _ := e.best()
	addBound(p, key, "sees nothing", blind(e.standIn()), 170)
	addBound(p, key, "best possible", best, 110)
}

// addBound adds the line of a bound to a plot. A bound that is 0 or NaN has no line.
func addBound(p *figure.Plot, key *figure.Key, name string, bound float64, gray uint8) {
	if math.IsNaN(bound) || bound == 0 {
		return
	}
	stroke := figure.Stroke{Color: color.Gray{gray}, Width: 1, Dashes: []float64{1, 2}}
	p.Line([]float64{p.X.Low, p.X.High}, []float64{bound, bound}, stroke)
	key.Add(name, stroke)
}
