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
	Trajectories int64    `column:"trajectories" unit:"trajectories" meaning:"simulated trajectories"`
	_            struct{} `meaning:"trajectories with overlap ≥ 1-τ at the horizon"`
	Single       int64    `column:"single" unit:"trajectories"`
	_            struct{} `meaning:"trajectories with overlap ≤ -1+τ at the horizon"`
	Antipodal    int64    `column:"antipodal" unit:"trajectories"`
	_            struct{} `meaning:"trajectories with neither at the horizon"`
	Unclustered  int64    `column:"unclustered" unit:"trajectories"`
	PSingle      float64  `column:"p_single,nullable" meaning:"single / trajectories"`
	AntipodalFraction
}

// AntipodalFraction holds the columns of the fraction of antipodal trajectories, and of the limit of this
// fraction in theory.
type AntipodalFraction struct {
	PAntipodal float64  `column:"p_antipodal,nullable" meaning:"antipodal / trajectories"`
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
	P    float64 `column:"p_@,nullable" meaning:"@ / trajectories"`
	Low  float64 `column:"p_@_low,nullable" meaning:"lower end of the Wilson 95 % interval of p_@"`
	High float64 `column:"p_@_high,nullable" meaning:"upper end of the Wilson 95 % interval of p_@"`
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
	_         struct{} `meaning:"the largest bound on the probability that a trajectory of the cell"`
	_         struct{} `meaning:"that ended early has another outcome at the horizon; null: none"`
	_         struct{} `meaning:"ended early"`
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
