package theory

import (
	"math"

	"antipode/experiments/figure"
	"antipode/overlap"
	"antipode/sde"
)

// LineWidth is the width of a line in a figure as a fraction of the figure's height. Because probabilities
// from 0 to 1 span the height, LineWidth is also a difference of probabilities.
const LineWidth = 0.004

// Curves show the theoretical probability that two tokens from uniform starts become antipodal, over a range
// of β or ε. The curve horizon holds at a horizon, and the curve limit at infinite depth and horizon. The
// curve at the horizon belongs to the simulated depth if the exact law at that depth is available, and
// otherwise to infinite depth.
type Curves struct{ horizon, limit curve }

// curve is a line of a function y of x, with gaps where y is NaN.
type curve struct{ x, y []float64 }

// Trace computes theoretical Curves, one pair for each of several values of a parameter, over a range from
// low to high of another parameter x. The function cell returns the simulated cell for a value and x. The
// points of a curve are so dense that a smooth probability gives a smooth curve; the points do not depend on
// the cells that are simulated. A curve has a gap where a cell is rejected, and where the law of the overlap
// is not known to 1e-3.
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

// LimitProbability returns the probability that two tokens become antipodal at infinite depth and horizon,
// from a uniform start.
func LimitProbability(d *overlap.Diffusion) float64 { return d.AntipodalUniform().Value }

// horizonProbability returns the probability that the two tokens of a cell are antipodal at the horizon,
// after the given number of layers. The error of the probability is at most a quarter of the width of a line
// in a figure. The probability is NaN if it is not known.
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

// Add draws the theoretical curves in a plot, in the colour of a series. The curve for infinite depth and
// horizon is dotted.
func (c Curves) Add(p *figure.Plot, series int) {
	color := figure.SeriesColors[series]
	p.BrokenLine(c.horizon.x, c.horizon.y, figure.Stroke{Color: color, Width: 1.2})
	p.BrokenLine(c.limit.x, c.limit.y, figure.Stroke{Color: color, Width: 1, Dashes: figure.Dotted})
}

// Top returns the greatest probability of both curves.
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

// LineRange returns the range of x over which a line is plotted, from the first to the last of the ascending
// values. For a single value, the range is an interval of length ½ around the value, cut off at 0.
func LineRange(values []float64) (low, high float64) {
	low, high = values[0], values[len(values)-1]
	if low == high {
		return max(0, low-0.25), high + 0.25
	}
	return low, high
}
