package terminal

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// reports returns reports with short and long command names, some with all that a report can say and some
// with little.
func reports() []report {
	seconds := 83.4
	return []report{
		{Command: "phase", Done: 8. / 21, Left: &seconds, Cells: 12, AllCells: 45, Layers: 4.21e5,
			Outcome: "antipodal 0.250, single 0.500 of 8"},
		{Command: "width-gradients", Done: 0.004, Cells: 1, AllCells: 1000},
		{Command: "propagation", Done: 0.999, Left: &seconds},
		{Command: "weak", Done: 1, Left: new(float64)},
	}
}

// In every width from 40 columns on, a line has the percentage and a bar of at least about a quarter of the
// width, and is one column narrower than the terminal.
func TestBarFitsTheTerminal(t *testing.T) {
	heads := map[float64]string{
		8. / 21: "phase 38 % ", 0.004: "width-gradients  0 % ", 0.999: "propagation 99 % ", 1: "weak 100 % ",
	}
	for _, r := range reports() {
		for columns := 40; columns <= 200; columns++ {
			line := r.line(columns)
			if got := utf8.RuneCountInString(line); got != columns-1 {
				t.Fatalf("%d columns: %d characters, %q", columns, got, line)
			}
			head, rest, _ := strings.Cut(line, "|")
			bar, _, closed := strings.Cut(rest, "|")
			if length := utf8.RuneCountInString(bar); !closed || length < columns/4-1 {
				t.Errorf("%d columns: no bar, or a short one: %q", columns, line)
			} else if done := float64(strings.Count(bar, "█")); !(math.Abs(done-r.Done*float64(length)) <=
				1) {
				t.Errorf("%d columns: the bar is not at %v: %q", columns, r.Done, line)
			}
			if head != heads[r.Done] {
				t.Errorf("%d columns: %q, want %q", columns, head, heads[r.Done])
			}
		}
	}
}

// In a narrow terminal parts of the line are left out: the speed first, the time left last.
func TestBarKeepsWhatMattersMost(t *testing.T) {
	r := reports()[0]
	const tail = " about 1m23s left, 12 of 45 cells"
	for columns, want := range map[int]string{
		20: "phase 38 % |██    |",
		40: "phase 38 % |███      | about 1m23s left",
		60: "phase 38 % |███████████                  | about 1m23s left",
		80: "phase 38 % |████████████                     |" + tail,
		120: "phase 38 % |██████████████                       |" + tail +
			", antipodal 0.250, single 0.500 of 8",
		150: tail + ", 4.21e+05 layers/s, antipodal 0.250, single 0.500 of 8",
	} {
		if got := r.line(columns); !strings.HasSuffix(got, want) {
			t.Errorf("%d columns: %q, want %q", columns, got, want)
		}
	}
	for _, columns := range []int{2, 5, 11, 12} { // no room for a bar
		if got := r.line(columns); got != "phase 38 % |"[:columns-1] {
			t.Errorf("%d columns: %q", columns, got)
		}
	}
}

// Only a run that has nothing left to do is reported as 100 %.
func TestPercent(t *testing.T) {
	for done, want := range map[float64]int{0: 0, 0.29: 29, 0.994: 99, 0.999999: 99, 1: 100} {
		if got := (report{Done: done}).percent(); got != want {
			t.Errorf("%v: %d %%, want %d", done, got, want)
		}
	}
}

// Long times left are given in days or years, since a clock would be hard to read or overflow.
func TestTimeLeft(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "about 0s left", 83.4: "about 1m23s left", 7199: "about 1h59m59s left",
		3e5: "about 3 days left", 1e15: "about 31709792 years left",
	} {
		if got := (report{Left: &seconds}).left(); got != want {
			t.Errorf("%v s: %q, want %q", seconds, got, want)
		}
	}
}
