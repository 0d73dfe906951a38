package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"syscall"
	"testing"
)

// The log has a line for each record of its level or above: warnings say so, and attributes follow in the
// order in which they were given, those of the log first.
func TestLog(t *testing.T) {
	var w bytes.Buffer
	log := NewLog(&w, slog.LevelInfo).With("run", 3).WithGroup("of").With("b", "x y")
	log.Debug("too little")
	log.Info("begins", "seed", 5)
	log.Warn("slow")
	log.Error("broken", "file", "a.arrow", "error", "none")
	const want = "antipode: begins run=3 b=\"x y\" seed=5\n" +
		"antipode: warning: slow run=3 b=\"x y\"\n" +
		"antipode: warning: broken run=3 b=\"x y\" file=a.arrow error=none\n"
	if w.String() != want {
		t.Errorf("%s", &w)
	}
	if log := NewLog(&w, slog.LevelWarn); log.Enabled(t.Context(), slog.LevelInfo) ||
		!log.Enabled(t.Context(), slog.LevelWarn) {
		t.Error("the level is not the least that is written")
	}
}

// Where standard output is no terminal, lines are not broken; elsewhere they are, and an error of a write is
// returned.
func TestBreakingLines(t *testing.T) {
	var plain bytes.Buffer
	if w := Wrapping(&plain); w != &plain {
		t.Errorf("lines are broken without a terminal: %v", w)
	}
	var text strings.Builder
	const line = "three short words\n"
	if n, err := (breaking{&text, 10}).Write([]byte(line)); n != len(line) || err != nil ||
		text.String() != "three\nshort\nwords\n" {
		t.Errorf("%q: %d, %v", &text, n, err)
	}
	broken := errors.New("broken")
	if _, err := (breaking{&failing{broken}, 10}).Write([]byte(line)); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// Nobody reads standard output if both the first error and the given one say so.
func TestUnread(t *testing.T) {
	pipe, other := fmt.Errorf("write: %w", syscall.EPIPE), errors.New("broken")
	for _, test := range []struct {
		first, given error
		unread       bool
	}{{pipe, pipe, true}, {other, pipe, false}, {pipe, other, false}, {nil, pipe, false},
		{pipe, nil, false}} {
		o := &Output{Writer: &failing{test.first}}
		o.Write(nil)
		if o.Unread(test.given) != test.unread {
			t.Errorf("%v after %v: unread %v", test.given, test.first, !test.unread)
		}
	}
}

// More than a day is left in days, a day and less on a clock; one cell is not counted, and two are.
func TestReportsAtTheirLimits(t *testing.T) {
	for seconds, want := range map[float64]string{86400: "about 24h0m0s left", 200_000: "about 2 days left"} {
		if got := (report{Left: &seconds}).left(); got != want {
			t.Errorf("%g s: %s, want %s", seconds, got, want)
		}
	}
	for all, want := range map[int]string{0: "", 1: "", 2: "1 of 2 cells"} {
		if got := (report{Cells: 1, AllCells: all}).cells(); got != want {
			t.Errorf("%d cells: %q", all, got)
		}
	}
}
