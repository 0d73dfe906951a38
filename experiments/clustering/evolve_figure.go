package clustering

import (
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements Experiment: fractions against time, a column of panels for each of up
// to three β. Of one dimension a panel has a line for each outcome and model; of
// several, the panels above have the antipodal, those below the unclustered fraction, a
// line for each of up to six dimensions. Of two tokens, dots are the simulation and
// lines the theory.
func (*Evolve) Draw(table *data.Table) (*figure.Figure, error) {
	e, lines, err := readEvolve(table)
	if err != nil {
		return nil, err
	}
	const mostColumns = 3
	betas := figure.Spread(betasOf(lines), mostColumns)
	var rows [][]*plot.Plot
	for _, series := range e.panels(lines) {
		var row []*plot.Plot
		for _, beta := range betas {
			p, err := e.panel(beta, series)
			if err != nil {
				return nil, err
			}
			row = append(row, p)
		}
		rows = append(rows, row)
		shareRange(row)
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	text := figure.RunCaption("evolve", e.captionText(), seed)
	columnWidth, rowHeight := vg.Length(330), vg.Length(390)
	if len(betas) == 1 {
		columnWidth = 560
	}
	if len(rows) > 1 {
		rowHeight = 270
	}
	const legendWidth = 165
	return &figure.Figure{Width: columnWidth*vg.Length(len(betas)) + legendWidth, Height: rowHeight*vg.Length(len(rows)) + 20, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, text)
		for i, row := range rows {
			for j, p := range row {
				legend := p.Legend
				p.Legend = plot.NewLegend()
				left, bottom := columnWidth*vg.Length(j), rowHeight*vg.Length(len(rows)-1-i)
				p.Draw(draw.Crop(c, left+8, left+columnWidth-10-c.Size().X, bottom, bottom+rowHeight-8-c.Size().Y))
				p.Legend = legend
			}
		}
		rows[0][0].Legend.Draw(draw.Crop(c, c.Size().X-legendWidth+4, 0, 0, -30))
	}}, nil
}

// shareRange gives plots of fractions the smallest range that shows all of them, from 0
// to a tenth.
func shareRange(row []*plot.Plot) {
	top := 0.0
	for _, p := range row {
		top = max(top, p.Y.Max)
	}
	top = math.Ceil(10*top) / 10
	for _, p := range row {
		p.Y.Min, p.Y.Max = -0.02*top, 1.02*top
	}
}

func betasOf(lines []*evolveLine) []float64 {
	var betas []float64
	for _, l := range lines {
		betas = append(betas, l.beta)
	}
	return figure.Distinct(betas)
}

// captionText names the parameters that matter.
func (e *Evolve) captionText() string {
	text := fmt.Sprintf("%s attention", e.Attention)
	if slices.Contains(e.Model, hybridName) {
		text += fmt.Sprintf(", ε = %g", e.Epsilon)
	}
	if !slices.Equal(e.Model, []string{flowName}) {
		text += fmt.Sprintf(", %s noise", e.Law)
	}
	text += interactionText(e.Interaction) + fmt.Sprintf(", %d trajectories, depth %d, tolerance %g, 95 %% intervals", e.Trajectories, e.Depth, e.Tolerance)
	if e.hasTheory() {
		text += "; dots simulated, lines theory"
	}
	return text
}
