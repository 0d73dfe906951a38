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
	Layers         int32    `column:"layers" meaning:"layers L of the network"`
	Layer          int32    `column:"layer" meaning:"layer of the value matrix"`
	Samples        int64    `column:"samples" meaning:"independent networks"`
	_              struct{} `meaning:"mean squared norm of the derivative of the signal after all layers by"`
	_              struct{} `meaning:"the value matrix"`
	Gradient       float64  `column:"gradient"`
	_              struct{} `meaning:"its standard error; null for one sample"`
	GradientStderr float64  `column:"gradient_stderr,nullable"`
	_              struct{} `meaning:"mean of gradient in theory: exact if the entries of the attention"`
	_              struct{} `meaning:"matrix are exponential, in leading order for other laws; null where"`
	_              struct{} `meaning:"no theory covers the network"`
	Expected       float64  `column:"expected,nullable"`
	_              struct{} `meaning:"lower bound of Prop. 4 for many tokens, with the gap; null where no"`
	_              struct{} `meaning:"theory covers the network"`
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
