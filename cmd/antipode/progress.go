package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"antipode/experiments/run"

	"github.com/schollz/progressbar/v3"
)

// progress shows how much of a run is done: a bar on a terminal, elsewhere a line
// now and then, or JSON objects, one a line. A run of a second or two shows nothing, but
// for JSON, whose last object says how far it has come in the end.
type progress struct {
	w       io.Writer
	name    string
	style   string
	start   time.Time
	bar     *progressbar.ProgressBar // nil where lines are written
	shown   bool
	nextOne time.Time
	state   run.State // the last one told of
}

const (
	firstProgress = 2 * time.Second
	betweenLines  = 10 * time.Second
	betweenBars   = 200 * time.Millisecond
)

func newProgress(w io.Writer, name, style string) *progress {
	now := time.Now()
	p := &progress{w: w, name: name, style: style, start: now, nextOne: now.Add(firstProgress)}
	if style == progressAuto && isTerminal(w) {
		p.bar = progressbar.NewOptions64(1,
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetDescription(name),
			progressbar.OptionSetPredictTime(false), // from all that is done, also by earlier runs
			progressbar.OptionFullWidth(),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond))
	}
	return p
}

// report is how far a run has come. What earlier runs had done counts as done, but says
// nothing of how fast this one is.
type report struct {
	Command  string   `json:"command"`
	Done     float64  `json:"done"` // of 1
	Elapsed  float64  `json:"seconds"`
	Left     *float64 `json:"seconds_left"` // null while nothing is done but by earlier runs
	Cells    int      `json:"cells,omitempty"`
	AllCells int      `json:"all_cells,omitempty"`
	Layers   float64  `json:"layers_per_second,omitempty"` // of all trajectories together
	Outcome  string   `json:"outcome,omitempty"`
}

// update is told of the work done so far.
func (p *progress) update(state run.State) {
	p.state = state
	now := time.Now()
	if now.Before(p.nextOne) {
		return
	}
	r := p.report(now, state)
	if p.bar == nil {
		p.nextOne = now.Add(betweenLines)
		p.write(r)
		return
	}
	p.shown, p.nextOne = true, now.Add(betweenBars)
	p.bar.Describe(r.head())
	p.bar.ChangeMax64(state.Total)
	_ = p.bar.Set64(state.Done) // a bar that cannot be drawn is no reason to stop
}

func (p *progress) report(now time.Time, state run.State) report {
	elapsed := now.Sub(p.start).Seconds()
	r := report{
		Command: p.name, Done: float64(state.Done) / float64(max(state.Total, 1)), Elapsed: elapsed,
		Cells: state.Cells, AllCells: state.AllCells,
	}
	if worked := state.Done - state.Recalled; worked > 0 {
		left := elapsed * float64(state.Total-state.Done) / float64(worked)
		r.Left = &left
		if state.AllCells > 0 {
			r.Layers = float64(worked) / max(elapsed, 1e-9)
		}
	}
	if state.Outcome != nil {
		r.Outcome = state.Outcome()
	}
	return r
}

// head is the report without what a bar shows itself.
func (r report) head() string {
	parts := []string{r.Command, r.left()}
	if r.AllCells > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d cells", r.Cells, r.AllCells))
	}
	if r.Layers > 0 {
		parts = append(parts, fmt.Sprintf("%.3g layers/s", r.Layers))
	}
	if r.Outcome != "" {
		parts = append(parts, r.Outcome)
	}
	return strings.Join(parts, ", ")
}

// left is the time left in words.
func (r report) left() string {
	if r.Left == nil {
		return "time left not known"
	}
	return fmt.Sprintf("about %v left", time.Duration(*r.Left*float64(time.Second)).Round(time.Second))
}

// write writes a report as a line.
func (p *progress) write(r report) {
	if p.style == progressJSON {
		if text, err := json.Marshal(r); err == nil {
			fmt.Fprintf(p.w, "%s\n", text)
		}
		return
	}
	rest := strings.TrimPrefix(r.head(), p.name)
	fmt.Fprintf(p.w, "antipode %s: %.0f %% done%s\n", p.name, 100*r.Done, rest)
}

// finish removes the bar, or writes the last JSON object.
func (p *progress) finish() {
	if p.bar != nil && p.shown {
		_ = p.bar.Finish()
	}
	if p.style == progressJSON {
		p.write(p.report(time.Now(), p.state))
	}
}
