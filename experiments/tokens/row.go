package tokens

import (
	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/theory"
	"antipode/sde"
)

// Row is a row of the table of experiment tokens: the counts of trajectories of one cell (N, β), where N is
// the number of tokens. In the table of a shard only the counts, the means and the bound are not null.
type Row struct {
	Tokens         int32    `column:"tokens" meaning:"number N of tokens"`
	Dim            int32    `column:"dim" meaning:"dimension d of the tokens"`
	Beta           float64  `column:"beta" meaning:"inverse temperature β"`
	_              struct{} `meaning:"number of simulated trajectories"`
	Trajectories   int64    `column:"trajectories" unit:"trajectories"`
	_              struct{} `meaning:"number of trajectories in which at least one pair of tokens has an"`
	_              struct{} `meaning:"overlap ≤ -1+τ at the horizon, where τ is the tolerance"`
	AntipodalPair  int64    `column:"antipodal_pair" unit:"trajectories"`
	_              struct{} `meaning:"number of trajectories with two opposite clusters at the horizon: all"`
	_              struct{} `meaning:"overlaps within the tolerance τ of ±1, at least one of them near -1"`
	Antipodal      int64    `column:"antipodal" unit:"trajectories"`
	_              struct{} `meaning:"number of trajectories with a single cluster at the horizon: all"`
	_              struct{} `meaning:"overlaps ≥ 1-τ, where τ is the tolerance"`
	Single         int64    `column:"single" unit:"trajectories"`
	_              struct{} `meaning:"number of trajectories with neither a single cluster nor two opposite"`
	_              struct{} `meaning:"clusters at the horizon"`
	Unclustered    int64    `column:"unclustered" unit:"trajectories"`
	_              struct{} `meaning:"fraction of the trajectories with an antipodal pair: antipodal_pair /"`
	_              struct{} `meaning:"trajectories"`
	PAntipodalPair float64  `column:"p_antipodal_pair,nullable"`
	_              struct{} `meaning:"lower end of the Wilson 95 % interval of p_antipodal_pair"`
	Low            float64  `column:"p_low,nullable"`
	_              struct{} `meaning:"upper end of the Wilson 95 % interval of p_antipodal_pair"`
	High           float64  `column:"p_high,nullable"`
	_              struct{} `meaning:"fraction of the trajectories with two opposite clusters: antipodal /"`
	_              struct{} `meaning:"trajectories"`
	PAntipodal     float64  `column:"p_antipodal,nullable"`
	_              struct{} `meaning:"fraction of the trajectories with a single cluster: single /"`
	_              struct{} `meaning:"trajectories"`
	PSingle        float64  `column:"p_single,nullable"`
	outcomes.Means
	_         struct{} `meaning:"largest bound on the probability that a trajectory of the row that"`
	_         struct{} `meaning:"ended early has another outcome at the horizon; null if none ended"`
	_         struct{} `meaning:"early, or all that did ended as their tokens had merged to one"`
	StopBound float64  `column:"stop_bound,nullable"`
	theory.ThreeTokens
}

// counted returns the row of a cell with the counts of a tally, as in the table of a shard.
func counted(cell sde.Cell, t outcomes.Tally) Row {
	r := data.NullRow[Row]()
	r.Tokens, r.Dim, r.Beta = int32(cell.Tokens), int32(cell.Dim), cell.Beta
	r.Trajectories, r.AntipodalPair = t.Trajectories(), t.Pair
	r.Single, r.Antipodal, r.Unclustered = t.Each()
	r.Means = t.Means(r.Tokens)
	r.StopBound = t.Bound
	return r
}

// Tally implements outcomes.Counted.
func (r Row) Tally() outcomes.Tally {
	counts := outcomes.Counts(r.Single, r.Antipodal, r.Unclustered)
	return outcomes.Tally{Outcomes: counts, Pair: r.AntipodalPair, Bound: r.StopBound,
		Masses: r.Masses(r.Trajectories, r.Antipodal, r.Tokens)}
}

// estimated returns the row with the fractions that follow from its counts.
func (r Row) estimated() Row {
	r.PAntipodalPair = r.fraction(r.AntipodalPair)
	r.Low, r.High = outcomes.Wilson(r.AntipodalPair, r.Trajectories)
	r.PAntipodal, r.PSingle = r.fraction(r.Antipodal), r.fraction(r.Single)
	return r
}

// fraction returns a count of trajectories as a fraction of all trajectories.
func (r Row) fraction(count int64) float64 { return float64(count) / float64(r.Trajectories) }
