package residual

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// Draw implements run.Experiment. The figure of experiment residual shows the mean logarithm of the norms of
// tokens against the depth, for each regime with its limit. The figure also shows the absolute errors of the
// two regimes that have a nontrivial limit.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	e := New()
	rows, err := run.ReadRows[Row](e, table)
	if err != nil {
		return nil, err
	}
	values := figure.NewPlot("Mean ln|x| at the horizon; dashed: the limit", "depth L", "mean ln|x|")
	errors := figure.NewPlot("Difference to the limit; dashed: order 1", "depth L", "|difference|")
	values.X.Logarithmic, errors.X.Logarithmic, errors.Y.Logarithmic = true, true, true
	key := &figure.Key{}
	low, high := math.Inf(1), math.Inf(-1)
	shown := logNorms(rows)
	for _, c := range shown {
		addCourse(values, errors, c, key)
		for _, r := range c {
			leavesEveryScale := r.regime() == regime{Identity, InverseRoot}
			if !leavesEveryScale && !math.IsNaN(r.Value) {
				low, high = min(low, r.Value), max(high, r.Value)
			}
		}
	}
	depths := figure.DistinctOf(rows, func(r Row) float64 { return float64(r.Depth) })
	for _, p := range []*figure.Plot{values, errors} {
		p.X.Ticks = figure.WholeTicks(depths)
		p.X.Range(depths[0]/1.15, depths[len(depths)-1]*1.15)
	}
	if math.IsInf(low, 0) {
		low, high = 0, 1
	}
	margin := 0.3*(high-low) + 0.1
	values.Y.Range(low-margin, high+2*margin)
	if !(errors.Y.High > errors.Y.Low && errors.Y.Low > 0) {
		errors.Y.Range(1e-3, 1)
	}
	text := run.Caption(table, fmt.Sprintf("%s, initially on the unit sphere, d = %d, β = %g, softmax "+
		"attention without normalisation, time %g, %s, 95 %% intervals",
		wording.Count(e.Tokens, "token"), e.Dim, e.Beta, e.Horizon,
		wording.Count(e.Samples, "sample")))
	text += notDrawn(shown, values.Y.High)
	return figure.Pairs([]figure.Panel{{Plot: values}, {Plot: errors}}, key, text)
}

// logNorms returns the curves of the mean logarithm of the norms of tokens against the depth, one for each
// regime.
func logNorms(rows []Row) [][]Row {
	return lists.Filter(curves(rows), func(c []Row) bool { return c[0].Statistic == LogNorm })
}

// notDrawn states which parts of the curves are missing from a figure whose left panel ends at the value top.
func notDrawn(curves [][]Row, top float64) (text string) {
	for _, c := range curves {
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
			text += fmt.Sprintf("; above the left panel: %v at L = %s, up to %.4g", c[0].regime(),
				depthsText(above), highest)
		}
		if len(beyond) > 0 {
			text += fmt.Sprintf("; beyond float64: %v at L = %s", c[0].regime(), depthsText(beyond))
		}
	}
	return text + "; right panel: only cases whose limit is an equation, only differences above two " +
		"standard errors, and without the two depths from which the limit of the stochastic equation is " +
		"extrapolated"
}

func depthsText(depths []int) string {
	return strings.ReplaceAll(parameter.FormatList(depths), ",", ", ")
}

// addCourse adds to the plots the values of a regime against the depth with its limit, and its errors if they
// are known. No errors are known at the two depths from which the limit of the stochastic differential
// equation is extrapolated.
func addCourse(values, errors *figure.Plot, c []Row, key *figure.Key) {
	of := c[0].regime()
	series := slices.Index(regimes, of)
	var points, differences figure.Intervals
	const quantile = statistics.Quantile95
	for k, r := range c {
		if math.IsNaN(r.Value) {
			continue
		}
		points.AddAround(float64(r.Depth), r.Value, quantile*r.Stderr)
		size := math.Abs(r.Error)
		fromItself := of == (regime{Gaussian, InverseRoot}) && k >= len(c)-2
		if series < 2 && size > 2*r.ErrorStderr && !fromItself {
			differences.AddAround(float64(r.Depth), size, quantile*r.ErrorStderr)
		}
	}
	if len(points.Points) > 0 {
		values.Dots(series, points)
		key.Add(of.String(), figure.SeriesGlyph(series))
	}
	x := []float64{float64(c[0].Depth) / 1.15, float64(c[len(c)-1].Depth) * 1.15}
	dashed := figure.Stroke{Color: figure.SeriesColors[series], Width: 1, Dashes: []float64{5, 3}}
	if limit := c[0].Limit; !math.IsNaN(limit) {
		values.Line(x, []float64{limit, limit}, dashed)
	}
	if len(differences.Points) == 0 {
		return
	}
	first := differences.Points[0]
	errors.Line(x, []float64{first.Y * first.X / x[0], first.Y * first.X / x[1]}, dashed)
	errors.Dots(series, differences)
}
