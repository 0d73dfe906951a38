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
// layer and the entropy of attention over the steps, in the mean over seeds with their range; without classes
// the loss of training in place of accuracy. Of more than six settings those of the best learning rates are
// drawn; if they are still more, two of these numbers, of each family in panels of its own. With --map it is
// the map.
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
	key := &figure.Key{}
	panels, drawn, err := e.panels(courses, key)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s, T = %g, d = %d, batch %d; lines: mean of %s", e.Task, e.length(), e.Dim,
		e.Batch, wording.Count(e.Seeds, "seed"))
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

// panels are those of settings, and how many of these are drawn.
func (e *Experiment) panels(courses []*course, key *figure.Key) (
	panels []figure.Panel, drawn int, err error,
) {
	add := func(g graph, lines []line) error {
		p, err := g.plot(e, key, lines)
		panels = append(panels, figure.Panel{Plot: p})
		return err
	}
	classes := !math.IsNaN(courses[0].runs[0][0].Accuracy)
	leastLoss, largestAccuracy := e.standIn().Best()
	nan := math.NaN()
	loss := graph{"loss of the validation", leastLoss, func(m moment) float64 { return m.ValidationLoss }}
	second := graph{"accuracy of the validation", largestAccuracy,
		func(m moment) float64 { return m.Accuracy }}
	cosine := graph{"mean cosine behind the last layer", nan, func(m moment) float64 { return m.cosine }}
	entropy := graph{"entropy of attention, nats", nan, func(m moment) float64 { return m.entropy }}
	if !classes {
		second = graph{"loss of training", nan, func(m moment) float64 { return m.Loss }}
	}
	families := familiesOf(courses)
	if families == nil {
		var lines []line
		for k, c := range courses[:min(len(courses), len(figure.SeriesColors))] {
			lines = append(lines, line{c, k, c.shortName()})
		}
		for _, g := range []graph{loss, second, cosine, entropy} {
			if err := add(g, lines); err != nil {
				return nil, 0, err
			}
		}
		return panels, len(lines), nil
	}
	graphs := []graph{second, loss}
	if classes {
		graphs = []graph{loss, cosine}
	}
	const most = 8
	for _, f := range families[:min(len(families), most)] {
		for _, g := range graphs {
			if f.name != "" {
				g.title = f.name + ": " + g.title
			}
			if err := add(g, f.lines); err != nil {
				return nil, 0, err
			}
		}
		drawn += len(f.lines)
	}
	return panels, drawn, nil
}

// graph is a number over the steps.
type graph struct {
	title  string
	best   float64 // what no predictor exceeds; NaN if that is not known
	number func(m moment) float64
}

// explosion is the value beyond which an axis is logarithmic, so that what does not explode is seen.
const explosion = 30

// plot is a panel. No band hides a line.
func (g graph) plot(e *Experiment, key *figure.Key, lines []line) (*plot.Plot, error) {
	p := figure.NewPlot(g.title, "step", "")
	for _, l := range lines {
		if err := g.drawBand(p, l); err != nil {
			return nil, err
		}
	}
	for _, l := range lines {
		if err := g.draw(p, key, l); err != nil {
			return nil, err
		}
	}
	p.X.Min, p.X.Max = 0, float64(e.Steps)
	if p.Y.Min > 0 && p.Y.Max > explosion {
		figure.Logarithmic(&p.Y)
	} else {
		p.Y.Min = min(p.Y.Min, 0)
	}
	return p, g.drawBest(p, key)
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
func (g graph) drawBand(p *plot.Plot, l line) error {
	steps, _, low, high := g.ranges(l.course)
	if len(steps) == 0 || len(l.runs) < 2 {
		return nil
	}
	return figure.AddBand(p, steps, low, high, figure.SeriesColors[l.series])
}

// draw adds a setting's mean.
func (g graph) draw(p *plot.Plot, key *figure.Key, l line) error {
	steps, mean, _, _ := g.ranges(l.course)
	if len(steps) == 0 {
		return nil
	}
	drawn, err := figure.AddLine(p, steps, mean, draw.LineStyle{Width: 1.5,
		Color: figure.SeriesColors[l.series], Dashes: figure.SeriesDashes[l.series]})
	if err != nil {
		return err
	}
	key.Add(l.name, drawn)
	return nil
}
