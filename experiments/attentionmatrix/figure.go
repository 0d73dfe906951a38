package attentionmatrix

import (
	"fmt"
	"io"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// read sets the experiment to a table's parameters, and returns for each β the entries and the eigenvalues.
func (e *Experiment) read(table *data.Table) (entries [][]float64, eigenvalues []plotter.XYs, err error) {
	rows, err := run.ReadRows[Row](e, table)
	if err != nil {
		return nil, nil, err
	}
	for k, r := range rows {
		if k == 0 || r.Quantity == Entry && rows[k-1].Quantity == Eigenvalue {
			entries, eigenvalues = append(entries, nil), append(eigenvalues, nil)
		}
		if last := len(entries) - 1; r.Quantity == Entry {
			entries[last] = append(entries[last], r.Value)
		} else {
			eigenvalues[last] = append(eigenvalues[last], plotter.XY{X: r.Value, Y: r.Imaginary})
		}
	}
	if last := len(entries) - 1; len(entries[last]) < int(e.Tokens*e.Tokens) ||
		len(eigenvalues[last]) < int(e.Tokens) {
		entries, eigenvalues = entries[:last], eigenvalues[:last] // its rows are still to come
	}
	if len(entries) == 0 {
		return nil, nil, fmt.Errorf("%w: no matrix is whole", figure.ErrNone)
	}
	return entries, eigenvalues, nil
}

// mostMatrices is the number of β that a figure shows.
const mostMatrices = 5

// Draw implements run.Experiment: for up to five β above the entries, all in one scale of colours, and below
// the eigenvalues.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	e := New()
	entries, eigenvalues, err := e.read(table)
	if err != nil {
		return nil, err
	}
	entries = entries[:min(len(entries), mostMatrices)]
	high := 0.0
	for _, matrix := range entries {
		for _, v := range matrix {
			high = max(high, v)
		}
	}
	panels := make([][]*plot.Plot, 2)
	var bar figure.ColorBar
	tokens := int(e.Tokens)
	for k, matrix := range entries {
		p := figure.NewPlot("β = "+parameter.FormatReal(e.Beta[k]), "key", "query")
		heat := figure.HeatMap{Rows: tokens, Columns: tokens, High: high, Roots: true,
			Value: func(i, j int) float64 { return matrix[i*tokens+j] }}
		heat.Add(p)
		bar = heat.Bar("")
		plane, err := complexPlane(eigenvalues[k])
		if err != nil {
			return nil, err
		}
		panels[0], panels[1] = append(panels[0], p), append(panels[1], plane)
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	setting := fmt.Sprintf("softmax attention of T = %d tokens, d = %d, ρ = %s", e.Tokens, e.Dim,
		parameter.FormatReal(e.Rho))
	if n := len(e.Beta); n > mostMatrices {
		setting += fmt.Sprintf(", the first %d of %d β", mostMatrices, n)
	}
	text := figure.RunCaption("attention-matrix", setting, seed)
	side := vg.Length(205)
	if len(entries) == mostMatrices {
		side = 160
	}
	return figure.Tiled(panels, side, bar, text), nil
}

// complexPlane has eigenvalues within the unit circle, where those of a matrix of rows of sum 1 are.
func complexPlane(values plotter.XYs) (*plot.Plot, error) {
	p := figure.NewPlot("eigenvalues", "real part", "imaginary part")
	var x, y []float64
	for k := range 201 {
		sin, cos := math.Sincos(math.Pi * float64(k) / 100)
		x, y = append(x, cos), append(y, sin)
	}
	if _, err := figure.AddLine(p, x, y, draw.LineStyle{Color: figure.SeriesColors[5],
		Width: 0.5}); err != nil {
		return nil, err
	}
	dots, err := plotter.NewScatter(values)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: figure.SeriesColors[0], Radius: 1.3, Shape: draw.CircleGlyph{}}
	p.Add(dots)
	figure.Mark(p, values)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1.05, 1.05, -1.05, 1.05
	return p, nil
}

// Describe implements run.Experiment: a line for each β.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	e := New()
	entries, eigenvalues, err := e.read(table)
	if err != nil {
		return err
	}
	for k, matrix := range entries {
		largest, squares := 0.0, 0.0
		for _, v := range matrix {
			largest, squares = max(largest, v), squares+float64(v*v)
		}
		second := 0.0
		if len(eigenvalues[k]) > 1 {
			second = math.Hypot(eigenvalues[k][1].X, eigenvalues[k][1].Y)
		}
		beta, ratio := parameter.FormatReal(e.Beta[k]), float64(e.Tokens)/squares
		if _, err := fmt.Fprintf(w,
			"β = %s: largest entry %.4g, a row attends to %.4g of %d tokens, second eigenvalue "+
				"%.4g in absolute value.\n", beta, largest, ratio, e.Tokens, second); err != nil {
			return err
		}
	}
	return nil
}
