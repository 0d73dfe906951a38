package simulate

import (
	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
)

// The contents of the table of an experiment, for the parameter save.
const (
	saveOutcomes = "outcomes"
	saveOverlaps = "overlaps"
	saveStates   = "states"

	saveAttention = "attention"
	saveDensity   = "density"
	saveSummary   = "summary"
)

var saveNames = []string{saveOutcomes, saveOverlaps, saveStates, saveAttention, saveDensity, saveSummary}

// mostStates is the greatest number of tokens whose states are saved. The number is bounded because each
// token is a column of the table.
const mostStates = 1000

// saved is what is saved of a trajectory: at each saved time an outcome, or several numbers such as overlaps.
type saved struct {
	outcomes []outcomes.Seen
	numbers  []float64

	// Until the trajectory ends, moments is the number of saved times that have passed, and before holds the
	// tokens at the layer before the next saved time.
	moments int
	before  []float64
}

// roomFor returns an empty result of a trajectory that has room for n numbers.
func roomFor(n int) saved { return saved{numbers: make([]float64, 0, n)} }

// further appends n numbers to the result of a trajectory, which must have room for them, and returns these n
// numbers.
func (s *saved) further(n int) []float64 {
	first := len(s.numbers)
	s.numbers = s.numbers[:first+n]
	return s.numbers[first:]
}

// outcome returns the outcome of a trajectory at the k-th saved time. The outcome stays single once all
// tokens coincide.
func (s saved) outcome(k, tokens int) outcomes.Seen {
	if k < len(s.outcomes) {
		return s.outcomes[k]
	}
	return outcomes.Together(tokens)
}

// savedCodec encodes what is saved of a trajectory for a journal.
var savedCodec = run.Codec[saved]{
	Append: func(bytes []byte, row saved) []byte {
		return run.AppendFloats(outcomes.SeenCodec.Append(bytes, row.outcomes), row.numbers)
	},
	Read: func(d *run.Decoder) saved {
		return saved{outcomes: outcomes.SeenCodec.Read(d), numbers: d.Floats()}
	},
}

// savedTable is one of the kinds of tables of the experiment, such as the table of overlaps.
type savedTable interface {
	columns() []data.Column
	rowsPerTime() float64 // rows for one trajectory at one time
	bytesKept() float64   // bytes in memory for one trajectory at one time
	room(times int) saved // empty result of a trajectory, for a number of times
	// keep adds what is saved of the tokens at the next time to the result of a trajectory.
	keep(row *saved, v *sde.View)
	// writer returns a writer of the rows of the table to a sink.
	writer(sink data.Sink) rowWriter
}

// rowWriter writes the rows of a table in parts of about a megabyte.
type rowWriter interface {
	// add writes the rows of a trajectory at its k-th saved time. The argument at has the index of the
	// trajectory and the time.
	add(at Moment, k int, row saved) error
	// flush writes the rows that have been added but not yet written.
	flush() error
}

// newTable returns the kind of table that the parameter save names.
func (s *Experiment) newTable() (savedTable, error) {
	switch s.Save {
	case saveOverlaps:
		if s.Tokens < 2 {
			return nil, parameter.Errorf("save", s.Save, "one token has no overlaps; must be outcomes or "+
				"states")
		}
		return &overlapTable{tokens: int(s.Tokens)}, nil
	case saveStates:
		if s.Tokens > mostStates {
			return nil, parameter.Errorf("save", s.Save, "%d tokens would be as many columns; must be "+
				"outcomes or overlaps for more than %d tokens", s.Tokens, mostStates)
		}
		return &stateTable{tokens: int(s.Tokens), dim: int(s.Dim)}, nil
	case saveAttention:
		return s.newAttentionTable()
	case saveDensity:
		return &densityTable{tokens: int(s.Tokens)}, nil
	}
	outcomes := outcomeTable{tokens: int(s.Tokens), tolerance: s.Tolerance}
	if s.Save == saveSummary {
		return &summaryTable{outcomes, s.Trajectories}, nil
	}
	return &outcomes, nil
}

// outcomeTable is the table of outcomes. The table has a row for each trajectory and time.
type outcomeTable struct {
	tokens    int
	tolerance float64
}

func (*outcomeTable) columns() []data.Column { return data.ColumnsOf[OutcomeRow]() }

func (t *outcomeTable) rowsPerTime() float64 { return 1 }
func (t *outcomeTable) bytesKept() float64   { return 16 }

func (t *outcomeTable) room(times int) saved {
	return saved{outcomes: make([]outcomes.Seen, 0, times)}
}

func (t *outcomeTable) keep(row *saved, v *sde.View) {
	row.outcomes = append(row.outcomes, outcomes.See(v, t.tolerance))
}

