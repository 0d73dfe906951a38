package simulate

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
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

// mergeSummaries adds the counts in the summary tables of shards, and writes the sums.
func (s *Experiment) mergeSummaries(shards []*data.Reader, table data.Sink) error {
	var rows []SummaryRow
	for k, shard := range shards {
		of, err := summaryRows(shard.Next)
		if err != nil {
			return err
		}
		if k == 0 {
			rows = make([]SummaryRow, len(of))
		}
		if len(of) != len(rows) {
			return fmt.Errorf("shard %d/%d: has %d rows, and the first has %d", k, len(shards), len(of),
				len(rows))
		}
		for i, r := range of {
			rows[i].Time = r.Time
			rows[i].add(r.fractionRow)
		}
	}
	return s.writeSummary(rows, table)
}

// writeSummary writes the summary rows of all points of a sweep.
func (s *Experiment) writeSummary(rows []SummaryRow, table data.Sink) error {
	for _, p := range s.points(0) {
		horizon, every, _ := p.layersSaved() // valid, as Validate has checked all points
		n := len(momentsOf(horizon, every))
		if len(rows) < n {
			return run.ErrNoRows
		}
		for k := range rows[:n] {
			rows[k].estimate(p.Tokens)
		}
		if err := data.WriteRows(p.sink(s.axes(), table), rows[:n]...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// summaryRows returns the rows of all parts of a summary table.
func summaryRows(next func() (*data.Table, error)) (rows []SummaryRow, err error) {
	for part, err := range data.Parts(next) {
		if err != nil {
			return nil, err
		}
		of, err := data.RowsOf[SummaryRow](part)
		if err != nil {
			return nil, err
		}
		rows = append(rows, of...)
	}
	return rows, nil
}

// digestSummary returns the digest of a summary table, which has the counts of the summary. The digest of a
// sweep has only the counts at the horizon.
func (s *Experiment) digestSummary(
	schema data.Schema, next func() (*data.Table, error),
) (*data.Table, error) {
	rows, err := summaryRows(next)
	if err != nil {
		return nil, err
	}
	if len(s.axes()) == 0 {
		return digestFrom(schema, lists.Map(rows, func(r SummaryRow) fractionRow { return r.fractionRow }))
	}
	var ends []sweptRow
	for _, r := range rows {
		if r.Time >= s.Horizon {
			ends = append(ends, sweptRow{Point: int64(len(ends)), fractionRow: r.fractionRow})
		}
	}
	if n := len(s.points(0)); len(rows) > 0 && len(ends) != n {
		return nil, fmt.Errorf("%d points at the horizon of %d", len(ends), n)
	}
	return digestFrom(schema, ends)
}
