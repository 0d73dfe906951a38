package train

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// figure is the map, with the lines of both failures as in trainability, and crosses where theory and
// training disagree.
func (p *plane) figure(e *Experiment, seed string) (*figure.Figure, error) {
	title := fmt.Sprintf("Share of what can be learned, %s, %s",
		wording.Count(e.Layers[0], e.kindName()+" layer"), wording.Count(e.Steps, "step"))
	picture := figure.NewPlot(title, "scale of query and key weights, β",
		"strength of attention's residual connection, α_SA")
	columns := figure.Cells{Grid: slices.Sorted(slices.Values(e.Beta)), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: slices.Sorted(slices.Values(e.AlphaSA)), Low: 0, High: math.Inf(1)}
	var x, y []float64
	for _, c := range p.cells {
		x, y = append(x, c.beta), append(y, c.alpha)
	}
	err := figure.AddTiles(picture, columns, lines, x, y, func(k int) color.Color {
		return figure.ProbabilityColor(max(0, p.cells[k].learned))
	})
	if err != nil {
		return nil, err
	}
	key := &figure.Key{}
	if err := p.addLines(picture, key, lines.Grid); err != nil {
		return nil, err
	}
	if err := p.addCrosses(picture, key); err != nil {
		return nil, err
	}
	caption := fmt.Sprintf("%s, T = %d, d = %d, batch %d, the best of rates %s, mean of %s; theory: "+
		"T → ∞, start %.2g, alike above cosine %g", e.Task, e.Tokens, e.Dim, e.Batch,
		parameter.FormatList(e.LearningRate), wording.Count(e.Seeds, "seed"), p.start,
		collapsed)
	return &figure.Figure{Width: 860, Height: 460, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, figure.RunCaption("train", caption, seed))
		c = draw.Crop(c, 8, -8, 0, -8)
		const bar = 50
		key.DrawBeside(picture, draw.Crop(c, 0, -bar, 0, 0))
		figure.ProbabilityBar(1).Draw(draw.Crop(c, c.Size().X-bar+8, 0, 50, -34))
	}}, nil
}

// addLines adds β_c at each α, and α_c.
func (p *plane) addLines(picture *plot.Plot, key *figure.Key, alphas []float64) error {
	var x, y []float64
	for _, alpha := range alphas {
		at := slices.IndexFunc(p.cells, func(c cell) bool { return c.alpha == alpha })
		if b := p.cells[at].betaC; b >= picture.X.Min && b <= picture.X.Max {
			x, y = append(x, b), append(y, alpha)
		}
	}
	if len(x) > 1 {
		y[0], y[len(y)-1] = picture.Y.Min, picture.Y.Max
		line, err := figure.AddOutlinedLine(picture, x, y, nil)
		if err != nil {
			return err
		}
		key.Add("β_c", line)
	}
	if a := p.alphaC; a > picture.Y.Min && a < picture.Y.Max {
		line, err := figure.AddOutlinedLine(picture, []float64{picture.X.Min, picture.X.Max}, []float64{a, a},
			[]vg.Length{6, 4})
		if err != nil {
			return err
		}
		key.Add("α_c at β = 0", line)
	}
	return nil
}

// addCrosses marks where theory and training disagree.
func (p *plane) addCrosses(picture *plot.Plot, key *figure.Key) error {
	for _, kind := range []struct {
		name  string
		learn bool
		mark  mark
	}{{"learns, against theory", true, mark{1, 0}}, {"does not, against theory", false, mark{1, 1}}} {
		var at plotter.XYs
		for _, c := range p.cells {
			if p.disagree(c) && p.learns(c) == kind.learn {
				at = append(at, plotter.XY{X: c.beta, Y: c.alpha})
			}
		}
		if len(at) == 0 {
			continue
		}
		marks, err := plotter.NewScatter(at)
		if err != nil {
			return err
		}
		marks.GlyphStyle = draw.GlyphStyle{Color: color.RGBA{213, 94, 0, 255}, Radius: 5, Shape: kind.mark}
		picture.Add(marks)
		key.Add(kind.name, marks)
	}
	return nil
}

// mark is two strokes across each other, of which this is the direction of one, on a white ground.
type mark struct{ x, y float64 }

// DrawGlyph implements draw.GlyphDrawer.
func (m mark) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	x, y := style.Radius*vg.Length(m.x), style.Radius*vg.Length(m.y)
	for _, line := range []draw.LineStyle{{Color: color.White, Width: 4}, {Color: style.Color, Width: 2}} {
		c.StrokeLine2(line, at.X-x, at.Y-y, at.X+x, at.Y+y)
		c.StrokeLine2(line, at.X+y, at.Y-x, at.X-y, at.Y+x)
	}
}
