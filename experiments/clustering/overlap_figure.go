package clustering

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements Experiment: drift, variance, scale density and the antipodal
// probability over the overlap, a line for each of up to six points.
func (*Overlap) Draw(table *data.Table) (*figure.Figure, error) {
	o := NewOverlap()
	if err := run.ReadParameters(o, table); err != nil {
		return nil, err
	}
	diffusions, names, err := o.lines()
	if err != nil {
		return nil, err
	}
	var panels [2][2]*plot.Plot
	for i, panel := range []struct {
		title, y string
		value    func(d *overlap.Diffusion, z float64) float64
	}{
		{"Drift", "drift of z, σ = 1", (*overlap.Diffusion).Drift},
		{"Variance", "variance of z, σ = 1", (*overlap.Diffusion).Variance},
		{"Scale density", "log s(z)", (*overlap.Diffusion).LogScaleDensity},
		{"Antipodal probability", "P(antipodal | z)", func(d *overlap.Diffusion, z float64) float64 {
			p, err := d.AntipodalFrom(z)
			if err != nil {
				return math.NaN()
			}
			return p.Value
		}},
	} {
		p := figure.NewPlot(panel.title, "overlap z", panel.y)
		for k, d := range diffusions {
			line, err := addFunction(p, k, func(z float64) float64 { return panel.value(d, z) })
			if err != nil {
				return nil, err
			}
			if line != nil && i == 3 { // one legend, where the lines leave room
				p.Legend.Add(names[k], line)
			}
		}
		p.X.Min, p.X.Max = -1, 1
		panels[i/2][i%2] = p
	}
	panels[1][1].Y.Min = 0
	panels[1][1].Legend.Top = true
	panels[1][1].Legend.ThumbnailWidth = 28
	parameters := fmt.Sprintf("%s attention%s", o.Attention, o.setting())
	return &figure.Figure{Width: 760, Height: 620, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, "antipode overlap: "+parameters)
		tiles := draw.Tiles{Rows: 2, Cols: 2, PadTop: 8, PadLeft: 8, PadRight: 12, PadX: 18, PadY: 14}
		for row := range panels {
			for column, p := range panels[row] {
				p.Draw(tiles.At(c, column, row))
			}
		}
	}}, nil
}

// lines are the diffusions to draw, evenly chosen from the grid.
func (o *Overlap) lines() (diffusions []*overlap.Diffusion, names []string, err error) {
	var indices []float64
	for k := range len(o.Dim) * len(o.Beta) {
		indices = append(indices, float64(k))
	}
	for _, k := range figure.Spread(indices, len(figure.SeriesColors)) {
		d, beta := o.Dim[int(k)/len(o.Beta)], o.Beta[int(k)%len(o.Beta)]
		diffusion, err := o.diffusionAt(d, beta)
		if err != nil {
			return nil, nil, err
		}
		diffusions = append(diffusions, diffusion)
		names = append(names, fmt.Sprintf("d = %d, β = %s", d, parameter.FormatReal(beta)))
	}
	return diffusions, names, nil
}

// addFunction adds the line of a function of the overlap, where it is finite; nil if
// that is nowhere.
func addFunction(p *plot.Plot, k int, f func(z float64) float64) (*plotter.Line, error) {
	var xy plotter.XYs
	const points, edge = 400, 0.998
	for i := range points + 1 {
		z := edge * (2*float64(i)/points - 1)
		if y := f(z); !math.IsNaN(y) && !math.IsInf(y, 0) {
			xy = append(xy, plotter.XY{X: z, Y: y})
		}
	}
	if len(xy) < 2 {
		return nil, nil
	}
	line, err := plotter.NewLine(xy)
	if err != nil {
		return nil, err
	}
	line.LineStyle = draw.LineStyle{Color: figure.SeriesColors[k], Width: 1.4, Dashes: figure.SeriesDashes[k]}
	p.Add(line)
	return line, nil
}
