package simulate

import "antipode/sphere"

// Moment is a time of a trajectory.
type Moment struct {
	Trajectory int64   `column:"trajectory" meaning:"number of the trajectory, from 0"`
	Time       float64 `column:"time" unit:"units of time" meaning:"layer / depth"`
}

// OutcomeRow is a row of the table of outcomes: one for each trajectory and time.
type OutcomeRow struct {
	Moment
	Outcome sphere.Outcome `column:"outcome" meaning:"single: all overlaps ≥ 1-τ; antipodal: all within τ of ±1, both occur; unclustered: neither"`
	Pair    int32          `column:"antipodal_pair" meaning:"1 if at least one pair of tokens has overlap ≤ -1+τ, else 0"`
}

// OverlapRow is a row of the table of overlaps: one for each trajectory, time and pair of tokens.
type OverlapRow struct {
	Moment
	First   int32   `column:"i" meaning:"first token of the pair, from 1"`
	Second  int32   `column:"j" meaning:"second token of the pair, above i"`
	Overlap float64 `column:"z" meaning:"their overlap ⟨x_i, x_j⟩"`
}

// StateRow is a row of the table of states: one for each trajectory and time.
type StateRow struct {
	Moment
	Tokens [][]float64 `column:"x#" meaning:"token #, a unit vector; between layers a point on the line from one to the next"`
}

// fractionRow is a row of the digest of outcomes: how many trajectories have each at one time.
type fractionRow struct {
	Time         float64 `column:"time" unit:"units of time"`
	Trajectories int64   `column:"trajectories" unit:"trajectories"`
	Single       int64   `column:"single" unit:"trajectories"`
	Antipodal    int64   `column:"antipodal" unit:"trajectories"`
	Unclustered  int64   `column:"unclustered" unit:"trajectories"`
	Pair         int64   `column:"antipodal_pair" unit:"trajectories"`
}

// count counts in a trajectory with an outcome.
func (r *fractionRow) count(outcome sphere.Outcome) {
	r.Trajectories++
	switch outcome {
	case sphere.Single:
		r.Single++
	case sphere.Antipodal:
		r.Antipodal++
	default:
		r.Unclustered++
	}
}
