package picture

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/experiments/figure"
	"antipode/sphere"
)

// Sphere returns a figure of tokens on the sphere at some times. Below the spheres, the figure shows the
// overlaps with token 1 against time, in the colours of the times. A single sphere with complete paths would
// mostly show the common rotation of all tokens, which hides how they merge. It is an error if the tokens do
// not have three dimensions.
func Sphere(m Motion, width, height float64, caption string) (*figure.Figure, error) {
	if d := m.dim(); d != 3 {
		return nil, fmt.Errorf("states of length %d: must be 3 to lie on a sphere", d)
	}
	var globes []figure.Panel
	rows := Doubling(len(m.Times), m.time)
	for _, row := range rows {
		globes = append(globes, figure.Panel{Plot: newGlobe(m, row).plot(), ToScale: true})
	}
	overlaps := m.overlapsWithFirst(rows)
	bar := figure.ColorBar{Title: "time", Color: timeColor,
		Ticks: figure.BarTicks(m.time(0), max(m.time(len(m.Times)-1), m.time(0)+1e-9))}
	const upper = 0.54
	return figure.Stack(width, height, []figure.Row{{Panels: globes, Height: upper},
		{Panels: []figure.Panel{{Plot: overlaps, Bar: &bar}}, Height: 1 - upper}}, nil, caption)
}

// timeColor returns the colour of a time, from violet at the start (share 0) to green at the end (share 1).
// The colours become brighter along the colour scale viridis, whose yellow is left out because it is too pale
// on white.
func timeColor(share float64) color.Color {
	return figure.MixStops(share, [][3]float64{{68, 1, 84}, {62, 74, 137}, {38, 130, 142}, {53, 183, 121},
		{150, 205, 60}})
}

// share returns the time with the index row as a fraction of the total time.
func (m Motion) share(row int) float64 { return shareOf(row, len(m.Times), m.time) }

// overlapsWithFirst plots the overlaps of all tokens with the first token against time, in the colours of the
// times. Dashed lines mark the times with the indices in marked.
func (m Motion) overlapsWithFirst(marked []int) *figure.Plot {
	p := figure.NewPlot("", "time", "overlap with token 1")
	const edge = 1.04
	end := m.settled()
	if end < len(m.Times)-1 {
		p.Title = fmt.Sprintf("Up to time %g; all overlaps are within %g of ±1 from time %g on", m.time(end),
			nearEnds, m.time(end/2))
	}
	for _, row := range marked {
		if row > end {
			continue
		}
		p.Line([]float64{m.time(row), m.time(row)}, []float64{-edge, edge},
			figure.Stroke{Color: color.Gray{170}, Width: 0.8, Dashes: []float64{3, 3}})
	}
	shown := figure.ShownRows(end + 1)
	for i := 1; i < m.count(); i++ {
		line := figure.Line{Stroke: figure.Stroke{Width: 0.8}, Shades: []color.Color{}}
		for k, row := range shown {
			line.Points = append(line.Points,
				figure.Point{X: m.time(row), Y: sphere.Dot(m.token(0, row), m.token(i, row))})
			if k > 0 {
				line.Shades = append(line.Shades, timeColor(m.share(shown[k-1])))
			}
		}
		p.Add(line)
	}
	p.Y.Range(-edge, edge)
	p.X.Range(m.time(0), max(m.time(end), m.time(0)+1e-9))
	return p
}

// nearEnds is the distance of overlaps from ±1 below which their lines look flat.
const nearEnds = 0.01

// settled returns the index of the last time to show. The index is twice the index of the first time after
// which all overlaps with the first token stay close to ±1, or the index of the last time if that is smaller.
func (m Motion) settled() int {
	last := len(m.Times) - 1
	for row := last; row >= 0; row-- {
		for i := 1; i < m.count(); i++ {
			if math.Abs(sphere.Dot(m.token(0, row), m.token(i, row))) < 1-nearEnds {
				return min(last, 2*(row+1))
			}
		}
	}
	return last
}

// globe is the unit sphere with tokens at one time, seen from far away. The last position of the first token
// is in front, to the upper right. The cluster of the first token is therefore visible, and an opposite
// cluster is at the back, to the lower left.
type globe struct {
	Motion
	row            int
	right, up, eye [3]float64
}

