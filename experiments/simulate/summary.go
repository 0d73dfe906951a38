package simulate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/internal/lists"
)

// SummaryRow is a row of the table that summarises all trajectories: the number of trajectories with each
// outcome at a time, and Wilson's 95 % intervals of the probabilities.
type SummaryRow struct {
	fractionRow
	PSingle      outcomes.Fraction `column:"single" meaning:"single"`
	PAntipodal   outcomes.Fraction `column:"antipodal" meaning:"antipodal"`
	PUnclustered outcomes.Fraction `column:"unclustered" meaning:"unclustered"`
}

// estimate sets the estimated probabilities of the outcomes from the counts. The sum of imbalances is rounded
// to a multiple of 1/N, where N is the number of tokens; the sum over shards is then that of the whole run.
func (r *SummaryRow) estimate(tokens int64) {
	r.Imbalance = math.Round(r.Imbalance*float64(tokens)) / float64(tokens)
	r.PSingle = outcomes.FractionOf(r.Single, r.Trajectories)
	r.PAntipodal = outcomes.FractionOf(r.Antipodal, r.Trajectories)
	r.PUnclustered = outcomes.FractionOf(r.Unclustered, r.Trajectories)
}

// summaryTable is the table that summarises all trajectories. The table has a row for each time.
type summaryTable struct {
	outcomeTable
	trajectories int64
}

func (*summaryTable) columns() []data.Column { return data.ColumnsOf[SummaryRow]() }

// rowsPerTime returns the number of rows per trajectory and time, which is less than 1 because all
// trajectories share a single row for each time.
func (t *summaryTable) rowsPerTime() float64 { return 1 / float64(t.trajectories) }

func (t *summaryTable) writer(sink data.Sink) rowWriter {
	return &summaryWriter{sink: sink, tokens: t.tokens}
}

// summaryWriter counts the outcomes of all trajectories, and writes the rows of all times when it is flushed.
// Until then the imbalances are not divided by the number of tokens, so that their sum is exact.
type summaryWriter struct {
	sink   data.Sink
	tokens int
	rows   []SummaryRow
}

func (w *summaryWriter) add(at Moment, k int, row saved) error {
	if k == len(w.rows) {
		w.rows = append(w.rows, SummaryRow{fractionRow: fractionRow{Time: at.Time}})
	}
	seen := row.outcome(k, w.tokens)
	w.rows[k].count(seen.Outcome, seen.Pair)
	w.rows[k].Imbalance += float64(seen.Excess(w.tokens))
	return nil
}

func (w *summaryWriter) flush() error {
	for k := range w.rows {
		w.rows[k].Imbalance /= float64(w.tokens)
		w.rows[k].estimate(int64(w.tokens))
	}
	return data.WriteRows(w.sink, w.rows...)
}

// mergeSummaries adds the counts in the summary tables of shards, and writes the sums. The rows of a shard
// may be in any order; a shard without trajectories has no rows.
func (s *Experiment) mergeSummaries(shards []*data.Reader, table data.Sink) error {
	points := s.points(0)
	sums := lists.Map(points, func(p point) []SummaryRow { return p.emptySummary() })
	for k, shard := range shards {
		rows, at, err := s.summaryRows(shard.Next)
		if err != nil {
			return err
		}
		for i, r := range rows {
			of := sums[at[i]]
			n, found := slices.BinarySearchFunc(of, r.Time,
				func(sum SummaryRow, time float64) int { return cmp.Compare(sum.Time, time) })
			if !found {
				return fmt.Errorf("shard %d/%d: has the time %g, which the run does not save", k, len(shards),
					r.Time)
			}
			of[n].add(r.fractionRow)
		}
	}
	for k, p := range points {
		for i := range sums[k] {
			if r := &sums[k][i]; r.Trajectories != s.Trajectories {
				return fmt.Errorf("the shards have %d trajectories at time %g, and the run %d",
					r.Trajectories, r.Time, s.Trajectories)
			}
			sums[k][i].estimate(p.Tokens)
		}
		if err := data.WriteRows(p.sink(s.axes(), table), sums[k]...); err != nil {
			return err
		}
	}
	return nil
}

// emptySummary returns a row without trajectories for each saved time. The parameters must be valid.
func (s *Experiment) emptySummary() []SummaryRow {
	horizon, every, _ := s.layersSaved()
	return lists.Map(momentsOf(horizon, every), func(m moment) SummaryRow {
		return SummaryRow{fractionRow: fractionRow{Time: m.time(s.Depth)}}
	})
}

// summaryRows returns the rows of all parts of a summary table, and for each row the index of its point of
// the sweep.
func (s *Experiment) summaryRows(next func() (*data.Table, error)) (rows []SummaryRow, at []int, err error) {
	pointsOf := s.pointReader()
	for part, err := range data.Parts(next) {
		if err != nil {
			return nil, nil, err
		}
		of, err := data.RowsOf[SummaryRow](part)
		if err != nil {
			return nil, nil, err
		}
		points, err := pointsOf(part)
		if err != nil {
			return nil, nil, err
		}
		rows, at = append(rows, of...), append(at, points...)
	}
	return rows, at, nil
}

// digestSummary returns the digest of a summary table, which has the counts of the summary. The digest of a
// sweep has only the counts at the horizon, of the points that the table has.
func (s *Experiment) digestSummary(
	schema data.Schema, next func() (*data.Table, error),
) (*data.Table, error) {
	rows, at, err := s.summaryRows(next)
	if err != nil {
		return nil, err
	}
	if len(s.axes()) == 0 {
		return digestFrom(schema, lists.Map(rows, func(r SummaryRow) fractionRow { return r.fractionRow }))
	}
	ends, err := s.noEnds()
	if err != nil {
		return nil, err
	}
	for k, r := range rows {
		if end := &ends[at[k]]; r.Time >= end.Time {
			end.fractionRow = r.fractionRow
		}
	}
	return digestOfEnds(schema, ends)
}
