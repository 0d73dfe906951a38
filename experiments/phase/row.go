package phase

import (
	"math"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/theory"
	"antipode/sde"
)

// Row is a row of the table: the counts of one cell (d, β), and its theory. In that of a shard all
// is null but the counts and the bound.
type Row struct {
	Dim            int32   `column:"dim" meaning:"dimension d of the tokens"`
	Beta           float64 `column:"beta" meaning:"inverse temperature β"`
	Trajectories   int64   `column:"trajectories" unit:"trajectories" meaning:"simulated trajectories"`
	Antipodal      int64   `column:"antipodal" unit:"trajectories" meaning:"trajectories with overlap ≤ -1+τ at the horizon"`
	Single         int64   `column:"single" unit:"trajectories" meaning:"trajectories with overlap ≥ 1-τ at the horizon"`
	Unclustered    int64   `column:"unclustered" unit:"trajectories" meaning:"trajectories with neither at the horizon"`
	PAntipodal     float64 `column:"p_antipodal,nullable" meaning:"antipodal / trajectories"`
	Low            float64 `column:"p_low,nullable" meaning:"lower end of the Wilson 95 % interval of p_antipodal"`
	High           float64 `column:"p_high,nullable" meaning:"upper end of the Wilson 95 % interval of p_antipodal"`
	Limit          float64 `column:"p_limit,nullable" meaning:"probability of the antipodal outcome at infinite depth and horizon, from the scale function"`
	Horizon        float64 `column:"p_antipodal_horizon,nullable" formerly:"p_horizon" meaning:"probability of the antipodal outcome within τ at infinite depth and this horizon, from the Fokker-Planck equation; null where it is not known to 1e-3"`
	HorizonError   float64 `column:"p_horizon_error,nullable" meaning:"estimated absolute error of the theory at the horizon, the greater of those that are there; null where none is"`
	DepthAntipodal float64 `column:"p_antipodal_depth,nullable" meaning:"probability of the antipodal outcome within τ at this depth and horizon, exact; null where it is not known to 1e-5, for laws that are not gaussian, entries that are not independent, and random queries and keys"`
	DepthSingle    float64 `column:"p_single_depth,nullable" meaning:"probability of a single cluster within τ at this depth and horizon, exact; null where it is not known to 1e-5, for laws that are not gaussian, entries that are not independent, and random queries and keys"`
	DepthError     float64 `column:"p_depth_error,nullable" meaning:"estimated absolute error of the theory at this depth, the greater of those that are there; null where none is"`
	Boundary       float64 `column:"beta_c,nullable" meaning:"the largest β at which the antipodal outcome begins or ceases to attract at infinite depth; for independent entries it attracts above arccosh(d-2)/2; null where there is none, as for them and d = 2, where it always does"`
	BoundaryDepth  float64 `column:"beta_c_depth,nullable" meaning:"the same at this depth; null where there is none, for laws that are not gaussian, random queries and keys, and where the noise of a layer is too large for a covariance"`
	StopBound      float64 `column:"stop_bound,nullable" meaning:"the largest bound on the probability that a trajectory of the cell that ended early has another outcome at the horizon; null: none ended early"`
}

// counted is the row of a cell of a shard.
func counted(cell sde.Cell, t outcomes.Tally) Row {
	r := data.NullRow[Row]()
	r.Dim, r.Beta, r.Trajectories = int32(cell.Dim), cell.Beta, t.Trajectories()
	r.Single, r.Antipodal, r.Unclustered = t.Each()
	r.StopBound = t.Bound
	return r
}

// Tally implements outcomes.Counted.
func (r Row) Tally() outcomes.Tally {
	return outcomes.Tally{Outcomes: outcomes.Counts(r.Single, r.Antipodal, r.Unclustered), Bound: r.StopBound}
}

// estimated is the row with fractions of what was counted, and the theory.
func (r Row) estimated(of theory.Point) Row {
	r.PAntipodal = float64(r.Antipodal) / float64(r.Trajectories)
	r.Low, r.High = outcomes.Wilson(r.Antipodal, r.Trajectories)
	r.Limit, r.Horizon, r.HorizonError = of.Limit, of.Horizon.Antipodal, of.Horizon.AntipodalError
	r.DepthAntipodal, r.DepthSingle, r.DepthError = of.Depth.Antipodal, of.Depth.Single, of.Depth.Error
	r.Boundary, r.BoundaryDepth = of.Thresholds.Beta, of.Thresholds.BetaDepth
	return r
}

func (r Row) atDepth() bool { return !math.IsNaN(r.DepthAntipodal) }

// theory is the probability of the antipodal outcome that is compared with what was seen: that at
// this depth, or where it is not known at infinite depth.
func (r Row) theory() float64 {
	if r.atDepth() {
		return r.DepthAntipodal
	}
	return r.Horizon
}

// difference is how far what was seen is from the theory, in standard errors; NaN where there is
// no theory.
func (r Row) difference() float64 { return outcomes.Deviation(r.Antipodal, r.Trajectories, r.theory()) }
