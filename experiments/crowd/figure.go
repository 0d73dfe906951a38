package crowd

import (
	"fmt"
	"image/color"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// Draw implements run.Experiment. The figure of experiment crowd shows, against the number of tokens, the
// antipodal fraction, the time until one side wins, the imbalance of two opposite clusters, and the distance
// to the largest crowd, each with its prediction. The figure has lines for up to six pairs of a dimension and
// a β.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	e := New()
	rows, err := run.ReadRows[Row](e, table)
	if err != nil {
		return nil, err
	}
	all := seriesOf(rows)
	drawn := all[:min(len(all), len(figure.SeriesColors))]
	key := &figure.Key{}
	panels := []figure.Panel{{Plot: e.outcomes(drawn, key)}, {Plot: e.times(drawn, key)},
		{Plot: e.imbalances(drawn)}, {Plot: e.distances(drawn, key)}}
	sizes := figure.DistinctOf(rows, func(r Row) float64 { return float64(r.Tokens) })
	for _, p := range panels {
		p.Plot.X.Logarithmic = true
		p.Plot.X.Range(sizes[0]/1.3, sizes[len(sizes)-1]*1.3)
	}
	text := run.Caption(table, fmt.Sprintf("%s a row, depth %d, horizon %g, tolerance %g, 95 %% "+
		"intervals; of the imbalance the median and quantiles at 10 %% and 90 %%",
		wording.Count(e.Trajectories, "trajectory"), e.Depth, e.Horizon, e.Tolerance))
	if len(all) > len(drawn) {
		text += fmt.Sprintf("; the first %d of %d pairs of d and β", len(drawn), len(all))
	}
	return figure.Pairs(panels, key, text)
}

const numberOfTokens = "number N of tokens"

// predicted is the line style of a prediction that holds for several series.
var predicted = figure.Stroke{Color: color.Black, Width: 1, Dashes: figure.Dotted}

// outcomes plots the antipodal fraction of trajectories against the number of tokens, and the antipodal
// fraction of tokens that choose sides independently.
func (e *Experiment) outcomes(all [][]Row, key *figure.Key) *figure.Plot {
	p := figure.NewPlot(fmt.Sprintf("Two opposite clusters at time %g", e.Horizon), numberOfTokens,
		"P(antipodal)")
	for k, series := range all {
		var points figure.Intervals
		for _, r := range series {
			points.Add(float64(r.Tokens), r.PAntipodal, r.Low, r.High)
		}
		addConnected(p, k, points)
		key.Add(fmt.Sprintf("d = %d, β = %s", series[0].Dim, parameter.FormatReal(series[0].Beta)),
			figure.SeriesStroke(k, 1), figure.SeriesGlyph(k))
	}
	last := all[len(all)-1]
	p.Line(lists.Map(last, func(r Row) float64 { return float64(r.Tokens) }),
		lists.Map(last, func(r Row) float64 { return r.Sides }), predicted)
	key.Add("fair coins", predicted)
	p.Y.Range(0, 1.03)
	return p
}

// times plots the mean time until one side wins against the number of tokens. Lines of the predicted slope
// pass through the point with the most tokens.
func (e *Experiment) times(all [][]Row, key *figure.Key) *figure.Plot {
	p := figure.NewPlot("Time until one side wins", numberOfTokens, "mean time")
	some := false
	for k, series := range all {
		var points figure.Intervals
		for _, r := range series {
			if !math.IsNaN(r.Time) {
				addNormal(&points, float64(r.Tokens), r.Time, r.TimeStderr)
			}
		}
		x, y := points.XY()
		if len(x) == 0 {
			continue
		}
		some = true
		addConnected(p, k, points)
		last := len(x) - 1
		if slope := series[0].SlopePredicted; !math.IsNaN(slope) && last > 0 {
			stroke := figure.Stroke{Color: figure.SeriesColors[k], Width: 1.4, Dashes: figure.Dotted}
			from := math.Max(x[0], x[last]*math.Exp(-y[last]/slope))
			low := y[last] - slope*math.Log(x[last]/from)
			p.Line([]float64{from, x[last]}, []float64{low, y[last]}, stroke)
			key.Add("predicted slope", stroke)
		}
	}
	top := e.Horizon
	if some {
		top = 1.05 * p.Y.High
	}
	p.Y.Range(0, top)
	return p
}

// imbalances plots the median and quantiles of the imbalance of two opposite clusters against the number of
// tokens.
func (e *Experiment) imbalances(all [][]Row) *figure.Plot {
	p := figure.NewPlot(fmt.Sprintf("Imbalance of two opposite clusters at time %g", e.Horizon),
		numberOfTokens, "imbalance")
	for k, series := range all {
		var points figure.Intervals
		for _, r := range series {
			if !math.IsNaN(r.ImbalanceMedian) {
				points.Add(float64(r.Tokens), r.ImbalanceMedian, r.ImbalanceLow, r.ImbalanceHigh)
			}
		}
		addConnected(p, k, points)
	}
	p.Y.Range(-0.02, 1.02)
	return p
}

// distances plots the distance to the largest crowd against the number of tokens, and the distance of as many
// tokens of the largest crowd, drawn without replacement.
func (e *Experiment) distances(all [][]Row, key *figure.Key) *figure.Plot {
	p := figure.NewPlot(fmt.Sprintf("Distance to the largest crowd at time %g", e.Time), numberOfTokens,
		"energy distance")
	some := false
	for k, series := range all {
		var x, independent []float64
		var points figure.Intervals
		for _, r := range series {
			if r.Distance > 0 && r.Independent > 0 {
				some = true
				x, independent = append(x, float64(r.Tokens)), append(independent, r.Independent)
				addNormal(&points, float64(r.Tokens), r.Distance, r.DistanceStderr)
			}
		}
		if len(x) == 0 {
			continue
		}
		p.Dots(k, points)
		stroke := figure.Stroke{Color: figure.SeriesColors[k], Width: 1, Dashes: figure.Dashed}
		p.Line(x, independent, stroke)
		key.Add("independent tokens", stroke)
	}
	p.Y.Logarithmic = some
	if !some {
		p.Y.Range(0, 1)
	}
	return p
}

// addConnected adds the dots of a series to a plot, connected by a line.
func addConnected(p *figure.Plot, series int, points figure.Intervals) {
	x, y := points.XY()
	p.Line(x, y, figure.SeriesStroke(series, 1))
	p.Dots(series, points)
}

// addNormal adds a number with its 95 % interval to points. The lower end of the interval is above 0, as a
// logarithmic axis requires. A number from a single trajectory has no interval.
func addNormal(points *figure.Intervals, x, y, stderr float64) {
	half := statistics.Quantile95 * stderr
	if math.IsNaN(half) {
		half = 0
	}
	points.Add(x, y, math.Max(y-half, y/10), y+half)
}
