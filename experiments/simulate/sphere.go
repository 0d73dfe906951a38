package simulate

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/sphere"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// paintSphere draws the tokens of trajectory 0 on the sphere at some times, for
// d = 3, and below their overlaps with token 1, in the colours of the times. One
// sphere with the whole ways on it would show the common turning of all tokens, in
// which their merging is lost.
func paintSphere(digest *data.Table) (func(draw.Canvas), error) {
	s, err := readStates(digest, 0)
	if err != nil {
		return nil, err
	}
	if s.dim != 3 {
		return nil, fmt.Errorf("states of length %d: must be 3 to lie on a sphere", s.dim)
	}
	rows := s.snapshots()
	p := figure.NewPlot("", "time", "overlap with token 1")
	p.Add(timedOverlaps{s, rows})
	p.Y.Min, p.Y.Max = -1.04, 1.04
	p.X.Min, p.X.Max = s.time(0), max(s.time(len(s.rows)-1), s.time(0)+1e-9)
	title := figure.NewPlot("", "", "").Title.TextStyle
	title.YAlign = draw.YTop
	bar := figure.ColorBar{Title: "time", Color: timeColor, Ticks: figure.BarTicks(p.X.Min, p.X.Max)}
	return func(c draw.Canvas) {
		const barWidth = 40
		bottom := c.Size().Y * 0.46
		bar.Draw(draw.Crop(c, c.Size().X-barWidth+8, 0, 44, bottom-c.Size().Y-12))
		c = draw.Crop(c, 0, -barWidth, 0, 0)
		p.Draw(draw.Crop(c, 0, 0, 0, bottom-c.Size().Y))
		spheres := draw.Crop(c, 0, 0, bottom+4, 0)
		width := spheres.Size().X / vg.Length(len(rows))
		for k, row := range rows {
			tile := draw.Crop(spheres, width*vg.Length(k), width*vg.Length(k+1)-spheres.Size().X, 0, 0)
			top := vg.Point{X: tile.Center().X, Y: tile.Max.Y}
			tile.FillText(title, top, fmt.Sprintf("time %.4g", s.time(row)))
			newGlobe(s, row, draw.Crop(tile, 0, 0, 0, -20)).draw()
		}
	}, nil
}

// snapshots are the rows of the start, of up to four times that double, the last a
// quarter of the end, and of the end: tokens merge fast at first, and slower and
// slower.
func (s *stateLines) snapshots() []int {
	rows := []int{0}
	for _, share := range []float64{1. / 32, 1. / 16, 1. / 8, 1. / 4, 1} {
		row := 0
		for row+1 < len(s.rows) && s.share(row) < share {
			row++
		}
		if row > rows[len(rows)-1] {
			rows = append(rows, row)
		}
	}
	return rows
}

// timeColor goes from violet at the start, 0, to green at the end, 1: ever brighter,
// along the map viridis without its yellow, which is too pale on white.
func timeColor(share float64) color.Color {
	return figure.MixStops(share, [][3]float64{{68, 1, 84}, {62, 74, 137}, {38, 130, 142}, {53, 183, 121},
		{150, 205, 60}})
}

// share is the time of a row as a share of the whole time.
func (s *stateLines) share(row int) float64 {
	first, last := s.time(0), s.time(len(s.rows)-1)
	if last == first {
		return 1
	}
	return (s.time(row) - first) / (last - first)
}

// timedOverlaps draws the overlaps of all tokens with the first, in the colours of
// the times, and marks some of the times.
type timedOverlaps struct {
	*stateLines
	marked []int
}

// Plot implements plot.Plotter.
func (s timedOverlaps) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	dashed := draw.LineStyle{Color: color.Gray{170}, Width: 0.8, Dashes: []vg.Length{3, 3}}
	for _, row := range s.marked {
		at := x(s.time(row))
		c.StrokeLine2(dashed, at, c.Min.Y, at, c.Max.Y)
	}
	rows := figure.ShownRows(len(s.rows))
	for k := range len(rows) - 1 {
		from, to := rows[k], rows[k+1]
		style := draw.LineStyle{Color: timeColor(s.share(from)), Width: 0.8}
		for i := 1; i < s.tokens; i++ {
			c.StrokeLine2(style,
				x(s.time(from)), y(sphere.Dot(s.token(0, from), s.token(i, from))),
				x(s.time(to)), y(sphere.Dot(s.token(0, to), s.token(i, to))))
		}
	}
}

// globe is the unit sphere at one time, seen from far away. The first token's last
// place is in front, to the upper right, so that its cluster is seen and an opposite
// one is behind, to the lower left.
type globe struct {
	*stateLines
	row            int
	canvas         draw.Canvas
	centre         vg.Point
	radius         vg.Length
	right, up, eye [3]float64
}

