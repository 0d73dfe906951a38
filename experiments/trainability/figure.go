package trainability

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/overlap/propagation"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// verdictColors differ in brightness too, in the order of propagation.Verdict.
var verdictColors = []color.Color{
	color.RGBA{205, 226, 244, 255}, color.RGBA{236, 188, 72, 255}, color.RGBA{158, 58, 38, 255},
}

// Draw implements run.Experiment: the plane of β and α_SA with the verdicts and the two
// failure lines.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	t := New()
	rows, err := run.ReadRows[Row](t, table)
	if err != nil {
		return nil, err
	}
	alpha, beta := make([]float64, len(rows)), make([]float64, len(rows))
	for k, r := range rows {
		alpha[k], beta[k] = r.AlphaSA, r.Beta
	}
	title := "Trainability of " + wording.Count(t.Depth, t.Block+" layer")
	p := figure.NewPlot(title, "scale of query and key weights, β",
		"strength of attention's residual connection, α_SA")
	columns := figure.Cells{Grid: figure.Distinct(beta), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: figure.Distinct(alpha), Low: 0, High: math.Inf(1)}
	p.X.Min, p.X.Max = columns.Ends()
	p.Y.Min, p.Y.Max = lines.Ends()
	if err := addVerdicts(p, columns, lines, rows); err != nil {
		return nil, err
	}
	key := &figure.Key{}
	for v, name := range propagation.VerdictNames {
		if slices.ContainsFunc(rows, func(r Row) bool { return int(r.Verdict) == v }) {
			key.Add(name, swatch{verdictColors[v]})
		}
	}
	var lineX, lineY []float64
	for _, a := range figure.Distinct(alpha) { // the least critical β at each strength
		if b := rows[slices.Index(alpha, a)].BetaC; b >= p.X.Min && b <= p.X.Max {
			lineX, lineY = append(lineX, b), append(lineY, a)
		}
	}
	if len(lineX) > 1 {
		lineY[0], lineY[len(lineY)-1] = p.Y.Min, p.Y.Max
		line, err := figure.AddOutlinedLine(p, lineX, lineY, nil)
		if err != nil {
			return nil, err
		}
		key.Add("β_c", line)
	}
	if a := rows[0].AlphaC; a > p.Y.Min && a < p.Y.Max {
		line, err := figure.AddOutlinedLine(p, []float64{p.X.Min, p.X.Max}, []float64{a, a},
			[]vg.Length{6, 4})
		if err != nil {
			return nil, err
		}
		key.Add("α_c at β = 0", line)
	}
	parameters := fmt.Sprintf("α_MLP = %s, σ_w² = %s, σ_b² = %s, σ_v² = %s, "+
		"%s, start %s, alike above cosine %s, T → ∞",
		parameter.FormatReal(t.AlphaMLP), parameter.FormatReal(t.SigmaW2), parameter.FormatReal(t.SigmaB2),
		parameter.FormatReal(t.SigmaV2), t.Activation, parameter.FormatReal(t.Start),
		parameter.FormatReal(t.Collapse))
	return &figure.Figure{Width: 760, Height: 440, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, "antipode trainability: "+parameters)
		c = draw.Crop(c, 8, -8, 0, -8)
		key.DrawBeside(p, c)
	}}, nil
}

// swatch is a colour in a key.
type swatch struct{ color.Color }

// Thumbnail implements plot.Thumbnailer.
func (s swatch) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(s.Color, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
}

// addVerdicts paints the cells, those of one strength that agree as one.
func addVerdicts(p *plot.Plot, columns, lines figure.Cells, rows []Row) error {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.AlphaSA, b.AlphaSA), cmp.Compare(a.Beta, b.Beta))
	})
	for first := 0; first < len(rows); {
		from, last := rows[first], first
		for last+1 < len(rows) && rows[last+1].AlphaSA == from.AlphaSA &&
			rows[last+1].Verdict == from.Verdict {
			last++
		}
		x0, _ := columns.Edges(from.Beta)
		_, x1 := columns.Edges(rows[last].Beta)
		y0, y1 := lines.Edges(from.AlphaSA)
		if err := figure.AddTile(p, x0, x1, y0, y1, verdictColors[from.Verdict]); err != nil {
			return err
		}
		first = last + 1
	}
	return nil
}
