package stability

import (
	"errors"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
)

// withoutTheory is a question whose theory fails.
type withoutTheory struct{ question }

var errNoTheory = errors.New("no theory")

func (withoutTheory) fill(*Row, []passage) error { return errNoTheory }

// A cell without theory ends the run with its error, and has no row.
func TestCellWithoutTheory(t *testing.T) {
	s := New()
	questions, err := s.questions()
	if err != nil {
		t.Fatal(err)
	}
	table := data.NewTable(run.Schema(s, 1))
	if err := writeCell(table, withoutTheory{questions[0]}, nil); err != errNoTheory || table.Rows() != 0 {
		t.Errorf("error %v, %d rows", err, table.Rows())
	}
}
