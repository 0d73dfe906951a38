package propagation

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/columns"
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
var verdictColors = []color.Color{color.RGBA{205, 226, 244, 255}, color.RGBA{236, 188, 72, 255}, color.RGBA{158, 58, 38, 255}}

// Draw implements Experiment: the plane of β and α_SA with the verdicts and the two
// failure lines.
func (*Trainability) Draw(table *data.Table) (*figure.Figure, error) {
	t := NewTrainability()
	if err := run.ReadParameters(t, table); err != nil {
		return nil, err
	}
	r := columns.Reader{Table: table}
	alpha, beta, verdict := columns.Of[float64](&r, "alpha_sa"), columns.Of[float64](&r, "beta"), columns.Of[int8](&r, "verdict")
	alphaC, betaC := columns.Of[float64](&r, "alpha_c"), columns.Of[float64](&r, "beta_c")
	if r.Err != nil {
		return nil, r.Err
	}
	if len(alpha) == 0 {
		return nil, columns.ErrNoRows
	}
	p := figure.NewPlot(fmt.Sprintf("Trainability of %d %s %s", t.Depth, t.Block, wording.Plural("layer", "layers", t.Depth)), "scale of query and key weights, β", "strength of attention's residual connection, α_SA")
	columns := figure.Cells{Grid: figure.Distinct(beta), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: figure.Distinct(alpha), Low: 0, High: math.Inf(1)}
	p.X.Min, p.X.Max = columns.Ends()
	p.Y.Min, p.Y.Max = lines.Ends()
	if err := addVerdicts(p, columns, lines, alpha, beta, verdict); err != nil {
		return nil, err
	}
	key := &figure.Key{}
	for v, name := range propagation.VerdictNames {
		if slices.Contains(verdict, int8(v)) {
			key.Add(name, swatch{verdictColors[v]})
		}
	}
	var lineX, lineY []float64
	for _, a := range figure.Distinct(alpha) { // the least critical β at each strength
		if b := betaC[slices.Index(alpha, a)]; b >= p.X.Min && b <= p.X.Max {
			lineX, lineY = append(lineX, b), append(lineY, a)
		}
	}
	if len(lineX) > 1 {
		lineY[0], lineY[len(lineY)-1] = p.Y.Min, p.Y.Max
		if err := addFailureLine(p, key, lineX, lineY, "β_c", nil); err != nil {
			return nil, err
		}
	}
	if a := alphaC[0]; a > p.Y.Min && a < p.Y.Max {
		if err := addFailureLine(p, key, []float64{p.X.Min, p.X.Max}, []float64{a, a}, "α_c at β = 0", []vg.Length{6, 4}); err != nil {
			return nil, err
		}
	}
	parameters := fmt.Sprintf("α_MLP = %s, σ_w² = %s, σ_b² = %s, σ_v² = %s, %s, start %s, alike above cosine %s, T → ∞", parameter.FormatReal(t.AlphaMLP),
		parameter.FormatReal(t.SigmaW2), parameter.FormatReal(t.SigmaB2), parameter.FormatReal(t.SigmaV2), t.Activation, parameter.FormatReal(t.Start), parameter.FormatReal(t.Collapse))
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
func addVerdicts(p *plot.Plot, columns, lines figure.Cells, alpha, beta []float64, verdict []int8) error {
	order := make([]int, len(alpha))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int {
		if alpha[a] != alpha[b] {
			return int(math.Copysign(1, alpha[a]-alpha[b]))
		}
		return int(math.Copysign(1, beta[a]-beta[b]))
	})
	for first := 0; first < len(order); {
		last := first
		for last+1 < len(order) && alpha[order[last+1]] == alpha[order[first]] && verdict[order[last+1]] == verdict[order[first]] {
			last++
		}
		x0, _ := columns.Edges(beta[order[first]])
		_, x1 := columns.Edges(beta[order[last]])
		y0, y1 := lines.Edges(alpha[order[first]])
		if err := figure.AddTile(p, x0, x1, y0, y1, verdictColors[verdict[order[first]]]); err != nil {
			return err
		}
		first = last + 1
	}
	return nil
}

// addFailureLine adds a line that shows on every colour, and its name to the key.
func addFailureLine(p *plot.Plot, key *figure.Key, x, y []float64, name string, dashes []vg.Length) error {
	if _, err := figure.AddLine(p, x, y, draw.LineStyle{Color: color.White, Width: 4}); err != nil {
		return err
	}
	line, err := figure.AddLine(p, x, y, draw.LineStyle{Color: color.Black, Width: 1.6, Dashes: dashes})
	if err == nil {
		key.Add(name, line)
	}
	return err
}
