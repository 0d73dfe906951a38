package propagation

import (
	"fmt"

	"antipode/experiments/figure"
	"antipode/experiments/wording"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// all is the mean cosine of all tokens of simulated networks.
func all(r Row) (mean, stderr float64) { return r.CosineSimulated, r.CosineStderr }

// ends are the panels of the first and of the last tokens of causal networks, nil if there are none.
type ends struct{ first, last *plot.Plot }

// newEnds returns them with the axes of the panel of all tokens.
func (p *Experiment) newEnds(like *plot.Plot) ends {
	if !p.Causal {
		return ends{}
	}
	of := func(which string) *plot.Plot {
		panel := figure.NewPlot(fmt.Sprintf("the %s %s", which, wording.Count(p.ends(), "token")),
			like.X.Label.Text,
			like.Y.Label.Text)
		panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max = like.X.Min, like.X.Max, like.Y.Min, like.Y.Max
		panel.X.Tick.Marker = like.X.Tick.Marker
		return panel
	}
	return ends{of("first"), of("last")}
}

// add adds a curve of the theory, which is not causal, and what is simulated.
func (e ends) add(series int, c curve, style draw.LineStyle, x, y []float64) error {
	if e.first == nil {
		return nil
	}
	for _, panel := range []struct {
		plot *plot.Plot
		of   func(r Row) (mean, stderr float64)
	}{
		{e.first, func(r Row) (mean, stderr float64) { return r.CosineFirst, r.FirstStderr }},
		{e.last, func(r Row) (mean, stderr float64) { return r.CosineLast, r.LastStderr }},
	} {
		if _, err := figure.AddLine(panel.plot, x, y, style); err != nil {
			return err
		}
		if err := addSimulated(panel.plot, series, c, panel.of); err != nil {
			return err
		}
	}
	return nil
}
