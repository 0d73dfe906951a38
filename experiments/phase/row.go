package phase

import (
	"math"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/theory"
	"antipode/internal/lists"
	"antipode/sde"
)

// Row is a row of the table of experiment phase: the counts of trajectories of one cell (d, β), and the
// theory of the cell. In the table of a shard only the counts and the bound are not null.
type Row struct {
	Dim          int32    `column:"dim" meaning:"dimension d of the tokens"`
	Beta         float64  `column:"beta" meaning:"inverse temperature β"`
	Trajectories int64    `column:"trajectories" unit:"trajectories" meaning:"simulated trajectories"`
	_            struct{} `meaning:"trajectories with overlap ≤ -1+τ at the horizon"`
	Antipodal    int64    `column:"antipodal" unit:"trajectories"`
	_            struct{} `meaning:"trajectories with overlap ≥ 1-τ at the horizon"`
	Single       int64    `column:"single" unit:"trajectories"`
	_            struct{} `meaning:"trajectories with neither outcome at the horizon"`
	Unclustered  int64    `column:"unclustered" unit:"trajectories"`
	outcomes.AntipodalFraction
	_              struct{} `meaning:"probability of the antipodal outcome within τ at infinite depth and"`
	_              struct{} `meaning:"this horizon, from the Fokker-Planck equation; null where it is not"`
	_              struct{} `meaning:"known to 1e-3"`
	Horizon        float64  `column:"p_antipodal_horizon,nullable" formerly:"p_horizon"`
	_              struct{} `meaning:"estimated absolute error of the theory at the horizon: the"`
	_              struct{} `meaning:"largest error of its columns that are not null; null if"`
	_              struct{} `meaning:"all are null"`
	HorizonError   float64  `column:"p_horizon_error,nullable"`
	_              struct{} `meaning:"probability of the antipodal outcome within τ at this depth and"`
	_              struct{} `meaning:"horizon, exact; null where it is not known to 1e-5, for laws that are"`
	_              struct{} `meaning:"not gaussian, entries that are not independent, and random queries and"`
	_              struct{} `meaning:"keys"`
	DepthAntipodal float64  `column:"p_antipodal_depth,nullable"`
	_              struct{} `meaning:"probability of a single cluster within τ at this depth and horizon,"`
	_              struct{} `meaning:"exact; null where it is not known to 1e-5, for laws that are not"`
	_              struct{} `meaning:"gaussian, entries that are not independent, and random queries and"`
	_              struct{} `meaning:"keys"`
	DepthSingle    float64  `column:"p_single_depth,nullable"`
	_              struct{} `meaning:"estimated absolute error of the theory at this depth: the"`
	_              struct{} `meaning:"largest error of its columns that are not null; null if"`
	_              struct{} `meaning:"all are null"`
	DepthError     float64  `column:"p_depth_error,nullable"`
	_              struct{} `meaning:"the largest β at which the antipodal outcome begins or"`
	_              struct{} `meaning:"ceases to attract at infinite depth; for independent"`
	_              struct{} `meaning:"entries it attracts above arccosh(d-2)/2; null if there is"`
	_              struct{} `meaning:"no such β, for example for independent entries and d = 2,"`
	_              struct{} `meaning:"where it attracts at every β"`
	Boundary       float64  `column:"beta_c,nullable"`
	_              struct{} `meaning:"the same as beta_c, at this depth; null if there is no"`
	_              struct{} `meaning:"such β, for laws that are not gaussian, for random queries"`
	_              struct{} `meaning:"and keys, and if the noise of a layer is too large for a"`
	_              struct{} `meaning:"covariance"`
	BoundaryDepth  float64  `column:"beta_c_depth,nullable"`
	_              struct{} `meaning:"the β above which opposite tokens attract each other, from"`
	_              struct{} `meaning:"the growth of simulated displacements at this depth; null"`
	_              struct{} `meaning:"if it is not simulated (random queries and keys, d above"`
	_              struct{} `meaning:"64) or not found, for example because they attract at"`
	_              struct{} `meaning:"every β"`
	Critical       float64  `column:"beta_c_simulated,nullable"`
	_              struct{} `meaning:"lower end of the 95 % interval (Fieller) of beta_c_simulated"`
	CriticalLow    float64  `column:"beta_c_low,nullable"`
	_              struct{} `meaning:"upper end of the 95 % interval (Fieller) of beta_c_simulated"`
	CriticalHigh   float64  `column:"beta_c_high,nullable"`
	outcomes.Means
	outcomes.EarlyEnds
}

// BlockRow is a row of the table with an MLP, several heads or a drift. BlockRow also has the probability of
// a single cluster and the mean overlap at infinite depth and horizon. With attention alone, both limits
// follow from the antipodal probability.
type BlockRow struct {
	Row
	_           struct{} `meaning:"probability of a single cluster at infinite depth and horizon"`
	LimitSingle float64  `column:"p_single_limit,nullable"`
	_           struct{} `meaning:"mean overlap at infinite depth and horizon where neither outcome attracts"`
	_           struct{} `meaning:"and the overlap has a stationary law; null elsewhere"`
	LimitMean   float64  `column:"overlap_limit,nullable"`
}

// plainRows returns the rows without the columns that only BlockRow has.
func plainRows(blocks []BlockRow) []Row {
	return lists.Map(blocks, func(b BlockRow) Row { return b.Row })
}

const pairTokens = 2 // tokens in each trajectory

// counted returns the row of a cell with the counts of a tally, as in the table of a shard.
func counted(cell sde.Cell, t outcomes.Tally) DerivedRow {
	r := data.NullRow[DerivedRow]()
	r.Dim, r.Beta, r.Trajectories = int32(cell.Dim), cell.Beta, t.Trajectories()
	r.Single, r.Antipodal, r.Unclustered = t.Each()
	r.Means = t.Means(pairTokens)
	r.StopBound = t.Bound
	return r
}

// Tally implements outcomes.Counted.
func (r Row) Tally() outcomes.Tally {
	return outcomes.Tally{Outcomes: outcomes.Counts(r.Single, r.Antipodal, r.Unclustered), Bound: r.StopBound,
		Masses: r.Masses(r.Trajectories, r.Antipodal, pairTokens)}
}

// estimated returns the row with the fractions that follow from its counts, and with the predictions of the
// theory.
func (r DerivedRow) estimated(of theory.Point) DerivedRow {
	r.AntipodalFraction.Estimate(r.Antipodal, r.Trajectories)
	r.Limit, r.LimitSingle, r.LimitMean = of.Limit, of.LimitSingle, of.LimitMean
	r.Horizon, r.HorizonError = of.Horizon.Antipodal, of.Horizon.AntipodalError
	r.DepthAntipodal, r.DepthSingle, r.DepthError = of.Depth.Antipodal, of.Depth.Single, of.Depth.Error
	r.Boundary, r.BoundaryDepth = of.Thresholds.Beta, of.Thresholds.BetaDepth
	return r
}

func (r Row) atDepth() bool { return !math.IsNaN(r.DepthAntipodal) }

// theory returns the theoretical probability of the antipodal outcome that is compared with the simulation:
// the probability at the simulated depth or, if that is not known, at infinite depth.
func (r Row) theory() float64 {
	if r.atDepth() {
		return r.DepthAntipodal
	}
	return r.Horizon
}

// difference returns the difference between the simulated antipodal count and its theory, in standard errors.
// The difference is NaN if there is no theory.
func (r Row) difference() float64 { return outcomes.Deviation(r.Antipodal, r.Trajectories, r.theory()) }
