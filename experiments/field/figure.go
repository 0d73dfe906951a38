package field

import (
	"fmt"
	"image/color"
	"math"

	"antipode/data"
	"antipode/experiments/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements run.Experiment: the field at points of the circle, on the left as it
// is, on the right projected, in one scale.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	f := New()
	rows, err := readRows(f, table)
	if err != nil {
		return nil, err
	}
	panels := []circlePanel{
		newCirclePanel("Attention field A(x)", rows, 1,
			func(r Row) (u, v float64) { return r.FieldX, r.FieldY }),
		newCirclePanel("… projected to the tangent at x", rows, 0.6,
			func(r Row) (u, v float64) { return r.TangentX, r.TangentY }),
	}
	return &figure.Figure{Width: figure.Width, Height: 460, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, fmt.Sprintf("antipode field: %s attention, β = %g", f.Attention, f.Beta))
		c = draw.Crop(c, 8, -8, 0, -8)
		half := c.Size().X / 2
		for i, panel := range panels {
			panel.fixed, panel.arrowColor = f.Angles, figure.SeriesColors[i]
			p := figure.NewPlot(fmt.Sprintf("%s, arrows × %.3g", panel.title, panel.scale), "", "")
			p.HideAxes()
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -panel.extent, panel.extent, -panel.extent, panel.extent
			p.Add(panel)
			side := draw.Crop(c, half*vg.Length(i), half*vg.Length(i+1)-c.Size().X, 0, 0)
			figure.DrawToScale(p, side)
		}
	}}, nil
}

// circlePanel draws the circle, an arrow at each of its points, and the fixed tokens.
type circlePanel struct {
	title         string
	rows          []Row
	arrow         func(r Row) (u, v float64)
	scale, extent float64   // of an arrow; of the panel
	fixed         []float64 // degrees
	arrowColor    color.Color
}

// newCirclePanel returns a panel whose longest arrow has the given length. Each has
// its own scale: in that of the field itself its projection could hardly be seen.
func newCirclePanel(
	title string, rows []Row, longest float64, arrow func(r Row) (u, v float64),
) circlePanel {
	c := circlePanel{title: title, rows: rows, arrow: arrow, scale: 1}
	most := 0.0
	for _, r := range rows {
		most = max(most, math.Hypot(arrow(r)))
	}
	if most > 0 {
		c.scale = longest / most
	}
	for _, r := range rows {
		x, y := c.head(r)
		c.extent = max(c.extent, math.Abs(x), math.Abs(y))
	}
	c.extent = max(1, c.extent) + 0.08
	return c
}

// head is where the arrow of a row ends.
func (c circlePanel) head(r Row) (x, y float64) {
	u, v := c.arrow(r)
	return r.X + c.scale*u, r.Y + c.scale*v
}

// Plot implements plot.Plotter.
func (c circlePanel) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	at := func(u, v float64) vg.Point { return vg.Point{X: x(u), Y: y(v)} }
	const steps = 360
	circle := make([]vg.Point, steps+1)
	for k := range circle {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / steps)
		circle[k] = at(cos, sin)
	}
	canvas.StrokeLines(draw.LineStyle{Color: color.Gray{150}, Width: 1}, circle)
	const most = 72 // more arrows hide each other
	for k := 0; k < len(c.rows); k += max(1, len(c.rows)/most) {
		r := c.rows[k]
		drawArrow(canvas, c.arrowColor, at(r.X, r.Y), at(c.head(r)))
	}
	style := draw.GlyphStyle{Color: color.Black, Radius: 5, Shape: draw.CircleGlyph{}}
	label := p.X.Tick.Label
	label.XAlign, label.YAlign = draw.XCenter, draw.YCenter
	label.Font.Size = 11
	for i, angle := range c.fixed {
		sin, cos := math.Sincos(angle * math.Pi / 180)
		canvas.DrawGlyph(style, at(cos, sin))
		if len(c.fixed) <= 9 {
			canvas.FillText(label, at(0.86*cos, 0.86*sin), "X"+superscripts[i+1])
		}
	}
}

var superscripts = []string{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}

// drawArrow draws an arrow; a very short one is a dot.
func drawArrow(c draw.Canvas, ink color.Color, from, to vg.Point) {
	const head = vg.Length(6)
	along := to.Sub(from)
	length := vg.Length(math.Hypot(float64(along.X), float64(along.Y)))
	if length < 1 {
		c.DrawGlyph(draw.GlyphStyle{Color: ink, Radius: 1.5, Shape: draw.CircleGlyph{}}, from)
		return
	}
	along = along.Scale(1 / length)
	across := vg.Point{X: -along.Y, Y: along.X}
	size := min(head, length)
	neck := to.Sub(along.Scale(size))
	c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1.2}, from.X, from.Y, neck.X, neck.Y)
	c.FillPolygon(ink, []vg.Point{to, neck.Add(across.Scale(size * 0.4)), neck.Sub(across.Scale(size * 0.4))})
}
