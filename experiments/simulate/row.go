package simulate

import "antipode/sphere"

// Moment is the index of a trajectory and a time: the columns with which the rows of most tables begin.
type Moment struct {
	Trajectory int64   `column:"trajectory" meaning:"number of the trajectory, from 0"`
	Time       float64 `column:"time" unit:"units of time" meaning:"layer / depth"`
}

// OutcomeRow is a row of the table of outcomes, for one trajectory and one time.
type OutcomeRow struct {
	Moment
	_         struct{}       `meaning:"single: all overlaps ≥ 1-τ; antipodal: all within τ of ±1, both"`
	_         struct{}       `meaning:"occur; unclustered: neither"`
	Outcome   sphere.Outcome `column:"outcome"`
	_         struct{}       `meaning:"1 if at least one pair of tokens has overlap ≤ -1+τ, else 0"`
	Pair      int32          `column:"antipodal_pair"`
	_         struct{}       `meaning:"clusters: sets of tokens connected by overlaps ≥ 1-τ"`
	Clusters  int32          `column:"clusters"`
	Largest   int32          `column:"largest" unit:"tokens" meaning:"size of the largest cluster"`
	_         struct{}       `meaning:"difference of the sizes of two opposite clusters / N; null unless the"`
	_         struct{}       `meaning:"outcome is antipodal"`
	Imbalance float64        `column:"imbalance,nullable"`
}

// OverlapRow is a row of the table of overlaps, for one trajectory, one time and one pair of tokens.
type OverlapRow struct {
	Moment
	First   int32   `column:"i" meaning:"first token of the pair, from 1"`
	Second  int32   `column:"j" meaning:"second token of the pair, above i"`
	Overlap float64 `column:"overlap" formerly:"z" meaning:"their overlap ⟨x_i, x_j⟩"`
}

// PairRow is a row of the table of overlaps of only two tokens, for one trajectory and one time.
type PairRow struct {
	Moment
	Overlap float64 `column:"overlap" formerly:"z" meaning:"overlap ⟨x_1, x_2⟩ of the two tokens"`
}

// formerOverlap is the name of the column of overlaps in files of older versions.
const formerOverlap = "z"

// StateRow is a row of the table of states, the positions of all tokens of one trajectory at one time.
type StateRow struct {
	Moment
	_      struct{}    `meaning:"token #, a unit vector; between layers a point on the line from one to the"`
	_      struct{}    `meaning:"next"`
	Tokens [][]float64 `column:"x#"`
}

// fractionRow is a row of the digest of outcomes: the numbers of trajectories with each outcome at one time.
type fractionRow struct {
	Time         float64  `column:"time" unit:"units of time" meaning:"layer / depth"`
	Trajectories int64    `column:"trajectories" unit:"trajectories" meaning:"simulated trajectories"`
	Single       int64    `column:"single" unit:"trajectories" meaning:"trajectories with all overlaps ≥ 1-τ"`
	_            struct{} `meaning:"trajectories with all overlaps within τ of ±1, both occurring"`
	Antipodal    int64    `column:"antipodal" unit:"trajectories"`
	Unclustered  int64    `column:"unclustered" unit:"trajectories" meaning:"trajectories with neither"`
	_            struct{} `meaning:"trajectories with at least one pair of overlap ≤ -1+τ"`
	Pair         int64    `column:"antipodal_pair" unit:"trajectories"`
	_            struct{} `meaning:"sum over the antipodal trajectories of the difference of the sizes of"`
	_            struct{} `meaning:"their clusters / N"`
	Imbalance    float64  `column:"imbalance" unit:"trajectories"`
}

// count adds a trajectory with the given outcome to the counts.
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
