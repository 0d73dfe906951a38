package overlap

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

// Draw implements run.Experiment: of up to six points drift, variance, scale density and the antipodal
// probability over the overlap, a line for each, their place beside the boundary, and the law at the horizon;
// of a larger grid what the table has of every point.
func (o *Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	o = New()
	rows, err := run.ReadRows[Row](o, table)
	if err != nil {
		return nil, err
	}
	setting := fmt.Sprintf("%s attention%s", o.Attention, o.setting())
	if o.showsBoundary() {
		return o.drawBoundary("antipode overlap --boundary: " + setting)
	}
	caption := "antipode overlap: " + setting
	if len(o.Dim)*len(o.Beta) > len(figure.SeriesColors) {
		return o.drawGrid(rows, caption)
	}
	return o.drawPoints(caption)
}

// drawPoints draws the functions of the overlap of a few points.
func (o *Experiment) drawPoints(caption string) (*figure.Figure, error) {
	diffusions, names, err := o.lines()
	if err != nil {
		return nil, err
	}
	key := &figure.Key{}
	var panels []figure.Panel
	kinds := []struct {
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
	}
	curves := make([]plotter.XYs, len(kinds)*len(diffusions))
	figure.Parallel(len(curves), func(k int) {
		d := diffusions[k%len(diffusions)]
		curves[k] = curveOf(func(z float64) float64 { return kinds[k/len(diffusions)].value(d, z) })
	})
	for i, kind := range kinds {
		p := figure.NewPlot(kind.title, "overlap z", kind.y)
		for k := range diffusions {
			line, err := addCurve(p, k, curves[i*len(diffusions)+k])
			if err != nil {
				return nil, err
			}
			if line != nil {
				key.Add(names[k], line)
			}
		}
		p.X.Min, p.X.Max = -1, 1
		panels = append(panels, figure.Panel{Plot: p})
	}
	probability := panels[3].Plot
	if probability.Y.Min = 0; !(probability.Y.Max > 0 && probability.Y.Max < 1) {
		probability.Y.Max = 1
	}
	boundary, is, err := o.boundaryPanel(key)
	if err != nil {
		return nil, err
	}
	if is {
		panels = append(panels, boundary)
	}
	if o.Horizon != nil {
		law, err := o.lawPanel(diffusions)
		if err != nil {
			return nil, err
		}
		panels = append(panels, law)
	}
	return figure.Panels(panels, key, caption), nil
}

// lines are the diffusions of the points.
func (o *Experiment) lines() (diffusions []*overlap.Diffusion, names []string, err error) {
	for _, d := range o.Dim {
		for _, beta := range o.Beta {
			diffusion, err := o.diffusionAt(d, beta)
			if err != nil {
				return nil, nil, err
			}
			diffusions = append(diffusions, diffusion)
			names = append(names, fmt.Sprintf("d = %d, β = %s", d, parameter.FormatReal(beta)))
		}
	}
	return diffusions, names, nil
}

// curveOf is the curve of a function of the overlap, where it is finite.
func curveOf(f func(z float64) float64) plotter.XYs {
	var xy plotter.XYs
	const points, edge = 200, 0.998
	for i := range points + 1 {
		z := edge * math.Sin(math.Pi*(float64(i)/points-0.5)) // closer together where functions are steep
		if y := f(z); !math.IsNaN(y) && !math.IsInf(y, 0) {
			xy = append(xy, plotter.XY{X: z, Y: y})
		}
	}
	return xy
}

// addCurve adds the line of a point's curve; nil if there is none.
func addCurve(p *plot.Plot, k int, xy plotter.XYs) (*plotter.Line, error) {
	if len(xy) < 2 {
		return nil, nil
	}
	line, err := plotter.NewLine(xy)
	if err != nil {
		return nil, err
	}
	line.LineStyle = draw.LineStyle{Color: figure.SeriesColors[k], Width: 1.4, Dashes: figure.SeriesDashes[k]}
	p.Add(line)
	figure.Mark(p, xy)
	return line, nil
}
