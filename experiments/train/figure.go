package train

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/wording"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements run.Experiment: loss and accuracy of the validation, the cosine of tokens behind the last
// layer and the entropy of attention over the steps, in the mean over seeds with their range, of up to six
// settings; without classes the loss of training in place of accuracy. Of more settings those of the best
// learning rates are drawn. With --map it is the map.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	e := New()
	courses, err := readCourses(e, table)
	if err != nil {
		return nil, err
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	if e.Map {
		p, err := readPlane(e, table)
		if err != nil {
			return nil, err
		}
		return p.figure(e, seed)
	}
	courses, rates := bestRates(courses)
	leastLoss, largestAccuracy := e.standIn().Best()
	nan := math.NaN()
	accuracy := graph{"accuracy of the validation", largestAccuracy, func(m moment) float64 { return m.Accuracy }}
	if math.IsNaN(courses[0].runs[0][0].Accuracy) {
		accuracy = graph{"loss of training", nan, func(m moment) float64 { return m.Loss }}
	}
	drawn := min(len(courses), len(figure.SeriesColors))
	key := &figure.Key{}
	var panels []figure.Panel
	for _, g := range []graph{
		{"loss of the validation", leastLoss, func(m moment) float64 { return m.ValidationLoss }}, accuracy,
		{"mean cosine behind the last layer", nan, func(m moment) float64 { return m.cosine }},
		{"entropy of attention, nats", nan, func(m moment) float64 { return m.entropy }},
	} {
		p := figure.NewPlot(g.title, "step", "")
		p.Y.Min = 0
		if err := g.draw(p, key, courses[:drawn]); err != nil {
			return nil, err
		}
		p.X.Min, p.X.Max = 0, float64(e.Steps)
		if err := g.drawBest(p, key); err != nil {
			return nil, err
		}
		panels = append(panels, figure.Panel{Plot: p})
	}
	text := fmt.Sprintf("%s, T = %g, d = %d, batch %d; lines: mean of %d %s", e.Task, e.length(), e.Dim, e.Batch,
		e.Seeds, wording.Plural("seed", "seeds", e.Seeds))
	if e.Seeds > 1 {
		text += ", bands: their range"
	}
	if rates {
		text += "; of each setting the learning rate with the least loss in the end"
	}
	if missing := len(courses) - drawn; missing > 0 {
		text += fmt.Sprintf("; not drawn: %d of %d settings", missing, len(courses))
	}
	return figure.Panels(panels, key, figure.RunCaption("train", text, seed)), nil
}

// graph is a number over the steps.
type graph struct {
	title  string
	best   float64 // what no predictor exceeds; NaN if that is not known
	number func(m moment) float64
}

// drawBest adds the line of the best predictor, unless it is that of no mistakes.
func (g graph) drawBest(p *plot.Plot, key *figure.Key) error {
	if math.IsNaN(g.best) || g.best == 0 || g.best == 1 {
		return nil
	}
	p.Y.Max = max(p.Y.Max, g.best)
	line, err := figure.AddLine(p, []float64{p.X.Min, p.X.Max}, []float64{g.best, g.best},
		draw.LineStyle{Color: color.Gray{110}, Width: 1, Dashes: []vg.Length{1, 2}})
	if err != nil {
		return err
	}
	key.Add("best possible", line)
	return nil
}

// curve is a graph of a setting: over its runs, as far as any goes.
type curve struct{ steps, mean, low, high []float64 }

func (g graph) curve(c *course) (all curve) {
	for step, values := range c.byStep(g.number) {
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		all.steps, all.mean = append(all.steps, step), append(all.mean, sum/float64(len(values)))
		all.low, all.high = append(all.low, slices.Min(values)), append(all.high, slices.Max(values))
	}
	return all
}

// draw adds the ranges of all settings, and on them the means, so that no range hides a line.
func (g graph) draw(p *plot.Plot, key *figure.Key, courses []*course) error {
	curves := make([]curve, len(courses))
	for k, c := range courses {
		curves[k] = g.curve(c)
		if len(curves[k].steps) == 0 || len(c.runs) == 1 {
			continue
		}
		err := figure.AddBand(p, curves[k].steps, curves[k].low, curves[k].high, figure.SeriesColors[k])
		if err != nil {
			return err
		}
	}
	for k, c := range courses {
		if len(curves[k].steps) == 0 {
			continue
		}
		line, err := figure.AddLine(p, curves[k].steps, curves[k].mean, draw.LineStyle{
			Color: figure.SeriesColors[k], Width: 1.5, Dashes: figure.SeriesDashes[k]})
		if err != nil {
			return err
		}
		key.Add(c.shortName(), line)
	}
	return nil
}
