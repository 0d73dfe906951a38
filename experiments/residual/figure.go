package residual

import (
	"fmt"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements run.Experiment: the mean logarithm of the norms against depth, each regime with its
// limit, and the size of the errors of the two that have a limit of their own.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	e := New()
	rows, err := run.ReadRows[Row](e, table)
	if err != nil {
		return nil, err
	}
	values := figure.NewPlot("Mean ln|x| at the horizon; dashed: the limit", "depth L", "mean ln|x|")
	errors := figure.NewPlot("Difference to the limit; dashed: order 1", "depth L", "|difference|")
	for _, axis := range []*plot.Axis{&values.X, &errors.X, &errors.Y} {
		figure.Logarithmic(axis)
	}
	key := &figure.Key{}
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range courses(rows) {
		if c[0].Statistic != LogNorm {
			continue
		}
		k := regimeNumber(c[0])
		if err := addCourse(values, errors, c, k, c[0].regimeName(), key); err != nil {
			return nil, err
		}
		for _, r := range c {
			leavesEveryScale := regimes[k] == regime{Identity, InverseRoot}
			if !leavesEveryScale && !math.IsNaN(r.Value) {
				low, high = min(low, r.Value), max(high, r.Value)
			}
		}
	}
	depths := figure.DistinctOf(rows, func(r Row) float64 { return float64(r.Depth) })
	for _, p := range []*plot.Plot{values, errors} {
		p.X.Tick.Marker = figure.WholeTicks(depths)
		p.X.Min, p.X.Max = depths[0]/1.15, depths[len(depths)-1]*1.15
	}
	if math.IsInf(low, 0) {
		low, high = 0, 1
	}
	margin := 0.3*(high-low) + 0.1
	values.Y.Min, values.Y.Max = low-margin, high+2*margin
	if !(errors.Y.Max > errors.Y.Min && errors.Y.Min > 0) {
		errors.Y.Min, errors.Y.Max = 1e-3, 1
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	text := figure.RunCaption("residual",
		fmt.Sprintf("%s on the unit sphere at first, d = %d, β = %g, softmax "+
			"attention without normalisation, time %g, %s, 95 %% intervals",
			wording.Count(e.Tokens, "token"), e.Dim, e.Beta, e.Horizon,
			wording.Count(e.Samples, "sample")), seed)
	text += notDrawn(courses(rows), values.Y.Max)
	return figure.Panels([]figure.Panel{{Plot: values}, {Plot: errors}}, key, text), nil
}

// notDrawn says what a figure, of which the left panel ends at a value, leaves out of courses.
func notDrawn(courses [][]Row, top float64) (text string) {
	for _, c := range courses {
		if c[0].Statistic != LogNorm {
			continue
		}
		var above, beyond []int
		highest := top
		for _, r := range c {
			switch {
			case math.IsNaN(r.Value):
				beyond = append(beyond, int(r.Depth))
			case r.Value > top:
				above, highest = append(above, int(r.Depth)), max(highest, r.Value)
			}
		}
		if len(above) > 0 {
			text += fmt.Sprintf("; above the left panel: %s at L = %s, up to %.4g", c[0].regimeName(),
				depthsText(above), highest)
		}
		if len(beyond) > 0 {
			text += fmt.Sprintf("; beyond float64: %s at L = %s", c[0].regimeName(),
				depthsText(beyond))
		}
	}
	return text + "; on the right the regimes whose limit is an equation, where the difference is above " +
		"two standard errors, without the two depths from which that of the stochastic equation comes"
}

func depthsText(depths []int) string {
	return strings.ReplaceAll(parameter.FormatList(depths), ",", ", ")
}

// regimeName names the regime of a row.
func (r Row) regimeName() string {
	return fmt.Sprintf("%s, %s", r.Values.Labels()[r.Values], r.Scaling.Labels()[r.Scaling])
}

func regimeNumber(r Row) int {
	for k, known := range regimes {
		if known == (regime{r.Values, r.Scaling}) {
			return k
		}
	}
	return 0
}

// addCourse adds the values of a regime with its limit, and its errors where they are known, but for
// the two depths from which the limit of the stochastic equation comes.
func addCourse(values, errors *plot.Plot, c []Row, series int, name string, key *figure.Key) error {
	points, differences := &figure.Intervals{}, &figure.Intervals{}
	const quantile = 1.96
	for k, r := range c {
		if math.IsNaN(r.Value) {
			continue
		}
		points.Add(float64(r.Depth), r.Value, r.Value-quantile*r.Stderr, r.Value+quantile*r.Stderr)
		size := math.Abs(r.Error)
		fromItself := regimes[series] == (regime{Gaussian, InverseRoot}) && k >= len(c)-2
		if series < 2 && size > 2*r.ErrorStderr && !fromItself {
			differences.Add(float64(r.Depth), size, size-quantile*r.ErrorStderr, size+quantile*r.ErrorStderr)
		}
	}
	if len(points.XYs) > 0 {
		dots, err := figure.AddDots(values, series, points)
		if err != nil {
			return err
		}
		key.Add(name, dots)
	}
	x := []float64{float64(c[0].Depth) / 1.15, float64(c[len(c)-1].Depth) * 1.15}
	dashed := draw.LineStyle{Color: figure.SeriesColors[series], Width: 1, Dashes: []vg.Length{5, 3}}
	if limit := c[0].Limit; !math.IsNaN(limit) {
		if _, err := figure.AddLine(values, x, []float64{limit, limit}, dashed); err != nil {
			return err
		}
	}
	if len(differences.XYs) == 0 {
		return nil
	}
	first := differences.XYs[0]
	line := plotter.XYs{{X: x[0], Y: first.Y * first.X / x[0]}, {X: x[1], Y: first.Y * first.X / x[1]}}
	if _, err := figure.AddLine(errors, x, []float64{line[0].Y, line[1].Y}, dashed); err != nil {
		return err
	}
	_, err := figure.AddDots(errors, series, differences)
	return err
}
