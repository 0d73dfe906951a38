package stablerank

import (
	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/run"
)

// Row is a row of the table of experiment stable-rank: a layer of the networks of one kind and size.
type Row struct {
	attention.Sized
	Layer        int32    `column:"layer" meaning:"layers that the signal has passed"`
	Samples      int64    `column:"samples" meaning:"independent networks"`
	StableRank   float64  `column:"stable_rank" meaning:"mean stable rank of the covariance"`
	Excess       float64  `column:"excess" meaning:"the same minus 1, without rounding"`
	_            struct{} `meaning:"standard error of both; null for one sample"`
	ExcessStderr float64  `column:"excess_stderr,nullable"`
	_            struct{} `meaning:"the excess in leading order of many tokens; null where no theory covers"`
	_            struct{} `meaning:"the network"`
	Limit        float64  `column:"limit,nullable"`
}

// readCurves sets the experiment to the parameters of a table and returns the excess of the stable rank over
// 1 as curves against the number of tokens.
func readCurves(s *Experiment, table *data.Table) ([]*attention.Curve, error) {
	rows, err := run.ReadRows[Row](s, table)
	if err != nil {
		return nil, err
	}
	return attention.CurvesOf(s.Kinds(), rows, func(r Row) (attention.Curve, attention.Point) {
		return attention.Curve{Kind: r.Kind, Layers: int(s.Layers), Layer: int(r.Layer)},
			attention.Point{
				Tokens: float64(r.Tokens), Estimate: statistics.Estimate{Value: r.Excess,
					Stderr: r.ExcessStderr}, Limit: r.Limit,
			}
	}), nil
}
