package simulate

import "antipode/sphere"

// Moment is the index of a trajectory and a time: the columns with which the rows of most tables begin.
type Moment struct {
	Trajectory int64    `column:"trajectory" meaning:"number of the trajectory, counted from 0"`
	_          struct{} `meaning:"time of observation: number of layers passed / depth"`
	Time       float64  `column:"time" unit:"units of time"`
}

// OutcomeRow is a row of the table of outcomes, for one trajectory and one time.
type OutcomeRow struct {
	Moment
	_         struct{}       `meaning:"single if all overlaps are ≥ 1-τ, where τ is the tolerance; antipodal"`
	_         struct{}       `meaning:"if all overlaps are within τ of ±1 and at least one is near -1;"`
	_         struct{}       `meaning:"otherwise unclustered"`
	Outcome   sphere.Outcome `column:"outcome"`
	_         struct{}       `meaning:"1 if at least one pair of tokens has an overlap ≤ -1+τ, where τ is"`
	_         struct{}       `meaning:"the tolerance; otherwise 0"`
	Pair      int32          `column:"antipodal_pair"`
	_         struct{}       `meaning:"number of clusters: sets of tokens connected by overlaps ≥ 1-τ, where"`
	_         struct{}       `meaning:"τ is the tolerance"`
	Clusters  int32          `column:"clusters"`
	_         struct{}       `meaning:"number of tokens in the largest cluster"`
	Largest   int32          `column:"largest" unit:"tokens"`
	_         struct{}       `meaning:"difference of the sizes of two opposite clusters, divided by the"`
	_         struct{}       `meaning:"number N of tokens; null unless the outcome is antipodal"`
	Imbalance float64        `column:"imbalance,nullable"`
}

// OverlapRow is a row of the table of overlaps, for one trajectory, one time and one pair of tokens.
type OverlapRow struct {
	Moment
	First   int32   `column:"i" meaning:"number of the first token of the pair, counted from 1"`
	Second  int32   `column:"j" meaning:"number of the second token of the pair, which is above i"`
	Overlap float64 `column:"overlap" formerly:"z" meaning:"overlap ⟨x_i, x_j⟩ of the tokens i and j"`
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
	_      struct{}    `meaning:"token #, a unit vector; between two layers, a point on the line between the"`
	_      struct{}    `meaning:"states after these layers"`
	Tokens [][]float64 `column:"x#"`
}

// fractionRow is a row of the digest of outcomes: the numbers of trajectories with each outcome at one time.
type fractionRow struct {
	_            struct{} `meaning:"time of observation: number of layers passed / depth"`
	Time         float64  `column:"time" unit:"units of time"`
	_            struct{} `meaning:"number of simulated trajectories"`
	Trajectories int64    `column:"trajectories" unit:"trajectories"`
	_            struct{} `meaning:"number of trajectories with a single cluster: all overlaps ≥ 1-τ, where"`
	_            struct{} `meaning:"τ is the tolerance"`
	Single       int64    `column:"single" unit:"trajectories"`
	_            struct{} `meaning:"number of trajectories with two opposite clusters: all overlaps within"`
	_            struct{} `meaning:"the tolerance τ of ±1, at least one of them near -1"`
	Antipodal    int64    `column:"antipodal" unit:"trajectories"`
	_            struct{} `meaning:"number of trajectories with neither a single cluster nor two opposite"`
	_            struct{} `meaning:"clusters"`
	Unclustered  int64    `column:"unclustered" unit:"trajectories"`
	_            struct{} `meaning:"number of trajectories in which at least one pair of tokens has an"`
	_            struct{} `meaning:"overlap ≤ -1+τ, where τ is the tolerance"`
	Pair         int64    `column:"antipodal_pair" unit:"trajectories"`
	_            struct{} `meaning:"sum over the antipodal trajectories of the difference of the sizes of"`
	_            struct{} `meaning:"the two opposite clusters, divided by the number N of tokens"`
	Imbalance    float64  `column:"imbalance" unit:"trajectories"`
}

// count adds a trajectory with the given outcome to the counts. The argument pair says whether two of its
// tokens are antipodal.
func (r *fractionRow) count(outcome sphere.Outcome, pair bool) {
	r.Trajectories++
	if pair {
		r.Pair++
	}
	switch outcome {
	case sphere.Single:
		r.Single++
	case sphere.Antipodal:
		r.Antipodal++
	default:
		r.Unclustered++
	}
}
