//go:build long

package experiments

import (
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"antipode/experiments/run"
)

// The figure of a table whose later rows are missing, as in a run that is still going on or a filtered table,
// is drawn or refused with a message, without a panic.
func TestFiguresOfAPart(t *testing.T) {
	for _, e := range All() {
		_, table, err := Read(filepath.Join("testdata", "tables", run.Version, e.Name()+".arrow"))
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range []int{0, 1, table.Rows() / 2} {
			func() {
				defer func() {
					if reason := recover(); reason != nil {
						t.Errorf("%s, %d of %d rows: %v", e.Name(), rows, table.Rows(), reason)
					}
				}()
				if f, err := e.Draw(table.Slice(0, rows)); err == nil {
					err = f.WriteSVG(io.Discard)
					if err != nil {
						t.Errorf("%s, %d rows: %v", e.Name(), rows, err)
					}
				} else if fmt.Sprint(err) == "" {
					t.Errorf("%s, %d rows: refused without words", e.Name(), rows)
				}
			}()
		}
	}
}
