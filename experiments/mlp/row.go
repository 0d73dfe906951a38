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
	_          struct{}              `meaning:"variance w of the pre-activations of the MLP"`
	Variance   float64               `column:"variance"`
	outcomes.PairCounts
	_             struct{} `meaning:"probability of a single cluster at infinite depth and"`
	_             struct{} `meaning:"horizon, from the scale function"`
	LimitSingle   float64  `column:"p_single_limit,nullable"`
	_             struct{} `meaning:"mean overlap at infinite depth and horizon where neither"`
	_             struct{} `meaning:"outcome attracts; null where an outcome attracts"`
	LimitMean     float64  `column:"overlap_limit,nullable"`
	_             struct{} `meaning:"strength c of the MLP above which the antipodal outcome"`
	_             struct{} `meaning:"attracts; 0 if the antipodal outcome attracts for the"`
	_             struct{} `meaning:"smallest strength; null if it attracts for no strength above 0"`
	AntipodalLow  float64  `column:"c_antipodal_low,nullable"`
	_             struct{} `meaning:"strength c of the MLP below which the antipodal outcome"`
	_             struct{} `meaning:"attracts; null if the antipodal outcome attracts for the"`
	_             struct{} `meaning:"largest strength, or for no strength above 0"`
	AntipodalHigh float64  `column:"c_antipodal_high,nullable"`
	_             struct{} `meaning:"strength c of the MLP below which a single cluster"`
	_             struct{} `meaning:"attracts; null if a single cluster attracts for every"`
	_             struct{} `meaning:"strength"`
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
