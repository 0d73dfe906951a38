package overlap

import (
	"fmt"
	"math"

	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/theory"
)

// drawBlockBoundary plots the boundaries of attraction with an MLP of strength c and variance w, in the
// planes of β and c, of β and w, and of d and c. Solid lines are boundaries for overlap -1, and dashed lines
// are boundaries for overlap 1.
func (o *Experiment) drawBlockBoundary(caption string) (*figure.Figure, error) {
	dims, betas := o.grid()
	low, high := theory.LineRange(betas)
	w, c := parameter.FormatReal(o.MLP.Variance), parameter.FormatReal(o.MLP.Strength)
	strengths := figure.NewPlot("Strength of the MLP, w = "+w, "inverse temperature β", "strength c")
	variances := figure.NewPlot("Variance of pre-activations, c = "+c, "inverse temperature β", "variance w")
	dimensions := figure.NewPlot("Strength over the dimension, w = "+w, "dimension d", "strength c")
	key := &figure.Key{}
	shown := figure.Spread(dimensionsOf(dims), mostLines)
	for k, d := range shown {
		color := figure.SeriesColors[k]
		key.Add(fmt.Sprintf("d = %g", d), figure.Stroke{Color: color, Width: 1.4})
		for _, end := range ends {
			stroke := figure.Stroke{Color: color, Width: 1.4, Dashes: end.dashes}
			o.tracePlanes(strengths, variances, int(d), low, high, end.z, stroke)
		}
	}
	chosen := figure.Spread(betas, mostLines)
	for k, beta := range chosen {
		color := figure.SeriesColors[mostLines+k]
		key.Add("β = "+parameter.FormatReal(beta), figure.Stroke{Color: color, Width: 1.4})
		for _, end := range ends {
			stroke := figure.Stroke{Color: color, Width: 1.4, Dashes: end.dashes}
			o.traceDimensions(dimensions, dims, beta, end.z, stroke)
		}
	}
	for _, end := range ends {
		key.Add(end.name, figure.Stroke{Color: figure.SeriesColors[0], Width: 1.4, Dashes: end.dashes})
	}
	strengths.X.Range(low, high)
	variances.X.Range(low, high)
	for _, p := range []*figure.Plot{strengths, dimensions} {
		p.Y.Range(0, o.strengthShown())
	}
	variances.Y.Logarithmic = true
	variances.Y.Range(leastShown, greatestShown)
	left := figure.NotDrawn("d", dimensionsOf(dims), shown) + figure.NotDrawn("β", betas, chosen)
	panels := []figure.Panel{{Plot: strengths}, {Plot: variances}, {Plot: dimensions}}
	return figure.Pairs(panels, key, caption+left)
}

// mostLines is the greatest number of dimensions that have lines in a figure of boundaries, and also the
// greatest number of values of β.
const mostLines = 3

// The range of variances w of the MLP in a figure of boundaries.
const leastShown, greatestShown = 0.01, 1000

// strengthShown returns the greatest strength c of the MLP in a figure of boundaries.
func (o *Experiment) strengthShown() float64 { return max(3, 2*o.MLP.Strength) }

// ends are the overlaps -1 and 1 whose stability changes at a boundary, with the style of their lines.
var ends = []struct {
	z      float64
	name   string
	dashes []float64
}{
	{-1, "overlap -1 changes", nil},
	{1, "overlap +1 changes", figure.Dashed},
}

// tracePlanes adds the boundaries of attraction at the overlap end in dimension d to the plots of strengths
// and variances of the MLP against β. Two critical variances may exist at the same β.
func (o *Experiment) tracePlanes(
	strengths, variances *figure.Plot, d int, low, high, end float64, stroke figure.Stroke,
) {
	const points = 240
	var x, c []float64
	var w [2][]float64
	for k := range points + 1 {
		beta := low + (high-low)*float64(k)/points
		least, greatest, found := o.changes(end, d, beta)
		x, c = append(x, beta), append(c, within(threshold(least, greatest), 0, o.strengthShown()))
		for j := range w {
			at := math.NaN()
			if j < len(found) {
				at = within(found[len(found)-1-j], leastShown, greatestShown)
			}
			w[j] = append(w[j], at)
		}
	}
	strengths.BrokenLine(x, c, stroke)
	for _, branch := range w {
		variances.BrokenLine(x, branch, stroke)
	}
}

// traceDimensions adds the boundary of attraction at the overlap end for one β, the critical strength of the
// MLP as a function of the dimension, to a plot.
func (o *Experiment) traceDimensions(p *figure.Plot, dims []int, beta, end float64, stroke figure.Stroke) {
	var x, c []float64
	top := 2 * float64(dims[len(dims)-1])
	for d := 2; float64(d) <= top; d += max(1, int(top/100)) {
		least, greatest, _ := o.changes(end, d, beta)
		x, c = append(x, float64(d)), append(c, within(threshold(least, greatest), 0, o.strengthShown()))
	}
	p.BrokenLine(x, c, stroke)
	p.X.Range(2, top)
}

// threshold returns the end of a range of strengths of the MLP that is finite and not 0, or NaN if no end is
// finite and not 0.
func threshold(low, high float64) float64 {
	switch {
	case low > 0:
		return low
	case high > 0 && !math.IsInf(high, 1):
		return high
	}
	return math.NaN()
}

// within returns the number x, or NaN if x is not between low and high.
func within(x, low, high float64) float64 {
	if x >= low && x <= high {
		return x
	}
	return math.NaN()
}
