package simulate

import (
	"fmt"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere"
)

// The tables of Simulate.
const (
	saveOutcomes = "outcomes"
	saveOverlaps = "overlaps"
	saveStates   = "states"
)

var saveNames = []string{saveOutcomes, saveOverlaps, saveStates}

// mostStates is the largest number of tokens whose states are saved: each is a
// column.
const mostStates = 1000

// saved is what a trajectory leaves: of each time an outcome, or so many numbers.
type saved struct {
	outcomes []outcomes.Seen
	numbers  []float64
}

// savedCodec keeps what trajectories leave.
var savedCodec = run.Codec[saved]{
	Append: func(bytes []byte, row saved) []byte {
		return run.AppendFloats(outcomes.SeenCodec.Append(bytes, row.outcomes), row.numbers)
	},
	Read: func(d *run.Decoder) saved { return saved{outcomes.SeenCodec.Read(d), d.Floats()} },
}

// savedTable is one of the tables of Simulate, but for the columns that all have.
type savedTable interface {
	columns() []data.Column
	rowsPerTime() float64 // rows of a trajectory at one time
	bytesPerRow() float64 // of the file
	bytesKept() float64   // of memory, for a trajectory at one time
	// keeper returns the function that adds the tokens x at the next of so many
	// times to what a trajectory leaves. It serves one goroutine.
	keeper(times int) func(row *saved, v *sde.View)
	// add adds the rows of the k-th time to the table's part in memory and returns
	// their number.
	add(k int, row saved) int
	// take returns the values of that part, a slice a column, and empties it; the
	// slices are valid until the next add.
	take() []data.Values
}

// newTable returns the table that is to be saved.
func (s *Simulate) newTable() (savedTable, error) {
	switch s.Save {
	case saveOverlaps:
		if s.Tokens < 2 {
			return nil, &parameter.Error{Parameter: "save", Value: s.Save, Problem: "one token has no overlaps; must be outcomes or states"}
		}
		return &overlapTable{tokens: int(s.Tokens), dim: int(s.Dim)}, nil
	case saveStates:
		if s.Tokens > mostStates {
			return nil, &parameter.Error{Parameter: "save", Value: s.Save, Problem: fmt.Sprintf(
				"%d tokens would be as many columns; must be outcomes or overlaps for more than %d tokens", s.Tokens, mostStates)}
		}
		return &stateTable{tokens: int(s.Tokens), dim: int(s.Dim), parts: make([][]float64, s.Tokens)}, nil
	}
	return &outcomeTable{tokens: int(s.Tokens), dim: int(s.Dim), tolerance: s.Tolerance}, nil
}

// outcomeTable has a row for each trajectory and time.
type outcomeTable struct {
	tokens, dim int
	tolerance   float64
	outcomes    []int8
	pairs       []int32
}

func (t *outcomeTable) columns() []data.Column {
	return []data.Column{
		{Name: "outcome", Kind: data.Label, Labels: sphere.OutcomeNames, Meaning: "single: all overlaps ≥ 1-τ; antipodal: all within τ of ±1, both occur; unclustered: neither"},
		{Name: "antipodal_pair", Kind: data.Int32, Meaning: "1 if at least one pair of tokens has overlap ≤ -1+τ, else 0"},
	}
}

func (t *outcomeTable) rowsPerTime() float64 { return 1 }
func (t *outcomeTable) bytesPerRow() float64 { return 8 + 8 + 1 + 4 }
func (t *outcomeTable) bytesKept() float64   { return 2 }

func (t *outcomeTable) keeper(times int) func(row *saved, v *sde.View) {
	return func(row *saved, v *sde.View) {
		if row.outcomes == nil {
			row.outcomes = make([]outcomes.Seen, 0, times)
		}
		outcome, pair := v.Outcome(t.tolerance)
		row.outcomes = append(row.outcomes, outcomes.Seen{Outcome: outcome, Pair: pair})
	}
}

func (t *outcomeTable) add(k int, row saved) int {
	pair := int32(0)
	if row.outcomes[k].Pair {
		pair = 1
	}
	t.outcomes, t.pairs = append(t.outcomes, int8(row.outcomes[k].Outcome)), append(t.pairs, pair)
	return 1
}

func (t *outcomeTable) take() []data.Values {
	part := []data.Values{data.Slice[int8](t.outcomes), data.Slice[int32](t.pairs)}
	t.outcomes, t.pairs = t.outcomes[:0], t.pairs[:0]
	return part
}

