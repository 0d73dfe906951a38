package outcomes

import (
	"slices"

	"antipode/data"
)

// ColumnsOf returns the columns of a table of outcomes. The type Derived is a row with all columns: first the
// columns of Row, then the further columns of Block, then the further columns of Derived. The further columns
// of Block, which describe sublayers, are left out if block is false. The further columns of Derived, which
// are derivatives, are left out if derivatives is false.
func ColumnsOf[Row, Block, Derived any](block, derivatives bool) []data.Column {
	columns := data.ColumnsOf[Derived]()
	plain, blocks := len(data.ColumnsOf[Row]()), len(data.ColumnsOf[Block]())
	if !derivatives {
		columns = columns[:blocks]
	}
	if !block {
		columns = slices.Delete(columns, plain, blocks)
	}
	return columns
}

// PairCounts holds the columns of a table that count the trajectories of two tokens by their outcome.
type PairCounts struct {
	_            struct{} `meaning:"number of simulated trajectories"`
	Trajectories int64    `column:"trajectories" unit:"trajectories"`
	_            struct{} `meaning:"number of trajectories with a single cluster at the horizon: overlap ≥"`
	_            struct{} `meaning:"1-τ, where τ is the tolerance"`
	Single       int64    `column:"single" unit:"trajectories"`
	_            struct{} `meaning:"number of trajectories with the antipodal outcome at the horizon:"`
	_            struct{} `meaning:"overlap ≤ -1+τ, where τ is the tolerance"`
	Antipodal    int64    `column:"antipodal" unit:"trajectories"`
	_            struct{} `meaning:"number of trajectories with neither the antipodal outcome nor a single"`
	_            struct{} `meaning:"cluster at the horizon"`
	Unclustered  int64    `column:"unclustered" unit:"trajectories"`
	_            struct{} `meaning:"fraction of the trajectories with a single cluster: single /"`
	_            struct{} `meaning:"trajectories"`
	PSingle      float64  `column:"p_single,nullable"`
	AntipodalFraction
}

// AntipodalFraction holds the columns of the fraction of antipodal trajectories, and of the limit of this
// fraction in theory.
type AntipodalFraction struct {
	_          struct{} `meaning:"fraction of the trajectories with the antipodal outcome: antipodal /"`
	_          struct{} `meaning:"trajectories"`
	PAntipodal float64  `column:"p_antipodal,nullable"`
	_          struct{} `meaning:"lower end of the Wilson 95 % interval of p_antipodal"`
	Low        float64  `column:"p_low,nullable"`
	_          struct{} `meaning:"upper end of the Wilson 95 % interval of p_antipodal"`
	High       float64  `column:"p_high,nullable"`
	_          struct{} `meaning:"probability of the antipodal outcome at infinite depth and horizon,"`
	_          struct{} `meaning:"from the scale function"`
	Limit      float64  `column:"p_limit,nullable"`
}

// Fraction holds the columns of the fraction of trajectories with a given outcome, and of its confidence
// interval.
type Fraction struct {
	_    struct{} `meaning:"fraction of the trajectories with the outcome @: @ / trajectories"`
	P    float64  `column:"p_@,nullable"`
	Low  float64  `column:"p_@_low,nullable" meaning:"lower end of the Wilson 95 % interval of p_@"`
	High float64  `column:"p_@_high,nullable" meaning:"upper end of the Wilson 95 % interval of p_@"`
}

// FractionOf returns the fraction count/trajectories with its Wilson interval.
func FractionOf(count, trajectories int64) (f Fraction) {
	f.P = float64(count) / float64(trajectories)
	f.Low, f.High = Wilson(count, trajectories)
	return f
}

// EarlyEnds is the column of the error that may be caused by trajectories that are stopped before the
// horizon.
type EarlyEnds struct {
	_         struct{} `meaning:"largest bound on the probability that a trajectory of the row that ended"`
	_         struct{} `meaning:"early has another outcome at the horizon; null if none ended early, or only"`
	_         struct{} `meaning:"because tokens had merged"`
	StopBound float64  `column:"stop_bound,nullable"`
}

// PairCountsOf returns the columns with the counts of a tally. The columns of fractions are null.
func PairCountsOf(t Tally) PairCounts {
	c := data.NullRow[PairCounts]()
	c.Trajectories = t.Trajectories()
	c.Single, c.Antipodal, c.Unclustered = t.Each()
	return c
}

// Counted returns the tally of the counts in the columns. The bound of the tally is the bound of trajectories
// that ended early, or NaN if there is none.
func (c PairCounts) Counted(e EarlyEnds) Tally {
	return Tally{Outcomes: Counts(c.Single, c.Antipodal, c.Unclustered), Bound: e.StopBound}
}

// Estimate sets the fractions of trajectories from their counts.
func (c *PairCounts) Estimate() {
	c.PSingle = float64(c.Single) / float64(c.Trajectories)
	c.AntipodalFraction.Estimate(c.Antipodal, c.Trajectories)
}

// Estimate sets the fraction of antipodal trajectories, and its Wilson interval, from counts.
func (f *AntipodalFraction) Estimate(antipodal, trajectories int64) {
	f.PAntipodal = float64(antipodal) / float64(trajectories)
	f.Low, f.High = Wilson(antipodal, trajectories)
}
