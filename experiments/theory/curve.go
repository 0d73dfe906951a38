package theory

import (
	"math"

	"antipode/experiments/figure"
	"antipode/overlap"
	"antipode/sde"
)

// LineWidth is the width of a line in a figure as a fraction of the figure's height. It is therefore also a
// fraction of the range of probabilities.
const LineWidth = 0.004

// Curves show the antipodal probability of two uniform tokens over a range of β or ε, at a horizon and in the
// limit. The curve at the horizon belongs to the simulated depth if the law at that depth is available, and
// otherwise to infinite depth.
type Curves struct{ horizon, limit curve }

// curve is a line of y against x, with gaps where y is NaN.
type curve struct{ x, y []float64 }

// Trace computes curves for several values of a parameter, over the same range of another parameter x. The
// function cell returns the cell of a value and x. The points are so dense that the curves are smooth where
// the probability is smooth; they do not depend on the simulated cells. A curve has a gap where a cell is
// rejected, and where a law is not known to 1e-3.
func Trace(
	values []float64, cell func(value, x float64) sde.Cell, low, high float64,
	layers int64, horizon, tolerance float64,
) []Curves {
	curves := make([]Curves, len(values))
	figure.Parallel(2*len(values), func(k int) {
		to, probability := &curves[k/2].limit, func(c sde.Cell) float64 {
			d, err := Diffusion(c)
			if err != nil {
				return math.NaN()
			}
			return LimitProbability(d)
		}
		if k%2 == 0 {
			to, probability = &curves[k/2].horizon, func(c sde.Cell) float64 {
				return horizonProbability(c, layers, horizon, tolerance)
			}
		}
		to.x, to.y = figure.Trace(func(x float64) float64 { return probability(cell(values[k/2], x)) }, low,
			high, LineWidth)
	})
	return curves
}

// LimitProbability returns the antipodal probability in the limit, from a uniform start.
func LimitProbability(d *overlap.Diffusion) float64 { return d.AntipodalUniform().Value }

// horizonProbability returns the antipodal probability of a cell at a time. Its error is at most a quarter of
// the width of a line.
func horizonProbability(c sde.Cell, layers int64, horizon, tolerance float64) float64 {
	const accuracy = 1e-3
	if r, err := Recursion(c); err != nil {
		return math.NaN()
	} else if r != nil {
		o, err := r.Uniform(int(layers), tolerance, accuracy)
		if err != nil {
			return math.NaN()
		}
		return Known(o.Antipodal).Value
	}
	laws, err := UniformLaws(c, []float64{horizon}, accuracy)
	if err != nil || len(laws) == 0 {
		return math.NaN()
	}
	return Known(laws[0].Antipodal(tolerance)).Value
}

// Add adds the curves to a plot in the colour of a series, with a dotted curve for the limit.
func (c Curves) Add(p *figure.Plot, series int) {
	color := figure.SeriesColors[series]
	p.BrokenLine(c.horizon.x, c.horizon.y, figure.Stroke{Color: color, Width: 1.2})
	p.BrokenLine(c.limit.x, c.limit.y, figure.Stroke{Color: color, Width: 1, Dashes: figure.Dotted})
}

// Top returns the greatest probability of the curves.
func (c Curves) Top() float64 {
	top := 0.0
	for _, line := range []curve{c.horizon, c.limit} {
		for _, y := range line.y {
			if y > top {
				top = y
			}
		}
	}
	return top
}

// LineRange returns the range over which a line is plotted. This is the range of the values. For a single
// value it is an interval of length ½ around the value, cut off at 0.
func LineRange(values []float64) (low, high float64) {
	low, high = values[0], values[len(values)-1]
	if low == high {
		return max(0, low-0.25), high + 0.25
	}
	return low, high
}
