package hybrid

import (
	"math"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/sde"
)

// Row is a row of the table: the counts of one cell (β, ε), and its theory. In that of a shard all
// is null but the counts and the bound.
type Row struct {
	Beta             float64 `column:"beta" meaning:"inverse temperature β"`
	Epsilon          float64 `column:"epsilon" meaning:"noise amplitude ε"`
	Trajectories     int64   `column:"trajectories" unit:"trajectories" meaning:"simulated trajectories"`
	Single           int64   `column:"single" unit:"trajectories" meaning:"trajectories with overlap ≥ 1-τ at the horizon"`
	Antipodal        int64   `column:"antipodal" unit:"trajectories" meaning:"trajectories with overlap ≤ -1+τ at the horizon"`
	Unclustered      int64   `column:"unclustered" unit:"trajectories" meaning:"trajectories with neither at the horizon"`
	PSingle          float64 `column:"p_single,nullable" meaning:"single / trajectories"`
	PAntipodal       float64 `column:"p_antipodal,nullable" meaning:"antipodal / trajectories"`
	Low              float64 `column:"p_low,nullable" meaning:"lower end of the Wilson 95 % interval of p_antipodal"`
	High             float64 `column:"p_high,nullable" meaning:"upper end of the Wilson 95 % interval of p_antipodal"`
	Limit            float64 `column:"p_limit,nullable" meaning:"probability of the antipodal outcome at infinite depth and horizon, from the scale function"`
	AntipodalHorizon float64 `column:"p_antipodal_horizon,nullable" meaning:"probability of the antipodal outcome within τ at infinite depth and this horizon, from the Fokker-Planck equation; null where it is not known to 1e-3"`
	SingleHorizon    float64 `column:"p_single_horizon,nullable" meaning:"probability of a single cluster within τ at infinite depth and this horizon, from the Fokker-Planck equation; null where it is not known to 1e-3"`
	HorizonError     float64 `column:"p_horizon_error,nullable" meaning:"estimated absolute error of the theory at the horizon, the greater of those that are there; null where none is"`
	DepthAntipodal   float64 `column:"p_antipodal_depth,nullable" meaning:"probability of the antipodal outcome within τ at this depth and horizon, exact; null where it is not known to 1e-5"`
	DepthSingle      float64 `column:"p_single_depth,nullable" meaning:"probability of a single cluster within τ at this depth and horizon, exact; null where it is not known to 1e-5"`
	DepthError       float64 `column:"p_depth_error,nullable" meaning:"estimated absolute error of the theory at this depth, the greater of those that are there; null where none is"`
	EpsilonSingle    float64 `column:"epsilon_single,nullable" meaning:"ε below which a single cluster attracts at infinite depth"`
	EpsilonAntipodal float64 `column:"epsilon_antipodal,nullable" meaning:"ε above which the antipodal outcome attracts at infinite depth"`
	StopBound        float64 `column:"stop_bound,nullable" meaning:"the largest bound on the probability that a trajectory of the cell that ended early has another outcome at the horizon; null: none ended early"`
}

// counted is the row of a cell of a shard.
func counted(cell sde.Cell, t outcomes.Tally) Row {
	r := data.NullRow[Row]()
	r.Beta, r.Epsilon, r.Trajectories = cell.Beta, cell.Model.(sde.Hybrid).Epsilon, t.Trajectories()
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
	r.PSingle = float64(r.Single) / float64(r.Trajectories)
	r.PAntipodal = float64(r.Antipodal) / float64(r.Trajectories)
	r.Low, r.High = outcomes.Wilson(r.Antipodal, r.Trajectories)
	r.Limit = of.Limit
	r.EpsilonSingle, r.EpsilonAntipodal = of.Thresholds.EpsilonSingle, of.Thresholds.EpsilonAntipodal
	r.AntipodalHorizon, r.SingleHorizon, r.HorizonError =
		of.Horizon.Antipodal, of.Horizon.Single, of.Horizon.Error
	r.DepthAntipodal, r.DepthSingle, r.DepthError = of.Depth.Antipodal, of.Depth.Single, of.Depth.Error
	return r
}

// both reports whether theory says that both outcomes attract.
func (r Row) both() bool { return r.EpsilonAntipodal < r.Epsilon && r.Epsilon < r.EpsilonSingle }

func (r Row) atDepth() bool { return !math.IsNaN(r.DepthAntipodal) && !math.IsNaN(r.DepthSingle) }

// theory is the probabilities that are compared with what was seen: those at this depth, or where
// they are not known at infinite depth.
func (r Row) theory() (antipodal, single float64) {
	if r.atDepth() {
		return r.DepthAntipodal, r.DepthSingle
	}
	return r.AntipodalHorizon, r.SingleHorizon
}

// difference is how far what was seen is from the theory, in standard errors; NaN where there is
// no theory.
func (r Row) difference() float64 {
	var larger wording.Difference
	antipodal, single := r.theory()
	larger.Add(outcomes.Deviation(r.Antipodal, r.Trajectories, antipodal))
	larger.Add(outcomes.Deviation(r.Single, r.Trajectories, single))
	return larger.Largest()
}

// singleLimit is the probability of a single cluster in the limit: what is left by the
// antipodal one, unless neither attracts.
func (r Row) singleLimit() float64 {
	if r.EpsilonSingle <= r.Epsilon {
		return 0
	}
	return 1 - r.Limit
}
