package evolve

import (
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/interaction"

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
	key := &figure.Key{}
	var rows [][]*plot.Plot
	for _, series := range e.panels(lines) {
		var row []*plot.Plot
		for _, beta := range betas {
			p, err := e.panel(beta, series, key)
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
	text += figure.NotDrawn("β", betasOf(lines), betas) + e.notDrawn()
	width, rowHeight := vg.Length(figure.Width), vg.Length(390)
	if len(betas) == 1 {
		width = 680
	}
	if len(rows) > 1 {
		rowHeight = 300
	}
	return &figure.Figure{Width: width, Height: rowHeight*vg.Length(len(rows)) + 50, Paint: func(c draw.Canvas) {
		c = key.DrawRows(draw.Crop(figure.Caption(c, text), 8, -10, 0, -8))
		tiles := draw.Tiles{Rows: len(rows), Cols: len(betas), PadX: 14, PadY: 12}
		for i, row := range plot.Align(rows, tiles, c) {
			for j, canvas := range row {
				rows[i][j].Draw(canvas)
			}
		}
	}}, nil
}

// notDrawn names the dimensions for which there are not enough colours.
func (e *Evolve) notDrawn() string {
	dims := make([]float64, len(e.Dim))
	for k, d := range e.Dim {
		dims[k] = float64(d)
	}
	return figure.NotDrawn("d", dims, figure.Spread(figure.Distinct(dims), len(figure.SeriesColors)))
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
	if slices.Contains(e.Model, grids.HybridName) {
		text += fmt.Sprintf(", ε = %g", e.Epsilon)
	}
	if !slices.Equal(e.Model, []string{grids.FlowName}) {
		text += fmt.Sprintf(", %s noise", e.Law)
	}
	text += interaction.Text(e.Interaction) + fmt.Sprintf(", %d trajectories, depth %d, tolerance %g, 95 %% intervals", e.Trajectories, e.Depth, e.Tolerance)
	if e.hasTheory() {
		text += "; dots simulated, lines theory"
	}
	return text
}
