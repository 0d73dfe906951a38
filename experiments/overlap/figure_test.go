package overlap

import (
	"image/color"
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/sphere/must"
)

// tableOf returns a table with the columns of the experiment and the given rows; columns that are not in Row
// are null.
func tableOf(t *testing.T, o *Experiment, rows ...Row) *data.Table {
	t.Helper()
	table := data.NewTable(run.Schema(o, 1))
	for _, r := range rows {
		full := data.NullRow[fullRow]()
		full.Row = r
		must.Do(t, writeRows(table, o.Columns(), full))
	}
	return table
}

// The figure of a few points has the functions of the diffusion of each point, and the points in the plane of
// β and d with the boundary cosh 2β = d-2.
func TestFigureOfPoints(t *testing.T) {
	o := New()
	o.Dim, o.Beta = []int{4, 5}, []float64{0.5, 1.2}
	drawn := figuretest.Draw(t, o, tableOf(t, o, Row{Dim: 4, Beta: 0.5}))
	for k, c := range []struct {
		title, y string
		value    func(d *overlap.Diffusion, z float64) float64
	}{
		{"Drift", "drift of z, σ = 1", func(d *overlap.Diffusion, z float64) float64 { return d.Drift(z) }},
		{"Variance", "variance of z, σ = 1",
			func(d *overlap.Diffusion, z float64) float64 { return d.Variance(z) }},
		{"Scale density", "log s(z)",
			func(d *overlap.Diffusion, z float64) float64 { return d.LogScaleDensity(z) }},
		{"Antipodal probability", "P(antipodal | z)", func(d *overlap.Diffusion, z float64) float64 {
			p, err := d.AntipodalFrom(z)
			if err != nil {
				return math.NaN()
			}
			return p.Value
		}},
	} {
		p := figuretest.Read(t, drawn, k, c.title, "overlap z", c.y)
		for i, point := range [][2]float64{{4, 0.5}, {4, 1.2}, {5, 0.5}, {5, 1.2}} {
			d := must.Get(overlap.New(int(point[0]), point[1], overlap.Softmax, 1))(t)
			if value := c.value(d, 0.5); math.IsNaN(value) {
				continue // there is no probability if overlap -1 does not attract
			}
			p.Follows(figure.SeriesStroke(i, 1.4), -0.998, 0.998, 1e-9,
				func(z float64) float64 { return c.value(d, z) })
		}
		p.Range(p.X, -1, 1)
	}
	boundary := figuretest.Read(t, drawn, 4, "Where overlap -1 attracts: below the line",
		"inverse temperature β", "dimension d")
	boundary.Follows(figure.Stroke{Color: color.RGBA{0, 0, 0, 255}, Width: 1.4}, 0, 1.485, 1e-9,
		func(beta float64) float64 { return 2 + math.Cosh(2*beta) })
	place := func(series int, beta, dim float64) figure.Dots {
		glyph := figure.SeriesGlyph(series)
		glyph.Radius = 4
		return figure.Dots{Points: []figure.Point{{X: beta, Y: dim}}, Glyph: glyph}
	}
	boundary.Has(place(1, 1.2, 4))
	boundary.Has(place(2, 0.5, 5))
	boundary.Range(boundary.X, 0, 3)
	boundary.Range(boundary.Y, 2, 12)
}

// The figure of a grid has for each dimension a line of the probability at the horizon, a dotted one of that
// in the limit, and a line of the exponent. Where a number is null there is a gap in the line and no dot.
func TestFigureOfAGrid(t *testing.T) {
	o := New()
	horizon := 5.
	o.Dim, o.Beta, o.Horizon = []int{4, 5}, []float64{0, 1, 2, 3}, &horizon
	var rows []Row
	for _, dim := range o.Dim {
		for _, beta := range o.Beta {
			x := float64(dim)/10 + beta/100
			rows = append(rows, Row{Dim: int32(dim), Beta: beta, Antipodal: x, AntipodalHorizon: x / 2,
				Lyapunov: -x, Lifetime: math.NaN()})
		}
	}
	rows[6].Lyapunov = math.NaN() // d = 5, β = 2
	drawn := figuretest.Draw(t, o, tableOf(t, o, rows...))
	dots := func(series int, xy ...float64) figure.Dots {
		glyph := figure.SeriesGlyph(series)
		glyph.Radius = 2.5
		return figure.Dots{Points: figuretest.LineOf(figure.Stroke{}, xy...).Points, Glyph: glyph}
	}
	p := figuretest.Read(t, drawn, 0, "Antipodal probability at time 5 (solid), in the limit (dotted)",
		"inverse temperature β", "P(antipodal)")
	for k, d := range []float64{0.4, 0.5} {
		limit := []float64{0, d, 1, d + 0.01, 2, d + 0.02, 3, d + 0.03}
		half := []float64{0, d / 2, 1, d/2 + 0.005, 2, d/2 + 0.01, 3, d/2 + 0.015}
		p.Has(figuretest.LineOf(figure.SeriesStroke(k, 1.4), half...))
		p.Has(dots(k, half...))
		p.Has(figuretest.LineOf(figure.Stroke{Color: figure.SeriesColors[k], Width: 1,
			Dashes: []float64{1.5, 2.5}},
			limit...))
		p.Has(dots(k, limit...))
	}
	p.Count(8)
	p.Range(p.Y, 0, 0.53)
	rate := figuretest.Read(t, drawn, 1, "Lyapunov exponent of the antipodal pair: it attracts below 0",
		"inverse temperature β", "exponent")
	rate.Has(figuretest.LineOf(figure.SeriesStroke(1, 1.4), 0, -0.5, 1, -0.51))
	rate.Has(dots(1, 0, -0.5, 1, -0.51, 3, -0.53))
	rate.Count(4)
	figuretest.Key(t, drawn.Key, drawn.Panels, "d = 4", "d = 5")
}
