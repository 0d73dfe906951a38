package mlp

import (
	"math"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/activation"
)

// Row is a row of the table: the counts of one cell, and the limit. In that of a shard all is null but
// the counts and the bound.
type Row struct {
	Activation    activation.Activation `column:"activation" meaning:"activation of the MLP"`
	Dim           int32                 `column:"dim" meaning:"dimension d of the tokens"`
	Beta          float64               `column:"beta" meaning:"inverse temperature β"`
	Strength      float64               `column:"strength" meaning:"strength c of the MLP"`
	Variance      float64               `column:"variance" meaning:"variance w of pre-activations"`
	_             struct{}              `meaning:"simulated trajectories"`
	Trajectories  int64                 `column:"trajectories" unit:"trajectories"`
	_             struct{}              `meaning:"trajectories with overlap ≥ 1-τ at the horizon"`
	Single        int64                 `column:"single" unit:"trajectories"`
	_             struct{}              `meaning:"trajectories with overlap ≤ -1+τ at the horizon"`
	Antipodal     int64                 `column:"antipodal" unit:"trajectories"`
	_             struct{}              `meaning:"trajectories with neither at the horizon"`
	Unclustered   int64                 `column:"unclustered" unit:"trajectories"`
	PSingle       float64               `column:"p_single,nullable" meaning:"single / trajectories"`
	PAntipodal    float64               `column:"p_antipodal,nullable" meaning:"antipodal / trajectories"`
	_             struct{}              `meaning:"lower end of the Wilson 95 % interval of p_antipodal"`
	Low           float64               `column:"p_low,nullable"`
	_             struct{}              `meaning:"upper end of the Wilson 95 % interval of p_antipodal"`
	High          float64               `column:"p_high,nullable"`
	_             struct{}              `meaning:"probability of the antipodal outcome at infinite depth and"`
	_             struct{}              `meaning:"horizon, from the scale function"`
	Limit         float64               `column:"p_limit,nullable"`
	_             struct{}              `meaning:"the same of a single cluster"`
	LimitSingle   float64               `column:"p_single_limit,nullable"`
	_             struct{}              `meaning:"mean overlap at infinite depth and horizon where neither"`
	_             struct{}              `meaning:"outcome attracts; null elsewhere"`
	LimitMean     float64               `column:"overlap_limit,nullable"`
	_             struct{}              `meaning:"strength above which the antipodal outcome attracts, 0"`
	_             struct{}              `meaning:"where it does for the least; null where it does for none"`
	AntipodalLow  float64               `column:"c_antipodal_low,nullable"`
	_             struct{}              `meaning:"strength below which it does; null where it does for the"`
	_             struct{}              `meaning:"greatest, or for none"`
	AntipodalHigh float64               `column:"c_antipodal_high,nullable"`
	_             struct{}              `meaning:"strength below which a single cluster attracts; null where"`
	_             struct{}              `meaning:"it always does"`
	SingleHigh    float64               `column:"c_single_high,nullable"`
	_             struct{}              `meaning:"the largest bound on the probability that a trajectory of"`
	_             struct{}              `meaning:"the cell that ended early has another outcome at the"`
	_             struct{}              `meaning:"horizon; null: none ended early"`
	StopBound     float64               `column:"stop_bound,nullable"`
}

// counted is the row of a cell of a shard.
func counted(cell sde.Cell, t outcomes.Tally) Row {
	r := data.NullRow[Row]()
	r.Activation, r.Dim, r.Beta = cell.MLP.Activation, int32(cell.Dim), cell.Beta
	r.Strength, r.Variance, r.Trajectories = cell.MLP.Strength, cell.MLP.Variance, t.Trajectories()
	r.Single, r.Antipodal, r.Unclustered = t.Each()
	r.StopBound = t.Bound
	return r
}

// Tally implements outcomes.Counted.
func (r Row) Tally() outcomes.Tally {
	return outcomes.Tally{Outcomes: outcomes.Counts(r.Single, r.Antipodal, r.Unclustered), Bound: r.StopBound}
}

// estimated is the row with fractions of what was counted, and the limit.
func estimated(r Row, _ theory.Point) Row {
	r.PSingle = float64(r.Single) / float64(r.Trajectories)
	r.PAntipodal = float64(r.Antipodal) / float64(r.Trajectories)
	r.Low, r.High = outcomes.Wilson(r.Antipodal, r.Trajectories)
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
		r.AntipodalLow, r.AntipodalHigh = low, finite(high)
	}
	if _, high, err := attention.AttractingStrengths(1, m); err == nil {
		r.SingleHigh = finite(high)
	}
	return r
}

// finite is a number, NaN for +Inf.
func finite(x float64) float64 {
	if math.IsInf(x, 1) {
		return math.NaN()
	}
	return x
}
