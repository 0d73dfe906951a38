//go:build linux

package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/field"
	"antipode/experiments/run"
	"antipode/sphere/must"

	"golang.org/x/sys/unix"
)

// pseudoTerminal returns both ends of a pseudoterminal with the given number of columns.
func pseudoTerminal(t *testing.T, columns int) (keyboard, screen *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { keyboard.Close() })
	fd := int(keyboard.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	if screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	size := &unix.Winsize{Row: 24, Col: uint16(columns)}
	must.Do(t, unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, size))
	return keyboard, screen
}

// On a terminal the first bar shows the work done so far, in the terminal's width, and Finish clears it.
func TestBarOnATerminal(t *testing.T) {
	keyboard, screen := pseudoTerminal(t, 50)
	p := NewProgress(&Output{Writer: screen}, "stable-rank", Auto)
	p.start, p.nextOne = p.start.Add(-8*time.Second), p.start
	p.Update(run.State{Done: 8, Total: 21})
	p.Update(run.State{Done: 9, Total: 21}) // too soon to be drawn
	p.Finish()
	fmt.Fprint(screen, "end")
	const want = "\rstable-rank 38 % |█████          | about 13s left\r" +
		"                                                 \rend"
	if got := typed(t, keyboard, len(want)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, style := range []string{Lines, JSON} {
		if NewProgress(&Output{Writer: screen}, "stable-rank", style).bar != nil {
			t.Errorf("a bar where %s are asked for", style)
		}
	}
}

// typed returns what the terminal shows once that has at least length bytes.
func typed(t *testing.T, keyboard *os.File, length int) string {
	t.Helper()
	got := make([]byte, 10*length)
	n := 0
	for n < length {
		more := must.Get(keyboard.Read(got[n:]))(t)
		n += more
	}
	return string(got[:n])
}

// On a terminal, the sentences of a report are broken between words to fit; elsewhere each stays on one line.
func TestReportOnATerminal(t *testing.T) {
	e := field.New()
	table := experimenttest.Table(t, e, run.Options{})
	const want = "At 24 points of the circle the\r\ntangential component of the field ranges\r\n" +
		"from 0.02468 (at 60.0°) to 0.5952 (at\r\n150.0°).\r\n"
	keyboard, screen := pseudoTerminal(t, 40)
	must.Do(t, Describe(&Output{Writer: screen}, e, table))
	if got := typed(t, keyboard, len(want)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var plain strings.Builder
	if err := Describe(&Output{Writer: &plain}, e, table); err != nil ||
		strings.Count(plain.String(), "\n") != 1 {
		t.Errorf("%q, %v", &plain, err)
	}
}

// silent is an experiment whose report begins and then fails.
type silent struct{ *field.Experiment }

var errSilent = errors.New("nothing to say")

func (silent) Describe(w io.Writer, _ *data.Table) error {
	fmt.Fprintln(w, "begun")
	return errSilent
}

// On a terminal, the lines of a report that is printed during the run are broken too. Of a report that fails,
// nothing is printed there, and elsewhere what was printed stays; the error is the same.
func TestWrappingOnATerminal(t *testing.T) {
	keyboard, screen := pseudoTerminal(t, 10)
	if err := Describe(screen, silent{field.New()}, nil); !errors.Is(err, errSilent) {
		t.Errorf("a report that fails: %v", err)
	}
	var plain strings.Builder
	if err := Describe(&plain, silent{field.New()}, nil); !errors.Is(err, errSilent) ||
		plain.String() != "begun\n" {
		t.Errorf("elsewhere: %v, %q", err, &plain)
	}
	fmt.Fprintln(Wrapping(&Output{Writer: screen}), "three short words")
	fmt.Fprint(screen, "the end")
	const want = "three\r\nshort\r\nwords\r\n"
	if got := typed(t, keyboard, len(want)); !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A terminal of at least two columns has its width; one that does not know its width, and what is none, count
// as 80 columns wide.
func TestColumns(t *testing.T) {
	for columns, want := range map[int]int{0: 80, 1: 80, 2: 2, 132: 132} {
		if _, screen := pseudoTerminal(t, columns); columnsOf(screen) != want {
			t.Errorf("%d columns count as %d", columns, columnsOf(screen))
		}
	}
	null := must.Get(os.OpenFile(os.DevNull, os.O_WRONLY, 0))(t)
	defer null.Close()
	if got := columnsOf(null); got != 80 {
		t.Errorf("no terminal counts as %d columns", got)
	}
}
