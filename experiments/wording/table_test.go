package wording

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// full is a writer whose writes fail after a given number of them.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errors.New("no room")
	}
	return len(p), nil
}

func TestTable(t *testing.T) {
	var text strings.Builder
	table := NewTable(&text)
	fmt.Fprintln(table, "d\tβ\t")
	fmt.Fprintln(table, "12\t0.5\t")
	must.Do(t, table.End("Below."))
	if want := "   d    β\n  12  0.5\nBelow.\n"; text.String() != want {
		t.Errorf("%q, want %q", text.String(), want)
	}
	if err := NewTable(&full{}).End("text"); err == nil {
		t.Error("a text for which there is no room")
	}
	table = NewTable(&full{})
	fmt.Fprintln(table, "x\t")
	if err := table.End(""); err == nil {
		t.Error("a table for which there is no room")
	}
}

func TestSpaced(t *testing.T) {
	for count, want := range map[int]string{
		0: "[]", 1: "[0]", 3: "[0 1 2]", 4: "[0 2 3]", 5: "[0 2 4]", 8: "[0 3 6 7]",
	} {
		if got := fmt.Sprint(Spaced(count, 4)); got != want {
			t.Errorf("of %d rows %s, want %s", count, got, want)
		}
	}
}
