package mlp

import (
	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/activation"
)

// Row is a row of the table of experiment mlp: the counts of trajectories of one cell, and the theory at
// infinite depth. In the table of a shard only the counts and the bound are not null.
type Row struct {
	Activation activation.Activation `column:"activation" meaning:"activation of the MLP"`
	Dim        int32                 `column:"dim" meaning:"dimension d of the tokens"`
	Beta       float64               `column:"beta" meaning:"inverse temperature β"`
	Strength   float64               `column:"strength" meaning:"strength c of the MLP"`
	Variance   float64               `column:"variance" meaning:"variance w of pre-activations"`
	outcomes.PairCounts
	_             struct{} `meaning:"the same of a single cluster"`
	LimitSingle   float64  `column:"p_single_limit,nullable"`
	_             struct{} `meaning:"mean overlap at infinite depth and horizon where neither"`
	_             struct{} `meaning:"outcome attracts; null elsewhere"`
	LimitMean     float64  `column:"overlap_limit,nullable"`
	_             struct{} `meaning:"strength above which the antipodal outcome attracts, 0 if"`
	_             struct{} `meaning:"it attracts for the smallest strength; null if it attracts"`
	_             struct{} `meaning:"for no strength"`
	AntipodalLow  float64  `column:"c_antipodal_low,nullable"`
	_             struct{} `meaning:"strength below which the antipodal outcome attracts; null"`
	_             struct{} `meaning:"if it attracts for the largest strength, or for no"`
	_             struct{} `meaning:"strength"`
	AntipodalHigh float64  `column:"c_antipodal_high,nullable"`
	_             struct{} `meaning:"strength below which a single cluster attracts; null if it"`
	_             struct{} `meaning:"attracts for every strength"`
	SingleHigh    float64  `column:"c_single_high,nullable"`
	outcomes.EarlyEnds
}

// counted returns the row of a cell with the counts of a tally, as in the table of a shard.
func counted(cell sde.Cell, t outcomes.Tally) Row {
	r := data.NullRow[Row]()
	r.Activation, r.Dim, r.Beta = cell.MLP.Activation, int32(cell.Dim), cell.Beta
	r.Strength, r.Variance = cell.MLP.Strength, cell.MLP.Variance
	r.PairCounts, r.StopBound = outcomes.PairCountsOf(t), t.Bound
	return r
}

// Tally implements outcomes.Counted.
func (r Row) Tally() outcomes.Tally { return r.PairCounts.Counted(r.EarlyEnds) }

// estimated returns the row with the fractions that follow from its counts, and with the theory at infinite
// depth.
func estimated(r Row) Row {
	r.PairCounts.Estimate()
	attention, err := overlap.New(int(r.Dim), r.Beta, overlap.Softmax, 1)
	if err != nil {
		return r
	}
	m := overlap.MLP{Activation: r.Activation, Strength: r.Strength, Variance: r.Variance}
	limit, err := attention.WithMLP(m)
	if err != nil {
		return r
	}
	r.Limit, r.LimitSingle = limit.AntipodalUniform().Value, limit.SingleUniform().Value
	if law, exists := limit.Stationary(); exists {
		r.LimitMean = law.Mean()
	}
	if low, high, err := attention.AttractingStrengths(-1, m); err == nil && low < high {
		r.AntipodalLow, r.AntipodalHigh = low, data.FiniteOrNaN(high)
	}
	if _, high, err := attention.AttractingStrengths(1, m); err == nil {
		r.SingleHigh = data.FiniteOrNaN(high)
	}
	return r
}
