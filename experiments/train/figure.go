package train

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// Draw implements run.Experiment. The figure of experiment train shows the loss and the accuracy on the
// validation set, the cosine of tokens after the last layer, and the entropy of attention, against the steps
// of training. Lines are means over seeds, with the range over seeds. For a task without classes the training
// loss takes the place of the accuracy. If there are at least three depths, the figure shows final losses
// against depth, and against the theory of the initialisation. If there are more settings than colours, only
// the settings with the best learning rates are plotted. If even these are too many, the figure shows two of
// the quantities, in separate panels for each family of settings. With --map the figure is the map of α and
// β. With --by-layer the figure shows all quantities of the layers, before and after training.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	e := New()
	curves, rows, err := readLearningCurves(e, table)
	if err != nil {
		return nil, err
	}
	switch {
	case e.Map:
		p, err := planeOf(e, curves, rows)
		if err != nil {
			return nil, err
		}
		return p.figure(e, table)
	case e.ByLayer:
		return e.layerFigure(curves, rows, table)
	case e.overDepth():
		return e.depthFigure(curves, table)
	}
	curves, rates := bestRates(curves)
	key := &figure.Key{}
	panels, drawn := e.panels(curves, key)
	text := fmt.Sprintf("%s, T = %g, d = %d, batch %d; lines: mean of %s", e.Task, e.length(), e.Dim,
		e.Batch, wording.Count(e.Seeds, "seed"))
	if e.Seeds > 1 {
		text += ", bands: their range"
	}
	if rates {
		text += bestRatesText
	}
	text += notDrawn(drawn, len(curves), "settings")
	return figure.Pairs(panels, key, run.Caption(table, text))
}

// bestRatesText says in a caption that only the settings selected by bestRates are plotted.
const bestRatesText = "; for each setting the learning rate with the smallest final loss"

// notDrawn says in a caption how many settings or series are not drawn. The text is "" if all are drawn.
func notDrawn(drawn, all int, what string) string {
	if drawn == all {
		return ""
	}
	return fmt.Sprintf("; not drawn: %d of %d %s", all-drawn, all, what)
}

// panels returns the panels of the figure for the settings, and the number of settings that are plotted.
func (e *Experiment) panels(curves []*learningCurve, key *figure.Key) (panels []figure.Panel, drawn int) {
	families := familiesOf(curves)
	if families == nil {
		var lines []line
		for k, c := range curves[:min(len(curves), len(figure.SeriesColors))] {
			lines = append(lines, line{c, k, c.shortName()})
		}
		for _, g := range e.graphs(curves) {
			panels = append(panels, figure.Panel{Plot: g.plot(e, key, lines)})
		}
		return panels, len(lines)
	}
	const most = 8
	for _, f := range families[:min(len(families), most)] {
		for _, g := range e.familyGraphs(curves) {
			if f.name != "" {
				g.title = f.name + ": " + g.title
			}
			panels = append(panels, figure.Panel{Plot: g.plot(e, key, f.lines)})
		}
		drawn += len(f.lines)
	}
	return panels, drawn
}

// graphs returns the quantities that are plotted against the steps if there are few settings. A task without
// classes has no accuracy.
func (e *Experiment) graphs(curves []*learningCurve) []graph {
	nan := math.NaN()
	leastLoss, largestAccuracy := e.best()
	second := graph{"validation accuracy", largestAccuracy,
		func(m evaluation) float64 { return m.Accuracy }}
	if !hasClasses(curves) {
		second = graph{"loss of training", nan, func(m evaluation) float64 { return m.Loss }}
	}
	return []graph{
		{"validation loss", leastLoss, func(m evaluation) float64 { return m.ValidationLoss }}, second,
		{"mean cosine after the last layer", nan, func(m evaluation) float64 { return m.cosine }},
		{"entropy of attention, nats", nan, func(m evaluation) float64 { return m.entropy }},
	}
}

// familyGraphs returns the two quantities that are plotted against the steps for each family of settings.
func (e *Experiment) familyGraphs(curves []*learningCurve) []graph {
	all := e.graphs(curves)
	if hasClasses(curves) {
		return []graph{all[0], all[2]}
	}
	return []graph{all[1], all[0]}
}

// hasClasses reports whether the task has classes, so that the accuracy is defined.
func hasClasses(curves []*learningCurve) bool { return !math.IsNaN(curves[0].runs[0][0].Accuracy) }

// graph is a quantity, such as the loss, as a function of the steps of training.
type graph struct {
	title  string
	best   float64 // value of the best predictor; NaN if unknown
	number func(m evaluation) float64
}

// explosion is the value of a quantity above which its axis becomes logarithmic, so that quantities that do
// not explode remain visible.
const explosion = 30

// plot returns the panel of a quantity against the steps. Bands of the ranges over seeds are drawn before all
// lines.
func (g graph) plot(e *Experiment, key *figure.Key, lines []line) *figure.Plot {
	p := figure.NewPlot(g.title, "step", "")
	for _, l := range lines {
		g.addBand(p, l)
	}
	for _, l := range lines {
		g.addMean(p, key, l)
	}
	p.X.Range(0, float64(e.Steps))
	if p.Y.Low > 0 && p.Y.High > explosion {
		p.Y.Logarithmic = true
	} else {
		p.Y.Low = min(p.Y.Low, 0)
	}
	if g.best != 1 { // otherwise the best predictor makes no errors
		addBound(p, key, "best possible", g.best, 110)
	}
	return p
}

// ranges returns the mean, the least and the greatest value of the quantity over seeds at each step. The
// steps end with the last step of any run of the setting.
func (g graph) ranges(c *learningCurve) (steps, mean, low, high []float64) {
	all := c.byStep(g.number)
	for _, step := range slices.Sorted(maps.Keys(all)) {
		values := all[step]
		steps, mean = append(steps, float64(step)), append(mean, lists.Sum(values)/float64(len(values)))
		low, high = append(low, slices.Min(values)), append(high, slices.Max(values))
	}
	return steps, mean, low, high
}

// addBand adds the range over seeds of the quantity in a setting to a plot.
func (g graph) addBand(p *figure.Plot, l line) {
	if steps, _, low, high := g.ranges(l.learningCurve); len(steps) > 0 && len(l.runs) > 1 {
		p.Add(figure.Band{X: steps, Low: low, High: high, Color: figure.SeriesColors[l.series]})
	}
}

// addMean adds the mean over seeds of the quantity in a setting to a plot.
func (g graph) addMean(p *figure.Plot, key *figure.Key, l line) {
	if steps, mean, _, _ := g.ranges(l.learningCurve); len(steps) > 0 {
		p.Line(steps, mean, figure.SeriesStroke(l.series, 1.5))
		key.Add(l.name, figure.SeriesStroke(l.series, 1.5))
	}
}
