package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"antipode/experiments/run"
)

// Progress is written as lines or as JSON. Work restored from an earlier run counts as done, but not for the
// estimate of the time left.
func TestProgress(t *testing.T) {
	outcome := func() string { return "antipodal 0.250 of 8" }
	for _, test := range []struct {
		state       run.State
		lines, json string
	}{
		{run.State{Done: 2_500_000, Total: 10_000_000, Cells: 3, AllCells: 12, Outcome: outcome},
			"antipode: phase 25 % done, about 30s left, 3 of 12 cells, 2.5e+05 layers/s, " +
				"antipodal 0.250 of 8\n",
			`"done":0.25,"seconds":10,"seconds_left":30,"cells":3`},
		{run.State{Done: 6_000_000, Restored: 5_000_000, Total: 10_000_000, Cells: 3, AllCells: 12},
			"antipode: phase 60 % done, about 40s left, 3 of 12 cells, 1e+05 layers/s\n",
			`"done":0.6,"seconds":10,"seconds_left":40,"cells":3`},
		{run.State{Done: 5_000_000, Restored: 5_000_000, Total: 10_000_000},
			"antipode: phase 50 % done, time left not known\n",
			`"done":0.5,"seconds":10,"seconds_left":null}`},
		{run.State{Done: 3, Restored: 1, Total: 4}, "antipode: phase 75 % done, about 5s left\n",
			`"seconds_left":5}`},
	} {
		for style, want := range map[string]string{Lines: test.lines, JSON: test.json} {
			var text bytes.Buffer
			p := NewProgress(&text, "phase", style)
			p.write(p.report(p.start.Add(10*time.Second), test.state))
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: %q, want %q", style, &text, want)
			}
			if style == JSON && !json.Valid(text.Bytes()) {
				t.Errorf("not JSON: %s", &text)
			}
		}
	}
}

// A short run writes no progress, except in JSON, where the end is always reported, also that of an
// interrupted run.
func TestShortProgress(t *testing.T) {
	for style, lines := range map[string]int{Auto: 0, Lines: 0, JSON: 1} {
		for end, done := range map[int64]string{1: `"done":0.5`, 2: `"done":1`} {
			var text bytes.Buffer
			p := NewProgress(&text, "field", style)
			for k := range end {
				p.Update(run.State{Done: k + 1, Total: 2})
			}
			p.Finish()
			if strings.Count(text.String(), "\n") != lines || lines > 0 &&
				!strings.Contains(text.String(), done+",") {
				t.Errorf("%s: %q", style, &text)
			}
		}
	}
}

// Progress is first shown after two seconds. Then there is a line every ten seconds, or a JSON object every
// second, and one at the end.
func TestTimesOfProgress(t *testing.T) {
	for style, shown := range map[string][]int{Lines: {2, 12, 22},
		JSON: {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 24}} {
		synctest.Test(t, func(t *testing.T) {
			var text bytes.Buffer
			p := NewProgress(&text, "phase", style)
			for half := range 49 { // one percent a second
				p.Update(run.State{Done: int64(half), Total: 200})
				if half < 48 {
					time.Sleep(time.Second / 2)
				}
			}
			p.Finish()
			lines := strings.SplitAfter(text.String(), "\n")
			if len(lines) != len(shown)+1 {
				t.Fatalf("%s: %q", style, lines)
			}
			for k, second := range shown {
				want := fmt.Sprintf("antipode: phase %d %% done, ", second)
				if style == JSON {
					want = fmt.Sprintf(`{"command":"phase","done":%g,"seconds":%d,`,
						float64(second)/100, second)
				}
				if !strings.HasPrefix(lines[k], want) {
					t.Errorf("%q, want %q", lines[k], want)
				}
			}
		})
	}
}
