package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"antipode/experiments/run"
)

// Progress shows how much of a run is done: by a bar on a terminal, by a line from time to time elsewhere, or
// by JSON objects, one per line. The progress of a run of one or two seconds is shown only in JSON. The last
// JSON object always says how much of the run was done.
type Progress struct {
	w       io.Writer
	name    string
	style   string
	start   time.Time
	bar     *bar // bar on a terminal; nil if lines are written
	shown   bool
	nextOne time.Time
	state   run.State // last reported state
}

// The constants Auto, Lines and JSON are the forms in which the progress of a run is shown.
const (
	Auto  = "auto" // a bar on a terminal, lines elsewhere
	Lines = "lines"
	JSON  = "json"
)

// Styles are all forms in which the progress of a run can be shown.
var Styles = []string{Auto, Lines, JSON}

const (
	firstProgress = 2 * time.Second
	betweenLines  = 10 * time.Second
	betweenJSON   = time.Second // shorter, because a program reads the objects
	betweenBars   = 200 * time.Millisecond
)

// NewProgress begins to show the progress of the named run on w, in one of Styles.
func NewProgress(w io.Writer, name, style string) *Progress {
	now := time.Now()
	p := &Progress{w: w, name: name, style: style, start: now, nextOne: now.Add(firstProgress)}
	if screen := Screen(w); screen != nil && style == Auto {
		p.bar = &bar{screen}
	}
	return p
}

// report is a report of the progress of a run. Work restored from earlier runs counts as done, but does not
// count for the speed of this run.
type report struct {
	Command  string   `json:"command"`
	Done     float64  `json:"done"` // fraction of the work, from 0 to 1
	Elapsed  float64  `json:"seconds"`
	Left     *float64 `json:"seconds_left"` // nil as long as this run has done nothing
	Cells    int      `json:"cells,omitempty"`
	AllCells int      `json:"all_cells,omitempty"`
	Layers   float64  `json:"layers_per_second,omitempty"` // layers of all trajectories together
	Outcome  string   `json:"outcome,omitempty"`
}

// Update records the work of the run done so far, and shows it from time to time.
func (p *Progress) Update(state run.State) {
	p.state = state
	now := time.Now()
	if now.Before(p.nextOne) {
		return
	}
	r := p.report(now, state)
	if p.bar == nil {
		p.nextOne = now.Add(betweenLines)
		if p.style == JSON {
			p.nextOne = now.Add(betweenJSON)
		}
		p.write(r)
		return
	}
	p.shown, p.nextOne = true, now.Add(betweenBars)
	p.bar.draw(r)
}

func (p *Progress) report(now time.Time, state run.State) report {
	elapsed := now.Sub(p.start).Seconds()
	r := report{
		Command: p.name, Done: state.Share(), Elapsed: elapsed,
		Cells: state.Cells, AllCells: state.AllCells,
	}
	if left, known := state.SecondsLeft(elapsed); known {
		r.Left = &left
		if state.AllCells > 0 {
			r.Layers = float64(state.Done-state.Restored) / max(elapsed, 1e-9)
		}
	}
	if state.Outcome != nil {
		r.Outcome = state.Outcome()
	}
	return r
}

// enumerate joins the parts of a text that are not empty, with commas between them.
func enumerate(parts []string) string {
	said := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return part == "" })
	return strings.Join(said, ", ")
}

// percent returns the percentage of the work that is done. The percentage is 100 only if all work is done.
func (r report) percent() int {
	if r.Done < 1 {
		return min(int(math.Round(100*r.Done)), 99)
	}
	return 100
}

// left returns the remaining time of the run in words.
func (r report) left() string {
	const day = 24 * 3600
	switch {
	case r.Left == nil:
		return "time left not known"
	case *r.Left > day:
		return fmt.Sprintf("about %s left", run.InWords(*r.Left))
	}
	return fmt.Sprintf("about %v left", time.Duration(*r.Left*float64(time.Second)).Round(time.Second))
}

// cells returns a text with the number of cells of the run that are done, or "" if the run has only one cell.
func (r report) cells() string {
	if r.AllCells < 2 {
		return ""
	}
	return fmt.Sprintf("%d of %d cells", r.Cells, r.AllCells)
}

func (r report) speed() string {
	if r.Layers == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g layers/s", r.Layers)
}

// write writes a report of progress in the chosen style.
func (p *Progress) write(r report) {
	if p.style == JSON {
		if text, err := json.Marshal(r); err == nil {
			fmt.Fprintf(p.w, "%s\n", text)
		}
		return
	}
	done := fmt.Sprintf("%s %d %% done", p.name, r.percent())
	Say(p.w, enumerate([]string{done, r.left(), r.cells(), r.speed(), r.Outcome}))
}

// Finish ends the progress of a run: it removes the bar, or writes the last JSON object.
func (p *Progress) Finish() {
	if p.bar != nil && p.shown {
		p.bar.clear()
	}
	if p.style == JSON {
		p.write(p.report(time.Now(), p.state))
	}
}
