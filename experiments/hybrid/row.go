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
	Epsilon float64 `column:"epsilon" meaning:"noise amplitude ε of the hybrid model"`
	outcomes.PairCounts
	_                struct{} `meaning:"probability of the antipodal outcome (overlap ≤ -1+τ, where τ is the"`
	_                struct{} `meaning:"tolerance) at infinite depth and this horizon, from the"`
	_                struct{} `meaning:"Fokker-Planck equation; null where the probability is not known to"`
	_                struct{} `meaning:"1e-3"`
	AntipodalHorizon float64  `column:"p_antipodal_horizon,nullable"`
	_                struct{} `meaning:"probability of a single cluster (overlap ≥ 1-τ, where τ is the"`
	_                struct{} `meaning:"tolerance) at infinite depth and this horizon, from the"`
	_                struct{} `meaning:"Fokker-Planck equation; null where the probability is not known to"`
	_                struct{} `meaning:"1e-3"`
	SingleHorizon    float64  `column:"p_single_horizon,nullable"`
	_                struct{} `meaning:"estimated absolute error of p_antipodal_horizon and"`
	_                struct{} `meaning:"p_single_horizon: the larger of the errors of those that are not"`
	_                struct{} `meaning:"null; null if both are null"`
	HorizonError     float64  `column:"p_horizon_error,nullable"`
	_                struct{} `meaning:"exact probability of the antipodal outcome (overlap ≤ -1+τ, where τ"`
	_                struct{} `meaning:"is the tolerance) at this depth and horizon; null where the"`
	_                struct{} `meaning:"probability is not known to 1e-5"`
	DepthAntipodal   float64  `column:"p_antipodal_depth,nullable"`
	_                struct{} `meaning:"exact probability of a single cluster (overlap ≥ 1-τ, where τ is the"`
	_                struct{} `meaning:"tolerance) at this depth and horizon; null where the probability is"`
	_                struct{} `meaning:"not known to 1e-5"`
	DepthSingle      float64  `column:"p_single_depth,nullable"`
	_                struct{} `meaning:"estimated absolute error of p_antipodal_depth and p_single_depth:"`
	_                struct{} `meaning:"the larger of the errors of those that are not null; null if both"`
	_                struct{} `meaning:"are null"`
	DepthError       float64  `column:"p_depth_error,nullable"`
	_                struct{} `meaning:"noise amplitude ε below which a single cluster attracts at infinite"`
	_                struct{} `meaning:"depth; null if it attracts at every ε or at none, up to 1000"`
	EpsilonSingle    float64  `column:"epsilon_single,nullable"`
	_                struct{} `meaning:"noise amplitude ε above which the antipodal outcome attracts at"`
	_                struct{} `meaning:"infinite depth; null if it attracts at every ε or at none, up to"`
	_                struct{} `meaning:"1000"`
	EpsilonAntipodal float64  `column:"epsilon_antipodal,nullable"`
	outcomes.EarlyEnds
}

// BlockRow is a row of the table with an MLP. BlockRow also has the probability of a single cluster and the
// mean overlap at infinite depth and horizon. Without an MLP, both limits follow from the antipodal
// probability.
type BlockRow struct {
	Row
	_           struct{} `meaning:"probability of a single cluster at infinite depth and horizon"`
	LimitSingle float64  `column:"p_single_limit,nullable"`
	_           struct{} `meaning:"mean overlap at infinite depth and horizon where neither outcome"`
	_           struct{} `meaning:"attracts; null where an outcome attracts"`
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
