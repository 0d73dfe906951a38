package overlap

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap"
)

// Draw implements run.Experiment. For up to six points (d, β, ε) of the grid, the figure shows drift,
// variance, scale density and the antipodal probability as functions of the overlap, with one line for each
// point. Further panels show the points relative to the boundary of attraction, and the law of the overlap at
// the horizon. For a larger grid, the figure shows the columns that the table has for every point.
func (o *Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	o = New()
	rows, err := run.ReadRows[Row](o, table)
	if err != nil {
		return nil, err
	}
	setting := fmt.Sprintf("%s attention%s", o.Attention, o.setting())
	if o.showsBlockBoundary() {
		return o.drawBlockBoundary("antipode overlap --boundary: " + setting)
	}
	if o.showsBoundary() {
		return o.drawBoundary("antipode overlap --boundary: " + setting)
	}
	caption := "antipode overlap: " + setting
	if len(o.points()) > len(figure.SeriesColors) {
		return o.drawGrid(rows, caption)
	}
	return o.drawPoints(caption)
}

// curveKind is a function of the overlap that a panel of the figure shows.
type curveKind struct {
	title, y string
	value    func(d *overlap.Diffusion, z float64) float64
}

// curveKinds are the functions of the overlap that the figure shows for every point of the grid.
var curveKinds = []curveKind{
	{"Drift", "drift of z, σ = 1", (*overlap.Diffusion).Drift},
	{"Variance", "variance of z, σ = 1", (*overlap.Diffusion).Variance},
	{"Scale density", "log s(z)", (*overlap.Diffusion).LogScaleDensity},
	{"Antipodal probability", "P(antipodal | z)", func(d *overlap.Diffusion, z float64) float64 {
		p, _ := d.AntipodalFrom(z)
		return p.Value
	}},
}

// drawPoints plots the functions of the overlap for a few points of the grid.
func (o *Experiment) drawPoints(caption string) (*figure.Figure, error) {
	diffusions, names, err := o.lines()
	if err != nil {
		return nil, err
	}
	key := &figure.Key{}
	panels := curvePanels(diffusions, names, key)
	if boundary := o.boundaryPanel(key); boundary != nil {
		panels = append(panels, figure.Panel{Plot: boundary})
	}
	if o.Horizon != nil {
		panels = append(panels, figure.Panel{Plot: o.lawPanel(diffusions)})
	}
	return figure.Pairs(panels, key, caption)
}

// curvePanels returns the panels of the functions of the overlap, with one line for each diffusion.
func curvePanels(diffusions []*overlap.Diffusion, names []string, key *figure.Key) (panels []figure.Panel) {
	curves := make([][]figure.Point, len(curveKinds)*len(diffusions))
	figure.Parallel(len(curves), func(k int) {
		d := diffusions[k%len(diffusions)]
		curves[k] = curveOf(func(z float64) float64 { return curveKinds[k/len(diffusions)].value(d, z) })
	})
	for i, kind := range curveKinds {
		p := figure.NewPlot(kind.title, "overlap z", kind.y)
		for k := range diffusions {
			if curve := curves[i*len(diffusions)+k]; len(curve) > 1 {
				p.Add(figure.Line{Points: curve, Stroke: figure.SeriesStroke(k, 1.4)})
				key.Add(names[k], figure.SeriesStroke(k, 1.4))
			}
		}
		p.X.Range(-1, 1)
		panels = append(panels, figure.Panel{Plot: p})
	}
	probability := panels[len(panels)-1].Plot
	if probability.Y.Low = 0; !(probability.Y.High > 0 && probability.Y.High < 1) {
		probability.Y.High = 1
	}
	return panels
}

// lines returns the diffusion of the overlap at each point of the grid, and the name of its line.
func (o *Experiment) lines() (diffusions []*overlap.Diffusion, names []string, err error) {
	for _, c := range o.points() {
		diffusion, err := o.at(c.epsilon).diffusionAt(c.dim, c.beta)
		if err != nil {
			return nil, nil, err
		}
		name := fmt.Sprintf("d = %d, β = %s", c.dim, parameter.FormatReal(c.beta))
		if len(o.Epsilon) > 1 {
			name += ", ε = " + parameter.FormatReal(c.epsilon)
		}
		diffusions, names = append(diffusions, diffusion), append(names, name)
	}
	return diffusions, names, nil
}

// point is a point (d, β, ε) of the grid.
type point struct {
	dim     int
	beta    float64
	epsilon float64 // NaN without the hybrid model
}

// points returns the points of the grid in the order of the rows.
func (o *Experiment) points() (all []point) {
	for _, d := range o.Dim {
		for _, beta := range o.Beta {
			for _, epsilon := range o.noises() {
				all = append(all, point{d, beta, epsilon})
			}
		}
	}
	return all
}

// curveOf returns the curve of a function of the overlap. Overlaps at which the function is not finite are
// left out.
func curveOf(f func(z float64) float64) []figure.Point {
	var xy []figure.Point
	const points, edge = 200, 0.998
	for i := range points + 1 {
		z := edge * math.Sin(math.Pi*(float64(i)/points-0.5)) // denser where functions are steep
		if y := f(z); !math.IsNaN(y) && !math.IsInf(y, 0) {
			xy = append(xy, figure.Point{X: z, Y: y})
		}
	}
	return xy
}
