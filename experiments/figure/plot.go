package figure

import (
	"fmt"
	"image/color"
	"math"

	"antipode/internal/lists"

	"gonum.org/v1/plot"
)

// Plot is the content of one plot: its axes, and marks in the order in which they are drawn. Methods that add
// marks widen the axes so that they include the marks. A range of an axis that is set after all marks stays
// as it is. If a mark cannot be drawn, the first such mark becomes the error of the figure that contains the
// plot.
type Plot struct {
	Title string
	X, Y  Axis
	Marks []Mark

	Bare  bool // whether the plot has no axes
	Small bool // whether title and x label have small letters

	err error
}

// Axis is an axis of a plot, with a linear or a logarithmic scale.
type Axis struct {
	Label       string  `json:"label"`
	Low         float64 `json:"low"` // +Inf, with High -Inf, for an axis without values
	High        float64 `json:"high"`
	Logarithmic bool    `json:"logarithmic"`
	Ticks       []Tick  `json:"-"` // nil to choose ticks automatically
}

// Tick is a tick of an axis. A minor tick has no label.
type Tick struct {
	Value float64
	Label string
}

// NewPlot returns a plot without marks. The arguments x and y are the labels of the axes.
func NewPlot(title, x, y string) *Plot {
	none := Axis{Low: math.Inf(1), High: math.Inf(-1)}
	p := &Plot{Title: title, X: none, Y: none}
	p.X.Label, p.Y.Label = x, y
	return p
}

// Range sets the ends of an axis.
func (a *Axis) Range(low, high float64) { a.Low, a.High = low, high }

// Mark is an element of a plot: Line, Dots, Band, Tile, HeatMap, Histogram, Arrow or Note.
type Mark interface {
	// corners returns the corners of the smallest rectangle that contains the mark.
	corners() []Point
	draw(on *plot.Plot)
}

// Point is a point of a plot, in the units of its axes.
type Point struct{ X, Y float64 }

func (p Point) finite() bool { return !math.IsNaN(p.X-p.X) && !math.IsNaN(p.Y-p.Y) }

// Add adds marks to the plot, and widens its axes so that they include the marks.
func (p *Plot) Add(marks ...Mark) {
	for _, m := range marks {
		for _, at := range m.corners() {
			if !at.finite() && p.err == nil {
				p.err = fmt.Errorf("a figure cannot show the point (%g, %g) of %q", at.X, at.Y, p.Title)
			}
			p.X.Low, p.X.High = min(p.X.Low, at.X), max(p.X.High, at.X)
			p.Y.Low, p.Y.High = min(p.Y.Low, at.Y), max(p.Y.High, at.Y)
		}
		p.Marks = append(p.Marks, m)
	}
}

// Line adds a line of y against x to the plot. The line passes through at most a thousand of the points.
func (p *Plot) Line(x, y []float64, stroke Stroke) {
	p.Add(Line{Points: pointsOf(x, y), Stroke: stroke})
}

// pointsOf returns those points of y against x through which a line passes.
func pointsOf(x, y []float64) (points []Point) {
	return lists.Map(ShownRows(len(x)), func(k int) Point { return Point{x[k], y[k]} })
}

// CirclePoints returns the corners of a regular polygon with the given number of corners, at the given
// distance from the origin, followed by the first corner once more, so that a line through many corners is a
// circle.
func CirclePoints(radius float64, corners int) []Point {
	return lists.Of(corners+1, func(k int) Point {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(corners))
		return Point{radius * cos, radius * sin}
	})
}

// BrokenLine adds a line of y against x to the plot, with gaps where y is NaN.
func (p *Plot) BrokenLine(x, y []float64, stroke Stroke) {
	for first := 0; first < len(x); first++ {
		last := first
		for last < len(x) && !math.IsNaN(y[last]) {
			last++
		}
		if last-first > 1 {
			p.Line(x[first:last], y[first:last], stroke)
		}
		first = last
	}
}

// RimmedLine adds a line with a white rim to the plot, so that every colour shows the line. A single point is
// not drawn.
func (p *Plot) RimmedLine(points []Point, stroke Stroke) {
	if len(points) > 1 {
		p.Add(Line{Points: points, Stroke: stroke, Rim: true})
	}
}

// Curve adds a line of y against x to the plot and returns its sample for the legend. A single point becomes
// a dot in the style of a series. Without points, nothing is added.
func (p *Plot) Curve(series int, x, y []float64, stroke Stroke) Sample {
	if len(x) != 1 {
		if len(x) > 1 {
			p.Line(x, y, stroke)
		}
		return stroke
	}
	p.Add(Dots{Points: pointsOf(x, y), Glyph: SeriesGlyph(series)})
	return SeriesGlyph(series)
}

// Dots adds dots with vertical intervals to the plot, in the style of a series.
func (p *Plot) Dots(series int, d Intervals) {
	p.Add(Dots{Points: d.Points, Low: d.Low, High: d.High, Glyph: SeriesGlyph(series), Bar: 1})
}

// Intervals are points with vertical intervals from Low to High.
type Intervals struct {
	Points    []Point
	Low, High []float64
}

// Add adds the point (x, y) with the vertical interval from low to high.
func (d *Intervals) Add(x, y, low, high float64) {
	d.Points = append(d.Points, Point{x, y})
	d.Low, d.High = append(d.Low, low), append(d.High, high)
}

// AddAround adds the point (x, y) with the vertical interval from y-half to y+half. A half that is NaN stands
// for 0.
func (d *Intervals) AddAround(x, y, half float64) {
	if math.IsNaN(half) {
		half = 0
	}
	d.Add(x, y, y-half, y+half)
}

// XY returns the coordinates of all points.
func (d Intervals) XY() (x, y []float64) {
	for _, at := range d.Points {
		x, y = append(x, at.X), append(y, at.Y)
	}
	return x, y
}

// Tiles fills the plane of a grid with tiles. The tile of point k is the cell of the grid that contains the
// point, in the colour fill(k); if this colour is nil, the tile is left out. The axes end at the edges of the
// grid.
func (p *Plot) Tiles(columns, rows Cells, points []Point, fill func(k int) color.Color) {
	for k, at := range points {
		if c := fill(k); c != nil {
			low, high := columns.Edges(at.X)
			bottom, top := rows.Edges(at.Y)
			p.Add(Tile{Point{low, bottom}, Point{high, top}, c})
		}
	}
	p.X.Range(columns.Ends())
	p.Y.Range(rows.Ends())
}

// Heat adds a heat map, which fills the plot.
func (p *Plot) Heat(h HeatMap) {
	p.Add(h)
	p.X.Range(0.5, float64(h.Columns)+0.5)
	p.Y.Range(0.5, float64(h.Rows)+0.5)
	p.X.Ticks, p.Y.Ticks = countTicks(h.Columns, false), countTicks(h.Rows, true)
}
