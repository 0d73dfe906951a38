package residual

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"

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
		name := fmt.Sprintf("%s, %s", c[0].Values.Labels()[c[0].Values], c[0].Scaling.Labels()[c[0].Scaling])
		if err := addCourse(values, errors, c, k, name, key); err != nil {
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
		fmt.Sprintf("%d tokens on the unit sphere at first, d = %d, β = %g, softmax "+
			"attention without normalisation, time %g, %d samples, 95 %% intervals",
			e.Tokens, e.Dim, e.Beta, e.Horizon, e.Samples), seed)
	return figure.Panels([]figure.Panel{{Plot: values}, {Plot: errors}}, key, text), nil
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