func (t *outcomeTable) writer(sink data.Sink) rowWriter {
	rowsOf := func(rows []OutcomeRow, at Moment, k int, row saved) []OutcomeRow {
		seen, pair := row.outcome(k, t.tokens), int32(0)
		if seen.Pair {
			pair = 1
		}
		return append(rows, OutcomeRow{Moment: at, Outcome: seen.Outcome, Pair: pair,
			Clusters: seen.Clusters, Largest: seen.Largest, Imbalance: seen.Imbalance(t.tokens)})
	}
	return &partWriter[OutcomeRow]{sink: sink, rowsOf: rowsOf, most: rowsPerPart(t)}
}

// overlapTable is the table of overlaps. The table has a row for each trajectory, time and pair of tokens. If
// there are more than two tokens, a row names its pair.
type overlapTable struct{ tokens int }

func (t *overlapTable) columns() []data.Column {
	if t.tokens == 2 {
		return data.ColumnsOf[PairRow]()
	}
	return data.ColumnsOf[OverlapRow]()
}

func (t *overlapTable) pairs() int { return t.tokens * (t.tokens - 1) / 2 }

func (t *overlapTable) rowsPerTime() float64 { return float64(t.pairs()) }
func (t *overlapTable) bytesKept() float64   { return 8 * float64(t.pairs()) }

func (t *overlapTable) room(times int) saved { return roomFor(times * t.pairs()) }

func (t *overlapTable) keep(row *saved, v *sde.View) {
	for i := range t.tokens {
		for j := i + 1; j < t.tokens; j++ {
			row.numbers = append(row.numbers, v.Overlap(i, j))
		}
	}
}

func (t *overlapTable) writer(sink data.Sink) rowWriter {
	if t.tokens == 2 {
		return &partWriter[PairRow]{sink: sink, most: rowsPerPart(t),
			rowsOf: func(rows []PairRow, at Moment, k int, row saved) []PairRow {
				return append(rows, PairRow{at, row.numbers[k]})
			}}
	}
	rowsOf := func(rows []OverlapRow, at Moment, k int, row saved) []OverlapRow {
		overlaps := row.numbers[k*t.pairs() : (k+1)*t.pairs()]
		for i := 1; i <= t.tokens; i++ {
			for j := i + 1; j <= t.tokens; j++ {
				rows = append(rows, OverlapRow{at, int32(i), int32(j), overlaps[0]})
				overlaps = overlaps[1:]
			}
		}
		return rows
	}
	return &partWriter[OverlapRow]{sink: sink, rowsOf: rowsOf, most: rowsPerPart(t)}
}

// stateTable is the table of states of tokens. The table has a row for each trajectory and time, and a column
// for each token.
type stateTable struct{ tokens, dim int }

func (t *stateTable) columns() []data.Column {
	return data.ColumnsOf[StateRow](data.Shape{Count: t.tokens, Length: t.dim})
}

func (t *stateTable) rowsPerTime() float64 { return 1 }
func (t *stateTable) bytesKept() float64   { return 8 * float64(t.tokens) * float64(t.dim) }

func (t *stateTable) room(times int) saved { return roomFor(times * t.tokens * t.dim) }

func (t *stateTable) keep(row *saved, v *sde.View) { row.numbers = append(row.numbers, v.Tokens()...) }

func (t *stateTable) writer(sink data.Sink) rowWriter {
	rowsOf := func(rows []StateRow, at Moment, k int, row saved) []StateRow {
		tokens := make([][]float64, t.tokens)
		for i := range tokens {
			first := (k*t.tokens + i) * t.dim
			tokens[i] = row.numbers[first : first+t.dim]
		}
		return append(rows, StateRow{Moment: at, Tokens: tokens})
	}
	return &partWriter[StateRow]{sink: sink, rowsOf: rowsOf, most: rowsPerPart(t)}
}

const partBytes = 1 << 20

// rowsPerPart returns the number of rows of a table in each part.
func rowsPerPart(t savedTable) float64 { return partBytes / bytesPerRow(t) }

// bytesPerRow returns the size of a row of a table in the file.
func bytesPerRow(t savedTable) float64 { return float64(data.Schema{Columns: t.columns()}.RowBytes()) }

// partWriter is a rowWriter for rows of one type.
type partWriter[Row any] struct {
	sink data.Sink
	// rowsOf appends the rows of a trajectory at its k-th saved time to rows.
	rowsOf func(rows []Row, at Moment, k int, row saved) []Row
	most   float64 // rows of a part; a part also has the other rows of its last time
	rows   []Row
}

func (w *partWriter[Row]) add(at Moment, k int, row saved) error {
	w.rows = w.rowsOf(w.rows, at, k, row)
	if float64(len(w.rows)) < w.most {
		return nil
	}
	return w.flush()
}

func (w *partWriter[Row]) flush() error {
	if len(w.rows) == 0 {
		return nil
	}
	err := data.WriteRows(w.sink, w.rows...)
	w.rows = w.rows[:0]
	return err
}