func newGlobe(m Motion, row int) *globe {
	g := &globe{Motion: m, row: row}
	front := [3]float64(m.token(0, len(m.Times)-1))
	least := 0 // the axis least aligned with front
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
	sine, cosine := math.Sincos(40 * math.Pi / 180) // angle between front and the viewing direction
	g.eye = combine(cosine, front, -sine, side)
	across := combine(sine, front, cosine, side)
	sine, cosine = math.Sincos(35 * math.Pi / 180) // elevation of front above the centre
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

// place returns the position at which a point of the sphere is seen, and whether the point is in front.
func (g *globe) place(x []float64) (at figure.Point, inFront bool) {
	return figure.Point{X: sphere.Dot(g.right[:], x), Y: sphere.Dot(g.up[:], x)}, sphere.Dot(g.eye[:], x) >= 0
}

// plot returns the plot of the sphere. plot draws what is at the back before what is in front.
func (g *globe) plot() *figure.Plot {
	p := figure.NewPlot(fmt.Sprintf("time %.4g", g.time(g.row)), "", "")
	p.Bare = true
	for _, front := range []bool{false, true} {
		g.addCircles(p, front)
		g.addTails(p, front)
		g.addTokens(p, front)
	}
	const edge = 1.05
	p.X.Range(-edge, edge)
	p.Y.Range(-edge, edge)
	return p
}

// addPieces adds to a plot those pieces of a line on the sphere that are in front, if front is true, and
// otherwise those at the back.
func (g *globe) addPieces(p *figure.Plot, line [][]float64, front bool, stroke figure.Stroke) {
	var piece []figure.Point
	end := func() {
		if len(piece) > 1 {
			p.Add(figure.Line{Points: piece, Stroke: stroke})
		}
		piece = nil
	}
	for _, x := range line {
		if at, inFront := g.place(x); inFront == front {
			piece = append(piece, at)
		} else {
			end()
		}
	}
	end()
}

// addCircles adds to a plot the outline of the sphere and its great circles in the three coordinate planes.
func (g *globe) addCircles(p *figure.Plot, front bool) {
	grey := figure.Stroke{Color: color.Gray{190}, Width: 0.6}
	if !front {
		grey.Color = color.Gray{228}
	}
	outline := figure.CirclePoints(1, 180)
	for plane := range 3 {
		var circle [][]float64
		for _, at := range outline {
			x := make([]float64, 3)
			x[plane], x[(plane+1)%3] = at.Y, at.X
			circle = append(circle, x)
		}
		g.addPieces(p, circle, front, grey)
	}
	if front {
		p.Add(figure.Line{Points: outline, Stroke: figure.Stroke{Color: color.Gray{120}, Width: 0.8}})
	}
}

// addTails adds to a plot the recent paths of the tokens: their paths during the last hundredth of the total
// time, or since the previous time if that is longer.
func (g *globe) addTails(p *figure.Plot, front bool) {
	stroke := figure.Stroke{Color: g.shade(timeColor(g.share(g.row)), front), Width: 0.5}
	for row := g.row; row > 0 && (row == g.row || g.share(g.row)-g.share(row) < 0.0099); row-- {
		for i := range g.count() {
			g.addPieces(p, arc(g.token(i, row-1), g.token(i, row)), front, stroke)
		}
	}
}

// arc returns points on the shorter great circle arc from x to y.
func arc(x, y []float64) (points [][]float64) {
	angle := math.Acos(max(-1, min(1, sphere.Dot(x, y))))
	steps := 1 + int(angle/0.1)
	for k := range steps + 1 {
		share := float64(k) / float64(steps)
		point := slices.Clone(x)
		for j := range point {
			point[j] = (1-share)*x[j] + share*y[j]
		}
		sphere.Normalize(point, point)
		points = append(points, point)
	}
	return points
}

// addTokens adds the tokens to a plot: as rings at the start, as coloured discs later, and as black discs at
// the last time.
func (g *globe) addTokens(p *figure.Plot, front bool) {
	glyph := figure.Glyph{Color: timeColor(g.share(g.row)), Shape: figure.Circle, Radius: 2.3}
	switch g.row {
	case 0:
		glyph.Shape = figure.Ring
	case len(g.Times) - 1:
		glyph.Color, glyph.Radius = color.Black, 3
	}
	glyph.Color = g.shade(glyph.Color, front)
	dots := figure.Dots{Glyph: glyph}
	for i := range g.count() {
		if at, inFront := g.place(g.token(i, g.row)); inFront == front {
			dots.Points = append(dots.Points, at)
		}
	}
	p.Add(dots)
}

// shade returns the colour c for what is in front, and a paler colour for what is at the back.
func (g *globe) shade(c color.Color, front bool) color.Color {
	if front {
		return c
	}
	return figure.TowardsWhite(c, 0.65)
}
