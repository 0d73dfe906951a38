package attentionmatrix

import (
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/lists"
)

// attentionMatrix is an attention matrix with its eigenvalues, as a table has them for one β.
type attentionMatrix struct {
	beta        float64
	entries     []float64 // row by row; NaN if missing in the table
	eigenvalues []figure.Point
}

// read sets the experiment to the parameters of a table, and returns the attention matrices that are complete
// in the table. The rows of the table may be in any order.
func (e *Experiment) read(table *data.Table) (whole []attentionMatrix, err error) {
	rows, err := run.ReadRows[Row](e, table)
	if err != nil {
		return nil, err
	}
	tokens := int(e.Tokens)
	var all []attentionMatrix
	for _, r := range rows {
		k := slices.IndexFunc(all, func(m attentionMatrix) bool { return m.beta == r.Beta })
		if k < 0 {
			k = len(all)
			all = append(all, attentionMatrix{beta: r.Beta, entries: missing(tokens*tokens, math.NaN()),
				eigenvalues: missing(tokens, figure.Point{X: math.NaN()})})
		}
		row, column := int(r.Query)-1, int(r.Key)-1
		switch {
		case row < 0 || row >= tokens || column >= tokens:
		case r.Quantity == Eigenvalue:
			all[k].eigenvalues[row] = figure.Point{X: r.Value, Y: r.Imaginary}
		case column >= 0:
			all[k].entries[row*tokens+column] = r.Value
		}
	}
	for _, m := range all { // incomplete matrices are left out
		if !slices.ContainsFunc(m.entries, math.IsNaN) &&
			!slices.ContainsFunc(m.eigenvalues, func(v figure.Point) bool { return math.IsNaN(v.X) }) {
			whole = append(whole, m)
		}
	}
	if len(whole) == 0 {
		return nil, fmt.Errorf("%w: no matrix is whole", figure.ErrNone)
	}
	return whole, nil
}

// missing returns count copies of a value that stands for a missing number of a matrix.
func missing[T any](count int, value T) []T { return slices.Repeat([]T{value}, count) }

// mostMatrices is the greatest number of β, and so of matrices, in a figure.
const mostMatrices = 5

// Draw implements run.Experiment. For each of up to five β the figure shows the entries of the attention
// matrix above and its eigenvalues below. The entries of all matrices have a common colour scale.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	e := New()
	all, err := e.read(table)
	if err != nil {
		return nil, err
	}
	shown := all[:min(len(all), mostMatrices)]
	high := lists.Max(0.0, shown, func(matrix attentionMatrix) float64 { return slices.Max(matrix.entries) })
	panels := make([][]figure.Panel, 2)
	var bar figure.ColorBar
	tokens := int(e.Tokens)
	for _, matrix := range shown {
		p := figure.NewPlot("β = "+parameter.FormatReal(matrix.beta), "key", "query")
		heat := figure.HeatMap{Rows: tokens, Columns: tokens, High: high, Roots: true,
			Value: func(i, j int) float64 { return matrix.entries[i*tokens+j] }}
		p.Heat(heat)
		bar = heat.Bar("")
		panels[0] = append(panels[0], figure.Panel{Plot: p, ToScale: true})
		panels[1] = append(panels[1], figure.Panel{Plot: complexPlane(matrix.eigenvalues), ToScale: true})
	}
	setting := fmt.Sprintf("softmax attention of T = %d tokens, d = %d, ρ = %s", e.Tokens, e.Dim,
		parameter.FormatReal(e.Rho))
	if n := len(all); n > mostMatrices {
		setting += fmt.Sprintf(", the first %d of %d β", mostMatrices, n)
	}
	text := run.Caption(table, setting)
	side := 205.0
	if len(shown) == mostMatrices {
		side = 160
	}
	return figure.Tiled(panels, side, bar, text)
}

// complexPlane plots eigenvalues together with the unit circle. The eigenvalues of an attention matrix, whose
// row sums are 1, are within the unit circle.
func complexPlane(values []figure.Point) *figure.Plot {
	p := figure.NewPlot("eigenvalues", "real part", "imaginary part")
	p.Add(figure.Line{Points: figure.CirclePoints(1, 200),
		Stroke: figure.Stroke{Color: figure.SeriesColors[5], Width: 0.5}})
	p.Add(figure.Dots{Points: values,
		Glyph: figure.Glyph{Color: figure.SeriesColors[0], Shape: figure.Circle, Radius: 1.3}})
	p.X.Range(-1.05, 1.05)
	p.Y.Range(-1.05, 1.05)
	return p
}

// Describe implements run.Experiment. The report of experiment attention-matrix has a line for each β.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	e := New()
	all, err := e.read(table)
	if err != nil {
		return err
	}
	for _, matrix := range all {
		squares := 0.0
		for _, v := range matrix.entries {
			squares += float64(v * v)
		}
		// An attention matrix has at least two eigenvalues.
		second := math.Hypot(matrix.eigenvalues[1].X, matrix.eigenvalues[1].Y)
		beta, attended := parameter.FormatReal(matrix.beta), float64(e.Tokens)/squares
		if _, err := fmt.Fprintf(w,
			"β = %s: largest entry %.4g, a token attends to %.4g of %d tokens, second eigenvalue "+
				"%.4g in absolute value.\n",
			beta, slices.Max(matrix.entries), attended, e.Tokens, second); err != nil {
			return err
		}
	}
	return nil
}
