package figure

import "gonum.org/v1/plot/plotter"

// Intervals are points with intervals, as plotter.NewYErrorBars takes them.
type Intervals struct {
	plotter.XYs
	plotter.YErrors
}

// Add adds the point (x, y) with the interval from low to high.
func (e *Intervals) Add(x, y, low, high float64) {
	e.XYs = append(e.XYs, plotter.XY{X: x, Y: y})
	e.YErrors = append(e.YErrors, struct{ Low, High float64 }{y - low, high - y})
}
