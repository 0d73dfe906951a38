package experiments

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/overlap/propagation"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// verdictColors differ in brightness too, in the order of propagation.Verdict.
var verdictColors = []color.Color{color.RGBA{205, 226, 244, 255}, color.RGBA{236, 188, 72, 255}, color.RGBA{158, 58, 38, 255}}

// verdictInk is legible on them.
var verdictInk = []color.Color{color.Black, color.Black, color.White}

// Draw implements Experiment: the plane of β and α_SA with the verdicts and the two
// failure lines.
func (*Trainability) Draw(table *data.Table) (*Figure, error) {
	t := NewTrainability()
	if err := readParameters(t, table); err != nil {
		return nil, err
	}
	r := columns{table: table}
	alpha, beta, verdict := column[float64](&r, "alpha_sa"), column[float64](&r, "beta"), column[int8](&r, "verdict")
	alphaC, betaC := column[float64](&r, "alpha_c"), column[float64](&r, "beta_c")
	if r.err != nil {
		return nil, r.err
	}
	if len(alpha) == 0 {
		return nil, errNoRows
	}
	p := newPlot(fmt.Sprintf("Trainability of %d %s layers", t.Depth, t.Block), "scale of query and key weights, β", "strength of attention's residual connection, α_SA")
	p.X.Min, p.X.Max = gridEnds(distinct(beta))
	p.Y.Min, p.Y.Max = gridEnds(distinct(alpha))
	regions, err := addVerdicts(p, alpha, beta, verdict)
	if err != nil {
		return nil, err
	}
	var lineX, lineY []float64
	rows := distinct(alpha)
	for _, a := range rows { // the least critical β at each strength
		k := slices.Index(alpha, a)
		if b := betaC[k]; b >= p.X.Min && b <= p.X.Max {
			lineX, lineY = append(lineX, b), append(lineY, a)
		}
	}
	if len(lineX) > 1 {
		lineY[0], lineY[len(lineY)-1] = p.Y.Min, p.Y.Max
		if err := addFailureLine(p, lineX, lineY, "β_c", nil); err != nil {
			return nil, err
		}
	}
	if a := alphaC[0]; a > p.Y.Min && a < p.Y.Max {
		if err := addFailureLine(p, []float64{p.X.Min, p.X.Max}, []float64{a, a}, "α_c at β = 0", []vg.Length{6, 4}); err != nil {
			return nil, err
		}
	}
	p.Legend.Top = true
	p.Legend.ThumbnailWidth = 30
	parameters := fmt.Sprintf("α_MLP = %s, σ_w² = %s, σ_b² = %s, σ_v² = %s, %s, start %s, alike above cosine %s, T → ∞", formatReal(t.AlphaMLP),
		formatReal(t.SigmaW2), formatReal(t.SigmaB2), formatReal(t.SigmaV2), t.Activation, formatReal(t.Start), formatReal(t.Collapse))
	return &Figure{width: 620, height: 460, paint: func(c draw.Canvas) {
		c = caption(c, "antipode trainability: "+parameters)
		c = draw.Crop(c, 8, -150, 0, -8)
		p.Draw(c)
		for v, region := range regions {
			if region.cells > 0 {
				region.paint(c, v)
			}
		}
	}}, nil
}

// gridEnds are the outer edges of the cells of an ascending grid.
func gridEnds(grid []float64) (low, high float64) {
	low, _ = cellEdges(grid, grid[0])
	_, high = cellEdges(grid, grid[len(grid)-1])
	return low, high
}

// verdictKey is a region's place in the key beside the plane.
type verdictKey struct{ cells int }

// paint draws the key of verdict v right of the plane.
func (verdictKey) paint(c draw.Canvas, v int) {
	const size = 14
	x, y := c.Max.X+12, c.Max.Y-130-vg.Length(v)*24
	c.FillPolygon(verdictColors[v], []vg.Point{{X: x, Y: y}, {X: x + size, Y: y}, {X: x + size, Y: y + size}, {X: x, Y: y + size}})
	style := draw.TextStyle{Color: color.Black, Font: font.From(plot.DefaultFont, 11), Handler: plot.DefaultTextHandler}
	c.FillText(style, vg.Point{X: x + size + 6, Y: y + 2}, propagation.VerdictNames[v])
}

// addVerdicts paints the cells, those of one strength that agree as one.
func addVerdicts(p *plot.Plot, alpha, beta []float64, verdict []int8) (regions [3]verdictKey, err error) {
	betas, alphas := distinct(beta), distinct(alpha)
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
		v := verdict[order[first]]
		regions[v].cells += last - first + 1
		x0, _ := cellEdges(betas, beta[order[first]])
		_, x1 := cellEdges(betas, beta[order[last]])
		y0, y1 := cellEdges(alphas, alpha[order[first]])
		tile, err := plotter.NewPolygon(plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		if err != nil {
			return regions, err
		}
		tile.Color = verdictColors[v]
		tile.LineStyle = draw.LineStyle{Color: tile.Color, Width: 0.3} // no seams
		p.Add(tile)
		first = last + 1
	}
	return regions, nil
}

// addFailureLine adds a line that shows on every colour.
func addFailureLine(p *plot.Plot, x, y []float64, name string, dashes []vg.Length) error {
	if _, err := addLine(p, x, y, draw.LineStyle{Color: color.White, Width: 4}); err != nil {
		return err
	}
	line, err := addLine(p, x, y, draw.LineStyle{Color: color.Black, Width: 1.6, Dashes: dashes})
	if err == nil {
		p.Legend.Add(name, line)
	}
	return err
}
