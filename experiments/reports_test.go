package experiments

import (
	"errors"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// narrow is a writer with room for a number of bytes.
type narrow struct{ left int }

func (w *narrow) Write(p []byte) (int, error) {
	if len(p) > w.left {
		n := w.left
		w.left = 0
		return n, errWrite
	}
	w.left -= len(p)
	return len(p), nil
}

// A report for which there is no room, not even for its last byte, is an error.
func TestReportsWithoutRoom(t *testing.T) {
	for _, e := range All() {
		name := e.Name()
		table := smallTable(t, name)
		var text strings.Builder
		must.Do(t, smallOf(t, name).Describe(&text, table))
		for _, room := range []int{text.Len() / 2, text.Len() - 1} {
			if err := smallOf(t, name).Describe(&narrow{room}, table); !errors.Is(err, errWrite) {
				t.Errorf("%s: with room for %d of %d bytes: error %v", name, room, text.Len(), err)
			}
		}
	}
}