// overlapTable has a row for each trajectory, time and pair of tokens.
type overlapTable struct {
	tokens, dim   int
	first, second []int32
	overlaps      []float64
}

func (t *overlapTable) columns() []data.Column {
	return []data.Column{
		{Name: "i", Kind: data.Int32, Meaning: "first token of the pair, from 1"},
		{Name: "j", Kind: data.Int32, Meaning: "second token of the pair, above i"},
		{Name: "z", Kind: data.Float64, Meaning: "their overlap ⟨x_i, x_j⟩"},
	}
}

func (t *overlapTable) pairs() int { return t.tokens * (t.tokens - 1) / 2 }

func (t *overlapTable) rowsPerTime() float64 { return float64(t.pairs()) }
func (t *overlapTable) bytesPerRow() float64 { return 8 + 8 + 4 + 4 + 8 }
func (t *overlapTable) bytesKept() float64   { return 8 * float64(t.pairs()) }

func (t *overlapTable) keeper(times int) func(row *saved, v *sde.View) {
	return func(row *saved, v *sde.View) {
		if row.numbers == nil {
			row.numbers = make([]float64, 0, times*t.pairs())
		}
		for i := range t.tokens {
			for j := i + 1; j < t.tokens; j++ {
				row.numbers = append(row.numbers, v.Overlap(i, j))
			}
		}
	}
}

func (t *overlapTable) add(k int, row saved) int {
	t.overlaps = append(t.overlaps, row.numbers[k*t.pairs():(k+1)*t.pairs()]...)
	for i := 1; i <= t.tokens; i++ {
		for j := i + 1; j <= t.tokens; j++ {
			t.first, t.second = append(t.first, int32(i)), append(t.second, int32(j))
		}
	}
	return t.pairs()
}

func (t *overlapTable) take() []data.Values {
	part := []data.Values{data.Slice[int32](t.first), data.Slice[int32](t.second), data.Slice[float64](t.overlaps)}
	t.first, t.second, t.overlaps = t.first[:0], t.second[:0], t.overlaps[:0]
	return part
}

// stateTable has a row for each trajectory and time, and a column for each token.
type stateTable struct {
	tokens, dim int
	parts       [][]float64 // of each token
}

func (t *stateTable) columns() []data.Column {
	columns := make([]data.Column, t.tokens)
	for i := range columns {
		columns[i] = data.Column{
			Name: stateColumn(i), Kind: data.Vector, Length: t.dim,
			Meaning: fmt.Sprintf("token %d, a unit vector", i+1),
		}
	}
	return columns
}

// stateColumn is the name of the column of token i, counted from 0.
func stateColumn(i int) string { return fmt.Sprintf("x%d", i+1) }

func (t *stateTable) rowsPerTime() float64 { return 1 }
func (t *stateTable) bytesPerRow() float64 { return 8 + 8 + t.bytesKept() }
func (t *stateTable) bytesKept() float64   { return 8 * float64(t.tokens) * float64(t.dim) }

func (t *stateTable) keeper(times int) func(row *saved, v *sde.View) {
	return func(row *saved, v *sde.View) {
		x := v.Tokens()
		if row.numbers == nil {
			row.numbers = make([]float64, 0, times*len(x))
		}
		row.numbers = append(row.numbers, x...)
	}
}

func (t *stateTable) add(k int, row saved) int {
	for i := range t.parts {
		at := (k*t.tokens + i) * t.dim
		t.parts[i] = append(t.parts[i], row.numbers[at:at+t.dim]...)
	}
	return 1
}

func (t *stateTable) take() []data.Values {
	part := make([]data.Values, t.tokens)
	for i := range t.parts {
		part[i] = data.Slice[float64](t.parts[i])
		t.parts[i] = t.parts[i][:0]
	}
	return part
}

// rowSink hands the rows of a table on in parts of about a megabyte.
type rowSink struct {
	table        savedTable
	sink         data.Sink
	trajectories []int64
	times        []float64
}

const partBytes = 1 << 20

func (s *rowSink) add(trajectory int64, time float64, k int, row saved) error {
	for range s.table.add(k, row) {
		s.trajectories, s.times = append(s.trajectories, trajectory), append(s.times, time)
	}
	if float64(len(s.times))*s.table.bytesPerRow() < partBytes {
		return nil
	}
	return s.flush()
}

func (s *rowSink) flush() error {
	part := append([]data.Values{data.Slice[int64](s.trajectories), data.Slice[float64](s.times)}, s.table.take()...)
	s.trajectories, s.times = s.trajectories[:0], s.times[:0]
	return s.sink.Write(part...)
}
