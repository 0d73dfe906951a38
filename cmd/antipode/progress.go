package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"antipode/experiments/run"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
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
	state   run.State // of a simulation, whose work is counted in layers of trajectories
	last    report
}

const (
	firstProgress = 2 * time.Second
	betweenLines  = 10 * time.Second
	betweenBars   = 200 * time.Millisecond
)

func newProgress(w io.Writer, name, style string) *progress {
	now := time.Now()
	p := &progress{w: w, name: name, style: style, start: now, nextOne: now.Add(firstProgress), last: report{Command: name}}
	if file, ok := w.(*os.File); ok && style == progressAuto && term.IsTerminal(int(file.Fd())) {
		p.bar = progressbar.NewOptions64(1,
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetDescription(name),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionFullWidth(),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond))
	}
	return p
}

// report is how far a run has come.
type report struct {
	Command  string  `json:"command"`
	Done     float64 `json:"done"` // of 1
	Elapsed  float64 `json:"seconds"`
	Left     float64 `json:"seconds_left"`
	Cells    int     `json:"cells,omitempty"`
	AllCells int     `json:"all_cells,omitempty"`
	Layers   float64 `json:"layers_per_second,omitempty"` // of all trajectories together
	Outcome  string  `json:"outcome,omitempty"`
}

// watch is told how far a simulation has come, before update.
func (p *progress) watch(state run.State) { p.state = state }

// update is told of the work done so far.
func (p *progress) update(done, total int64) {
	now := time.Now()
	due := !now.Before(p.nextOne)
	if !due && done < total {
		return
	}
	p.last = p.report(now, done, total)
	switch {
	case !due:
	case p.bar != nil:
		p.shown, p.nextOne = true, now.Add(betweenBars)
		p.bar.Describe(p.last.head())
		p.bar.ChangeMax64(total)
		_ = p.bar.Set64(done) // a bar that cannot be drawn is no reason to stop
	default:
		p.nextOne = now.Add(betweenLines)
		p.write()
	}
}

func (p *progress) report(now time.Time, done, total int64) report {
	elapsed := now.Sub(p.start).Seconds()
	r := report{
		Command: p.name, Done: float64(done) / float64(max(total, 1)), Elapsed: elapsed,
		Left:  elapsed * float64(total-done) / float64(max(done, 1)),
		Cells: p.state.Cells, AllCells: p.state.AllCells,
	}
	if p.state.AllCells > 0 {
		r.Layers = float64(done) / max(elapsed, 1e-9)
	}
	if p.state.Outcome != nil {
		r.Outcome = p.state.Outcome()
	}
	return r
}

// head is the report without what a bar shows itself.
func (r report) head() string {
	parts := []string{r.Command}
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

// write writes the last report as a line.
func (p *progress) write() {
	if p.style == progressJSON {
		if text, err := json.Marshal(p.last); err == nil {
			fmt.Fprintf(p.w, "%s\n", text)
		}
		return
	}
	left := time.Duration(p.last.Left * float64(time.Second)).Round(time.Second)
	rest := strings.TrimPrefix(p.last.head(), p.name)
	fmt.Fprintf(p.w, "antipode %s: %.0f %% done, about %v left%s\n", p.name, 100*p.last.Done, left, rest)
}

// finish removes the bar, or writes the last JSON object.
func (p *progress) finish() {
	if p.bar != nil && p.shown {
		_ = p.bar.Finish()
	}
	if p.style == progressJSON {
		p.write()
	}
}
