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
		for k, c := range courses[:drawn] { // no band hides a line
			if err := g.drawBand(p, k, c); err != nil {
				return nil, err
			}
		}
		for k, c := range courses[:drawn] {
			if err := g.draw(p, key, k, c); err != nil {
				return nil, err
			}
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

// ranges are the mean, the least and the largest number at each step, as far as any run of a setting goes.
func (g graph) ranges(c *course) (steps, mean, low, high []float64) {
	for step, values := range c.byStep(g.number) {
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		steps, mean = append(steps, step), append(mean, sum/float64(len(values)))
		low, high = append(low, slices.Min(values)), append(high, slices.Max(values))
	}
	return steps, mean, low, high
}

// drawBand adds a setting's range.
func (g graph) drawBand(p *plot.Plot, series int, c *course) error {
	steps, _, low, high := g.ranges(c)
	if len(steps) == 0 || len(c.runs) < 2 {
		return nil
	}
	return figure.AddBand(p, steps, low, high, figure.SeriesColors[series])
}

// draw adds a setting's mean.
func (g graph) draw(p *plot.Plot, key *figure.Key, series int, c *course) error {
	steps, mean, _, _ := g.ranges(c)
	if len(steps) == 0 {
		return nil
	}
	line, err := figure.AddLine(p, steps, mean, draw.LineStyle{Color: figure.SeriesColors[series], Width: 1.5,
		Dashes: figure.SeriesDashes[series]})
	if err != nil {
		return err
	}
	key.Add(c.shortName(), line)
	return nil
}
