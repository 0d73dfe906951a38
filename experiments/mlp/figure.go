package mlp

import (
	"fmt"
	"image/color"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sphere/activation"
)

// Draw implements run.Experiment. For each activation function and up to three dimensions, a panel shows the
// plane of β and the strength c of the MLP. Each cell of the grid has a dot in the colour of the antipodal
// fraction, with a rim if the fraction is 0. Squares mark cells in which neither outcome is attracting at
// infinite depth. Lines are the boundaries of attraction.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	m := New()
	rows, err := run.ReadRows[Row](m, table)
	if err != nil {
		return nil, err
	}
	all := lists.Map(m.Dim, func(d int) float64 { return float64(d) })
	dims, top := figure.Spread(all, mostDims), 0.1
	for _, r := range rows {
		top = max(top, r.PAntipodal)
	}
	var panels [][]figure.Panel
	for _, a := range m.Activation {
		var row []figure.Panel
		for _, d := range dims {
			row = append(row, figure.Panel{Plot: m.plane(rows, a, int(d), top)})
		}
		panels = append(panels, row)
	}
	caption := run.Caption(table, fmt.Sprintf("antipodal fraction; pre-activations of variance %s, %s a "+
		"cell, depth %d, horizon %g, tolerance %g; solid line: the antipodal outcome attracts on the "+
		"side of large β; dashed line: a single cluster attracts below; squares: neither attracts; rim: "+
		"no antipodal trajectory",
		parameter.FormatReal(m.Variance),
		wording.Count(m.Trajectories, "trajectory"), m.Depth, m.Horizon, m.Tolerance))
	return figure.Tiled(panels, side, figure.ProbabilityBar(top), caption+figure.NotDrawn("d", all, dims))
}

const (
	mostDims = 3
	side     = 270 // of a panel, in points
)

// plane returns the panel of an activation function and a dimension. The strengths end at top.
func (m *Experiment) plane(rows []Row, a activation.Activation, d int, top float64) *figure.Plot {
	p := figure.NewPlot(fmt.Sprintf("%v, d = %d", a, d), "inverse temperature β", "strength c")
	for _, r := range rows {
		if r.Activation != a || int(r.Dim) != d {
			continue
		}
		shade := figure.ProbabilityColor(r.PAntipodal / top)
		dot := figure.Glyph{Color: shade, Shape: figure.Circle, Radius: 5}
		if !math.IsNaN(r.LimitMean) {
			dot.Shape = figure.Box
		}
		at := []figure.Point{{X: r.Beta, Y: r.Strength}}
		p.Add(figure.Dots{Points: at, Glyph: dot})
		if r.Antipodal == 0 {
			p.Add(figure.Dots{Points: at, Glyph: rimOf(dot)})
		}
	}
	margins(&p.X)
	margins(&p.Y)
	p.Y.Low = max(p.Y.Low, 0-0.05*(p.Y.High-p.Y.Low))
	m.addBoundary(p, a, d, -1, figure.Stroke{Color: color.Black, Width: 1.5})
	m.addBoundary(p, a, d, 1, figure.Stroke{Color: color.Black, Width: 1.5, Dashes: figure.Dashed})
	return p
}

// rimOf returns a ring or a square around a dot whose colour is as bright as the background.
func rimOf(dot figure.Glyph) figure.Glyph {
	rim := figure.Glyph{Color: color.Gray{150}, Shape: figure.Ring, Radius: dot.Radius}
	if dot.Shape == figure.Box {
		rim.Shape = figure.Square
	}
	return rim
}

// margins widens an axis so that dots at its ends are completely visible.
func margins(axis *figure.Axis) {
	width := 0.08 * (axis.High - axis.Low)
	if width == 0 {
		width = 0.5
	}
	axis.Range(axis.Low-width, axis.High+width)
}

// addBoundary adds to a panel the strengths of the MLP at which the overlap end, -1 or 1, begins or ceases to
// be attracting.
func (m *Experiment) addBoundary(
	p *figure.Plot, a activation.Activation, d int, end float64, s figure.Stroke,
) {
	const points = 200
	var x, y []float64
	low, high := p.Y.Low, p.Y.High
	for k := range points + 1 {
		beta := max(0, p.X.Low) + (p.X.High-max(0, p.X.Low))*float64(k)/points
		attention, err := overlap.New(d, beta, overlap.Softmax, 1)
		if err != nil {
			continue
		}
		from, to, err := attention.AttractingStrengths(end, overlap.MLP{Activation: a, Variance: m.Variance})
		at := from
		if from == 0 {
			at = to
		}
		if err != nil || !(at > 0 && at >= low && at <= high) {
			at = math.NaN()
		}
		x, y = append(x, beta), append(y, at)
	}
	p.BrokenLine(x, y, s)
	p.Y.Range(low, high)
}
