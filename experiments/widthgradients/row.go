package widthgradients

import (
	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/run"
)

// Row is a row of the table of experiment width-gradients: the gradients with respect to one value matrix of
// the networks of one kind, size and number of layers.
type Row struct {
	attention.Sized
	Layers         int32    `column:"layers" meaning:"number L of layers of the network"`
	Layer          int32    `column:"layer" meaning:"number of the layer of the value matrix"`
	Samples        int64    `column:"samples" meaning:"number of independent networks"`
	_              struct{} `meaning:"mean squared norm of the derivative of the signal after all layers"`
	_              struct{} `meaning:"with respect to the value matrix of the layer"`
	Gradient       float64  `column:"gradient"`
	_              struct{} `meaning:"standard error of the column gradient; null for a single network"`
	GradientStderr float64  `column:"gradient_stderr,nullable"`
	_              struct{} `meaning:"theoretical mean of the column gradient: exact if the entries of the"`
	_              struct{} `meaning:"attention matrix are exponential, in leading order for other laws;"`
	_              struct{} `meaning:"null where no theory covers the network"`
	Expected       float64  `column:"expected,nullable"`
	_              struct{} `meaning:"lower bound of Prop. 4 on the column gradient for many tokens, if the"`
	_              struct{} `meaning:"gap is kept; null where no theory covers the network"`
	Bound          float64  `column:"bound,nullable"`
}

// readCurves sets the experiment to the parameters of a table and returns the gradients as curves against the
// number of tokens.
func readCurves(g *Experiment, table *data.Table) ([]*attention.Curve, error) {
	rows, err := run.ReadRows[Row](g, table)
	if err != nil {
		return nil, err
	}
	return attention.CurvesOf(g.Kinds(), rows, func(r Row) (attention.Curve, attention.Point) {
		return attention.Curve{Kind: r.Kind, Layers: int(r.Layers), Layer: int(r.Layer)},
			attention.Point{
				Tokens: float64(r.Tokens), Estimate: statistics.Estimate{Value: r.Gradient,
					Stderr: r.GradientStderr},
				Limit: r.Expected, Bound: r.Bound,
			}
	}), nil
}
