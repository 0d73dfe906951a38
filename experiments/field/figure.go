package field

import (
	"fmt"
	"image/color"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/internal/lists"
)

// Draw implements run.Experiment. The figure of experiment field shows the attention field at points of the
// circle, unprojected on the left and projected to the tangent on the right. Each panel has its own scale of
// arrows, because on the scale of the unprojected field the projected field would hardly be visible.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	f := New()
	rows, err := readRows(f, table)
	if err != nil {
		return nil, err
	}
	field := f.circle(rows, "Attention field A(x)", arrows{1, figure.SeriesColors[0],
		func(r Row) (u, v float64) { return r.FieldX, r.FieldY }})
	tangent := f.circle(rows, "… projected to the tangent at x", arrows{0.6, figure.SeriesColors[1],
		func(r Row) (u, v float64) { return r.TangentX, r.TangentY }})
	caption := fmt.Sprintf("antipode field: %s attention, β = %g", f.Attention, f.Beta)
	return figure.Stack(figure.Width, 460, []figure.Row{{Panels: []figure.Panel{
		{Plot: field, ToScale: true}, {Plot: tangent, ToScale: true}}}}, nil, caption)
}

// arrows describes the arrows of a panel, each of which shows a vector of the field.
type arrows struct {
	longest float64 // length of the longest arrow, in radii of the circle
	color   color.Color
	of      func(r Row) (u, v float64)
}

// scale returns the ratio of the length of an arrow to the length of the vector that the arrow shows.
func (a arrows) scale(rows []Row) float64 {
	most := lists.Max(0.0, rows, func(r Row) float64 { return math.Hypot(a.of(r)) })
	if most == 0 {
		return 1
	}
	return a.longest / most
}

// circle returns a panel with the circle, arrows at points of the circle, and the fixed tokens.
func (f *Experiment) circle(rows []Row, title string, a arrows) *figure.Plot {
	scale := a.scale(rows)
	p := figure.NewPlot(fmt.Sprintf("%s, arrows × %.3g", title, scale), "", "")
	p.Bare = true
	p.Add(figure.Line{Points: figure.CirclePoints(1, 360),
		Stroke: figure.Stroke{Color: color.Gray{150}, Width: 1}})
	extent := 1.0
	const most = 72 // more arrows would hide each other
	every := max(1, len(rows)/most)
	for k, r := range rows {
		u, v := a.of(r)
		tip := figure.Point{X: r.X + scale*u, Y: r.Y + scale*v}
		extent = max(extent, math.Abs(tip.X), math.Abs(tip.Y))
		if k%every == 0 {
			p.Add(figure.Arrow{From: figure.Point{X: r.X, Y: r.Y}, To: tip, Color: a.color})
		}
	}
	f.addTokens(p)
	const margin = 0.08
	p.X.Range(-extent-margin, extent+margin)
	p.Y.Range(-extent-margin, extent+margin)
	return p
}

// addTokens adds the fixed tokens to a panel. If there are at most nine fixed tokens, they have names.
func (f *Experiment) addTokens(p *figure.Plot) {
	superscripts := []string{"¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}
	for i, angle := range f.Angles {
		sin, cos := math.Sincos(angle * math.Pi / 180)
		p.Add(figure.Dots{Points: []figure.Point{{X: cos, Y: sin}},
			Glyph: figure.Glyph{Color: color.Black, Shape: figure.Circle, Radius: 5}})
		if len(f.Angles) <= len(superscripts) {
			const inside = 0.86
			p.Add(figure.Note{At: figure.Point{X: inside * cos, Y: inside * sin}, Text: "X" +
				superscripts[i]})
		}
	}
}
