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
	Layer        int32    `column:"layer" meaning:"number of layers that the signal has passed"`
	Samples      int64    `column:"samples" meaning:"number of independent networks"`
	StableRank   float64  `column:"stable_rank" meaning:"mean stable rank of the covariance of the signal"`
	_            struct{} `meaning:"mean of the stable rank of the covariance minus 1, computed without"`
	_            struct{} `meaning:"rounding to 0"`
	Excess       float64  `column:"excess"`
	_            struct{} `meaning:"standard error of stable_rank and of excess; null for a single network"`
	ExcessStderr float64  `column:"excess_stderr,nullable"`
	_            struct{} `meaning:"theoretical value of excess in leading order of many tokens; null where"`
	_            struct{} `meaning:"no theory covers the network"`
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
