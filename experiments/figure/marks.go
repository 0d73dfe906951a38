package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Line is a mark of a plot: a line through points.
type Line struct {
	Points []Point
	Stroke
	Rim    bool          // white rim, so that every colour shows the line
	Shades []color.Color // colours of the segments; nil for a single colour
}

// Dots is a mark of a plot: dots at points. The dots have vertical intervals from Low to High if these are
// not nil.
type Dots struct {
	Points    []Point
	Low, High []float64
	Glyph
	Bar float64 // width of the lines of intervals, in points
}

// Band is a mark of a plot: the area between two curves over X, in a light shade of a colour.
type Band struct {
	X, Low, High []float64
	Color        color.Color
}

// Tile is a mark of a plot: a filled rectangle, given by its lower left and its upper right corner.
type Tile struct {
	Low, High Point
	Color     color.Color
}

// Histogram is a mark of a plot: a row of columns of equal width, the first of which starts at 0.
type Histogram struct {
	Width   float64
	Heights []float64
	Color   color.Color
}

// Arrow is a mark of a plot: an arrow, or a dot if the ends of the arrow nearly coincide.
type Arrow struct {
	From, To Point
	Color    color.Color
}

// Note is a mark of a plot: a text centred at a point.
type Note struct {
	At   Point
	Text string
}

func xys(points []Point) plotter.XYs {
	out := make(plotter.XYs, len(points))
	for k, at := range points {
		out[k] = plotter.XY(at)
	}
	return out
}

func (l Line) corners() []Point { return l.Points }

func (l Line) draw(on *plot.Plot) {
	if l.Shades != nil {
		on.Add(painted(l.drawShades))
		return
	}
	styles := []draw.LineStyle{l.style()}
	if l.Rim {
		styles = []draw.LineStyle{{Color: color.White, Width: vg.Length(l.Width) + 2}, l.style()}
	}
	for _, style := range styles {
		on.Add(&plotter.Line{XYs: xys(l.Points), LineStyle: style})
	}
	on.Add(pointMarks(l.Points))
}

// drawShades draws each segment of a line in its colour.
func (l Line) drawShades(c draw.Canvas, at func(Point) vg.Point) {
	style := l.style()
	for k, shade := range l.Shades {
		from, to := at(l.Points[k]), at(l.Points[k+1])
		style.Color = shade
		c.StrokeLine2(style, from.X, from.Y, to.X, to.Y)
	}
}

func (d Dots) corners() []Point {
	points := d.Points
	for k := range d.Low {
		x := d.Points[k].X
		points = append(points[:len(points):len(points)], Point{x, d.Low[k]}, Point{x, d.High[k]})
	}
	return points
}

func (d Dots) draw(on *plot.Plot) {
	if d.Low != nil {
		const capWidth = 4
		bars := &plotter.YErrorBars{XYs: xys(d.Points), CapWidth: capWidth,
			LineStyle: draw.LineStyle{Color: d.Color, Width: vg.Length(d.Bar)}}
		for k, at := range d.Points {
			bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{at.Y - d.Low[k], d.High[k] -
				at.Y})
		}
		on.Add(bars)
	}
	on.Add(&plotter.Scatter{XYs: xys(d.Points), GlyphStyle: d.style()}, pointMarks(d.Points))
}

func (b Band) corners() (points []Point) {
	for k, x := range b.X {
		points = append(points, Point{x, b.Low[k]}, Point{x, b.High[k]})
	}
	return points
}

func (b Band) draw(on *plot.Plot) {
	shown := ShownRows(len(b.X))
	var outline plotter.XYs
	for _, k := range shown {
		outline = append(outline, plotter.XY{X: b.X[k], Y: b.Low[k]})
	}
	for k := range shown {
		at := shown[len(shown)-1-k]
		outline = append(outline, plotter.XY{X: b.X[at], Y: b.High[at]})
	}
	on.Add(&plotter.Polygon{XYs: []plotter.XYs{outline}, Color: TowardsWhite(b.Color, 0.75)})
}

func (t Tile) corners() []Point { return []Point{t.Low, t.High} }

func (t Tile) draw(on *plot.Plot) {
	corners := plotter.XYs{plotter.XY(t.Low), {X: t.High.X, Y: t.Low.Y}, plotter.XY(t.High),
		{X: t.Low.X, Y: t.High.Y}}
	noSeams := draw.LineStyle{Color: t.Color, Width: 0.3}
	on.Add(&plotter.Polygon{XYs: []plotter.XYs{corners}, Color: t.Color, LineStyle: noSeams})
}

func (h Histogram) corners() (points []Point) {
	for k, height := range h.Heights {
		points = append(points, Point{h.Width * float64(k+1), height})
	}
	return append(points, Point{})
}

func (h Histogram) draw(on *plot.Plot) {
	columns := &plotter.Histogram{Width: h.Width, FillColor: h.Color}
	for k, height := range h.Heights {
		columns.Bins = append(columns.Bins, plotter.HistogramBin{
			Min: float64(k) * h.Width, Max: float64(k+1) * h.Width, Weight: height})
	}
	on.Add(columns)
}

func (a Arrow) corners() []Point { return []Point{a.From, a.To} }

func (a Arrow) draw(on *plot.Plot) {
	on.Add(painted(func(c draw.Canvas, at func(Point) vg.Point) {
		drawArrow(c, a.Color, at(a.From), at(a.To))
	}))
}

// drawArrow draws an arrow between two positions, or a dot if the arrow would be very short.
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

func (n Note) corners() []Point { return []Point{n.At} }

func (n Note) draw(on *plot.Plot) {
	style := on.X.Tick.Label
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	style.Font.Size = 11
	on.Add(painted(func(c draw.Canvas, at func(Point) vg.Point) { c.FillText(style, at(n.At), n.Text) }))
}

// painted is a mark of a plot that draws itself. The function at gives the position of a point on the canvas.
type painted func(c draw.Canvas, at func(Point) vg.Point)

// Plot implements plot.Plotter.
func (f painted) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	f(c, func(at Point) vg.Point { return vg.Point{X: x(at.X), Y: y(at.Y)} })
}
