package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how much of a run is done: a bar on a terminal, elsewhere a line
// now and then. A run of a second or two shows nothing.
type progress struct {
	w       io.Writer
	name    string
	start   time.Time
	bar     *progressbar.ProgressBar // nil where w is no terminal
	shown   bool
	nextOne time.Time
}

const (
	firstProgress = 2 * time.Second
	betweenLines  = 10 * time.Second
)

func newProgress(w io.Writer, name string) *progress {
	now := time.Now()
	p := &progress{w: w, name: name, start: now, nextOne: now.Add(firstProgress)}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
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

// update is told of the work done so far.
func (p *progress) update(done, total int64) {
	now := time.Now()
	if now.Before(p.nextOne) {
		return
	}
	p.shown = true
	if p.bar != nil {
		p.bar.ChangeMax64(total)
		_ = p.bar.Set64(done) // a bar that cannot be drawn is no reason to stop
		return
	}
	p.nextOne = now.Add(betweenLines)
	elapsed := now.Sub(p.start)
	left := time.Duration(float64(elapsed) * float64(total-done) / float64(max(done, 1)))
	fmt.Fprintf(p.w, "antipode %s: %.0f %% done, about %v left\n", p.name, 100*float64(done)/float64(total), left.Round(time.Second))
}

// finish removes the bar.
func (p *progress) finish() {
	if p.bar != nil && p.shown {
		_ = p.bar.Finish()
	}
}
