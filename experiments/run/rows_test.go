package run

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/sphere/must"
)

// The columns of a shard's table are the same as in older versions.
func TestPieceColumns(t *testing.T) {
	want := []data.Column{
		{Name: "piece", Kind: data.Int64,
			Meaning: "piece of the work, from 0, of which a shard has every n-th"},
		{Name: "value", Kind: data.Float64, Nullable: true,
			Meaning: "one of the numbers that the piece yields, in order"},
	}
	got := PieceColumns()
	if !slices.EqualFunc(got, want, func(a, b data.Column) bool {
		return a.Name == b.Name && a.Kind == b.Kind && a.Nullable == b.Nullable && a.Meaning == b.Meaning &&
			a.Unit == b.Unit
	}) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// settable is an experiment with one parameter, which must not be negative.
type settable struct {
	Experiment
	Dim int `json:"dim"`
}

func (s *settable) Parameters() []parameter.Parameter {
	return []parameter.Parameter{{Name: "dim", Former: "width"}, {Name: "layers"}}
}

func (s *settable) Validate() error {
	if s.Dim < 0 {
		return errors.New("dim is negative")
	}
	return nil
}

// ReadRows also sets the parameters from the table. A table without rows, or with parameters that are not
// allowed, is an error.
func TestReadRows(t *testing.T) {
	table := func(parameters string, rows ...pieceRow) *data.Table {
		table := data.NewTable(data.Schema{
			Columns: PieceColumns(), Metadata: []data.Entry{{Key: data.KeyParameters, Value: parameters}},
		})
		must.Do(t, data.WriteRows(table, rows...))
		return table
	}
	e := &settable{}
	rows, err := ReadRows[pieceRow](e, table(`{"dim":7}`, pieceRow{3, 0.5}, pieceRow{4, -1}))
	if err != nil || e.Dim != 7 || !slices.Equal(rows, []pieceRow{{3, 0.5}, {4, -1}}) {
		t.Errorf("%v, %+v, %v", rows, e, err)
	}
	for parameters, want := range map[string]int{`{"width":3,"seed":2}`: 3, `{"width":3,"dim":5}`: 5} {
		if _, err := ReadRows[pieceRow](e, table(parameters, pieceRow{})); err != nil || e.Dim != want {
			t.Errorf("%s: %+v, %v", parameters, e, err)
		}
	}
	if _, err := ReadRows[pieceRow](e, table(`{"dim":7}`)); !errors.Is(err, ErrNoRows) {
		t.Errorf("without rows: %v", err)
	}
	_, err = ReadRows[pieceRow](e, table(`{"dim":-1}`, pieceRow{3, 0.5}))
	if err == nil || !strings.Contains(err.Error(), "dim is negative") {
		t.Errorf("a parameter that is not allowed: %v", err)
	}
}

func TestGroups(t *testing.T) {
	of := func(numbers ...int) [][]int { return Groups(numbers, func(n int) int { return n / 10 }) }
	for want, got := range map[string][][]int{
		"[]": of(), "[[7]]": of(7), "[[1 2] [11] [3]]": of(1, 2, 11, 3), "[[1] [11 12]]": of(1, 11, 12),
	} {
		if fmt.Sprint(got) != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
}