func newGlobe(s *stateLines, row int, c draw.Canvas) *globe {
	g := &globe{stateLines: s, row: row, canvas: c, centre: c.Center(),
		radius: min(c.Size().X, c.Size().Y)/2 - 5}
	front := [3]float64(s.token(0, len(s.rows)-1))
	least := 0 // the axis that is the furthest from front
	for k := range front {
		if math.Abs(front[k]) < math.Abs(front[least]) {
			least = k
		}
	}
	var axis [3]float64
	axis[least] = 1
	side := cross(axis, front)
	sphere.Normalize(side[:], side[:])
	other := cross(front, side)
	sine, cosine := math.Sincos(40 * math.Pi / 180) // front is so far from the eye
	g.eye = combine(cosine, front, -sine, side)
	across := combine(sine, front, cosine, side)
	sine, cosine = math.Sincos(35 * math.Pi / 180) // and so much above the middle
	g.right = combine(cosine, across, -sine, other)
	g.up = combine(sine, across, cosine, other)
	return g
}

func cross(x, y [3]float64) [3]float64 {
	return [3]float64{x[1]*y[2] - x[2]*y[1], x[2]*y[0] - x[0]*y[2], x[0]*y[1] - x[1]*y[0]}
}

func combine(a float64, x [3]float64, b float64, y [3]float64) [3]float64 {
	return [3]float64{a*x[0] + b*y[0], a*x[1] + b*y[1], a*x[2] + b*y[2]}
}

// place is where a point of the sphere is seen, and whether it is in front.
func (g *globe) place(x []float64) (at vg.Point, inFront bool) {
	h, v := sphere.Dot(g.right[:], x), sphere.Dot(g.up[:], x)
	return vg.Point{X: g.centre.X + g.radius*vg.Length(h), Y: g.centre.Y + g.radius*vg.Length(v)},
		sphere.Dot(g.eye[:], x) >= 0
}

// draw draws what is behind, then what is in front.
func (g *globe) draw() {
	for _, front := range []bool{false, true} {
		g.drawCircles(front)
		g.drawTails(front)
		g.drawTokens(front)
	}
}

// drawCircles draws the outline and the great circles of the three coordinate planes.
func (g *globe) drawCircles(front bool) {
	grey := draw.LineStyle{Color: color.Gray{190}, Width: 0.6}
	if !front {
		grey.Color = color.Gray{228}
	}
	const steps = 180
	for plane := range 3 {
		var piece []vg.Point
		for k := range steps + 1 {
			var x [3]float64
			x[plane], x[(plane+1)%3] = math.Sincos(2 * math.Pi * float64(k) / steps)
			at, inFront := g.place(x[:])
			if inFront == front {
				piece = append(piece, at)
				continue
			}
			g.canvas.StrokeLines(grey, piece)
			piece = nil
		}
		g.canvas.StrokeLines(grey, piece)
	}
	if front {
		var outline vg.Path
		outline.Move(vg.Point{X: g.centre.X + g.radius, Y: g.centre.Y})
		outline.Arc(g.centre, g.radius, 0, 2*math.Pi)
		outline.Close()
		g.canvas.SetLineStyle(draw.LineStyle{Color: color.Gray{120}, Width: 0.8})
		g.canvas.Stroke(outline)
	}
}

// drawTails draws where the tokens come from: their way in the last hundredth of the
// whole time, or since the time before.
func (g *globe) drawTails(front bool) {
	style := draw.LineStyle{Color: g.shade(timeColor(g.share(g.row)), front), Width: 0.5}
	for row := g.row; row > 0 && (row == g.row || g.share(g.row)-g.share(row) < 0.0099); row-- {
		for i := range g.tokens {
			g.drawArc(g.token(i, row-1), g.token(i, row), front, style)
		}
	}
}

// drawArc draws the part in front, or behind, of the shorter great circle from x to y.
func (g *globe) drawArc(x, y []float64, front bool, style draw.LineStyle) {
	angle := math.Acos(max(-1, min(1, sphere.Dot(x, y))))
	steps := 1 + int(angle/0.1)
	var piece []vg.Point
	for k := range steps + 1 {
		share := float64(k) / float64(steps)
		point := slices.Clone(x)
		for j := range point {
			point[j] = (1-share)*x[j] + share*y[j]
		}
		sphere.Normalize(point, point)
		at, inFront := g.place(point)
		if inFront == front {
			piece = append(piece, at)
		}
	}
	if len(piece) > 1 {
		g.canvas.StrokeLines(style, piece)
	}
}

// drawTokens marks the tokens: by rings at the start, by dots later, black at the end.
func (g *globe) drawTokens(front bool) {
	style := draw.GlyphStyle{Color: timeColor(g.share(g.row)), Radius: 2.3, Shape: draw.CircleGlyph{}}
	switch g.row {
	case 0:
		style.Shape = draw.RingGlyph{}
	case len(g.rows) - 1:
		style.Color, style.Radius = color.Black, 3
	}
	style.Color = g.shade(style.Color, front)
	for i := range g.tokens {
		if at, inFront := g.place(g.token(i, g.row)); inFront == front {
			g.canvas.DrawGlyph(style, at)
		}
	}
}

// shade is the colour of what is in front, or faint for what is behind.
func (g *globe) shade(c color.Color, front bool) color.Color {
	if front {
		return c
	}
	return figure.TowardsWhite(c, 0.65)
}
