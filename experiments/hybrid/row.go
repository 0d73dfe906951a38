package hybrid

import (
	"math"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/sde"
)

// Row is a row of the table of experiment hybrid: the counts of trajectories of one cell (β, ε), and the
// theory of the cell. In the table of a shard only the counts and the bound are not null.
type Row struct {
	Beta    float64 `column:"beta" meaning:"inverse temperature β"`
	Epsilon float64 `column:"epsilon" meaning:"noise amplitude ε"`
	outcomes.PairCounts
	_                struct{} `meaning:"probability of the antipodal outcome within τ at infinite depth and"`
	_                struct{} `meaning:"this horizon, from the Fokker-Planck equation; null where it is not"`
	_                struct{} `meaning:"known to 1e-3"`
	AntipodalHorizon float64  `column:"p_antipodal_horizon,nullable"`
	_                struct{} `meaning:"probability of a single cluster within τ at infinite depth and this"`
	_                struct{} `meaning:"horizon, from the Fokker-Planck equation; null where it is not known"`
	_                struct{} `meaning:"to 1e-3"`
	SingleHorizon    float64  `column:"p_single_horizon,nullable"`
	_                struct{} `meaning:"estimated absolute error of the theory at the horizon, the greater"`
	_                struct{} `meaning:"of those that are there; null where none is"`
	HorizonError     float64  `column:"p_horizon_error,nullable"`
	_                struct{} `meaning:"probability of the antipodal outcome within τ at this depth and"`
	_                struct{} `meaning:"horizon, exact; null where it is not known to 1e-5"`
	DepthAntipodal   float64  `column:"p_antipodal_depth,nullable"`
	_                struct{} `meaning:"probability of a single cluster within τ at this depth and horizon,"`
	_                struct{} `meaning:"exact; null where it is not known to 1e-5"`
	DepthSingle      float64  `column:"p_single_depth,nullable"`
	_                struct{} `meaning:"estimated absolute error of the theory at this depth, the greater of"`
	_                struct{} `meaning:"those that are there; null where none is"`
	DepthError       float64  `column:"p_depth_error,nullable"`
	_                struct{} `meaning:"ε below which a single cluster attracts at infinite depth"`
	EpsilonSingle    float64  `column:"epsilon_single,nullable"`
	_                struct{} `meaning:"ε above which the antipodal outcome attracts at infinite depth"`
	EpsilonAntipodal float64  `column:"epsilon_antipodal,nullable"`
	outcomes.EarlyEnds
}

// BlockRow is a row of the table with an MLP. BlockRow also has the probability of a single cluster and the
// mean overlap at infinite depth and horizon. Without an MLP, both limits follow from the antipodal
// probability.
type BlockRow struct {
	Row
	LimitSingle float64  `column:"p_single_limit,nullable" meaning:"P(single) in the limit"`
	_           struct{} `meaning:"mean overlap in the limit, if none attracts"`
	LimitMean   float64  `column:"overlap_limit,nullable"`
}

// counted returns the row of a cell with the counts of a tally, as in the table of a shard.
func counted(cell sde.Cell, t outcomes.Tally) DerivedRow {
	r := data.NullRow[DerivedRow]()
	r.Beta, r.Epsilon = cell.Beta, cell.Model.(sde.Hybrid).Epsilon
	r.PairCounts, r.StopBound = outcomes.PairCountsOf(t), t.Bound
	return r
}

// Tally implements outcomes.Counted.
func (r Row) Tally() outcomes.Tally { return r.PairCounts.Counted(r.EarlyEnds) }

// estimated returns the row with the fractions that follow from its counts, and with the predictions of the
// theory.
func (r DerivedRow) estimated(of theory.Point) DerivedRow {
	r.PairCounts.Estimate()
	r.Limit, r.LimitSingle, r.LimitMean = of.Limit, of.LimitSingle, of.LimitMean
	r.EpsilonSingle, r.EpsilonAntipodal = of.Thresholds.EpsilonSingle, of.Thresholds.EpsilonAntipodal
	r.AntipodalHorizon, r.SingleHorizon, r.HorizonError =
		of.Horizon.Antipodal, of.Horizon.Single, of.Horizon.Error
	r.DepthAntipodal, r.DepthSingle, r.DepthError = of.Depth.Antipodal, of.Depth.Single, of.Depth.Error
	return r
}

// both reports whether both the antipodal outcome and a single cluster are attracting in theory.
func (r Row) both() bool { return r.EpsilonAntipodal < r.Epsilon && r.Epsilon < r.EpsilonSingle }

func (r Row) atDepth() bool { return !math.IsNaN(r.DepthAntipodal) && !math.IsNaN(r.DepthSingle) }

// theory returns the theoretical probabilities of the outcomes that are compared with the simulation: the
// probabilities at the simulated depth or, if these are not known, at infinite depth.
func (r Row) theory() (antipodal, single float64) {
	if r.atDepth() {
		return r.DepthAntipodal, r.DepthSingle
	}
	return r.AntipodalHorizon, r.SingleHorizon
}

// difference returns the greater difference, of the two outcomes, between the simulated count and its theory,
// in standard errors. The difference is NaN if there is no theory.
func (r Row) difference() float64 {
	var larger wording.Difference
	antipodal, single := r.theory()
	larger.Add(outcomes.Deviation(r.Antipodal, r.Trajectories, antipodal))
	larger.Add(outcomes.Deviation(r.Single, r.Trajectories, single))
	return larger.Largest()
}

// singleLimit returns the probability of a single cluster at infinite depth and horizon. Without an MLP this
// probability is the complement of the antipodal probability, unless neither outcome is attracting.
func (r BlockRow) singleLimit() float64 {
	if !math.IsNaN(r.LimitSingle) {
		return r.LimitSingle
	}
	if r.EpsilonSingle <= r.Epsilon {
		return 0
	}
	return 1 - r.Limit
}
