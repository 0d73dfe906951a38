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
	_            struct{} `meaning:"number of simulated trajectories"`
	Trajectories int64    `column:"trajectories" unit:"trajectories"`
	_            struct{} `meaning:"number of trajectories with the antipodal outcome at the horizon:"`
	_            struct{} `meaning:"overlap ≤ -1+τ, where τ is the tolerance"`
	Antipodal    int64    `column:"antipodal" unit:"trajectories"`
	_            struct{} `meaning:"number of trajectories with a single cluster at the horizon: overlap ≥"`
	_            struct{} `meaning:"1-τ, where τ is the tolerance"`
	Single       int64    `column:"single" unit:"trajectories"`
	_            struct{} `meaning:"number of trajectories with neither the antipodal outcome nor a single"`
	_            struct{} `meaning:"cluster at the horizon"`
	Unclustered  int64    `column:"unclustered" unit:"trajectories"`
	outcomes.AntipodalFraction
	_              struct{} `meaning:"probability of the antipodal outcome (overlap ≤ -1+τ, where τ is the"`
	_              struct{} `meaning:"tolerance) at infinite depth and this horizon, from the Fokker-Planck"`
	_              struct{} `meaning:"equation; null where the probability is not known to 1e-3"`
	Horizon        float64  `column:"p_antipodal_horizon,nullable" formerly:"p_horizon"`
	_              struct{} `meaning:"estimated absolute error of p_antipodal_horizon; null where"`
	_              struct{} `meaning:"p_antipodal_horizon is"`
	HorizonError   float64  `column:"p_horizon_error,nullable"`
	_              struct{} `meaning:"exact probability of the antipodal outcome (overlap ≤ -1+τ, where τ is"`
	_              struct{} `meaning:"the tolerance) at this depth and horizon; null where the probability"`
	_              struct{} `meaning:"is not known to 1e-5, for laws that are not gaussian, entries that are"`
	_              struct{} `meaning:"not independent, and random queries and keys"`
	DepthAntipodal float64  `column:"p_antipodal_depth,nullable"`
	_              struct{} `meaning:"exact probability of a single cluster (overlap ≥ 1-τ, where τ is the"`
	_              struct{} `meaning:"tolerance) at this depth and horizon; null where the probability is"`
	_              struct{} `meaning:"not known to 1e-5, for laws that are not gaussian, entries that are"`
	_              struct{} `meaning:"not independent, and random queries and keys"`
	DepthSingle    float64  `column:"p_single_depth,nullable"`
	_              struct{} `meaning:"estimated absolute error of p_antipodal_depth and p_single_depth: the"`
	_              struct{} `meaning:"larger of the errors of those that are not null; null if both are null"`
	DepthError     float64  `column:"p_depth_error,nullable"`
	_              struct{} `meaning:"largest inverse temperature β at which the antipodal outcome begins or"`
	_              struct{} `meaning:"ceases to attract at infinite depth; for value matrices with"`
	_              struct{} `meaning:"independent entries, the antipodal outcome attracts above"`
	_              struct{} `meaning:"arccosh(d-2)/2; null if there is no such β, for example for"`
	_              struct{} `meaning:"independent entries and d = 2, where it attracts at every β"`
	Boundary       float64  `column:"beta_c,nullable"`
	_              struct{} `meaning:"largest inverse temperature β at which the antipodal outcome begins or"`
	_              struct{} `meaning:"ceases to attract at this depth; null if there is no such β, for laws"`
	_              struct{} `meaning:"that are not gaussian, for random queries and keys, and, if entries of"`
	_              struct{} `meaning:"value matrices are dependent, where the noise of a layer is too large"`
	BoundaryDepth  float64  `column:"beta_c_depth,nullable"`
	_              struct{} `meaning:"inverse temperature β above which opposite tokens attract each other,"`
	_              struct{} `meaning:"from the growth of simulated displacements at this depth; null if this"`
	_              struct{} `meaning:"β is not simulated (random queries and keys, an MLP, several heads, a"`
	_              struct{} `meaning:"drift, d above 64) or not found, for example because opposite tokens"`
	_              struct{} `meaning:"attract at every β, or because its interval has no upper end"`
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
