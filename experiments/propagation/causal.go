package propagation

import (
	"fmt"

	"antipode/experiments/figure"
	"antipode/experiments/wording"
)

// all is the mean cosine of all tokens of simulated networks.
func all(r Row) (mean, stderr float64) { return r.CosineSimulated, r.CosineStderr }

// ends are the panels of the first and of the last tokens of causal networks.
type ends struct{ first, last *figure.Plot }

// newEnds returns them with the axes of the panel of all tokens.
func (p *Experiment) newEnds(like *figure.Plot) ends {
	of := func(which string) *figure.Plot {
		panel := figure.NewPlot(fmt.Sprintf("the %s %s", which, wording.Count(p.ends(), "token")), "", "")
		panel.X, panel.Y = like.X, like.Y
		return panel
	}
	return ends{of("first"), of("last")}
}

// add adds a curve of the theory, which is not causal, and what is simulated.
func (e ends) add(series int, c curve) {
	addCurve(e.first, series, c, func(r Row) (mean, stderr float64) { return r.CosineFirst, r.FirstStderr })
	addCurve(e.last, series, c, func(r Row) (mean, stderr float64) { return r.CosineLast, r.LastStderr })
}
