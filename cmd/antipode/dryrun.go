package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"antipode/cmd/antipode/interruption"
	"antipode/cmd/antipode/terminal"
	"antipode/data"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/sde"

	"github.com/urfave/cli/v2"
)

// trial is the time for which a dry run runs the experiment.
const trial = 3 * time.Second

// prediction is what a dry run predicts that a run will need. A nil value of a prediction is unknown.
type prediction struct {
	Command string   `json:"command"`
	Cells   int      `json:"cells"`
	Layers  *float64 `json:"layers"` // layers of all trajectories; nil also for a run without layers
	Rows    *float64 `json:"rows"`
	Bytes   *float64 `json:"bytes"` // size of the file of the table, in Arrow's format
	Kept    *float64 `json:"kept"`  // bytes of finished work stored during the run; nil also if none is
	Seconds *float64 `json:"seconds"`
	Whole   bool     `json:"whole"` // whether the run finished during the trial period

	otherForm bool // whether the file of the table will be in another format than Arrow
}

// addDryRun adds the switch --dry-run to a command, and returns the new action of the command.
func (r *runner) addDryRun(action cli.ActionFunc) cli.ActionFunc {
	r.addSwitch("dry-run", "print what the run will need, and write nothing: numbers of cells, layers "+
		"and rows, sizes of the file and of the unfinished run beside it, and time on this machine, "+
		"estimated from the first seconds of the run; as JSON with --progress json", &r.dry)
	return func(c *cli.Context) error {
		if !r.dry {
			return action(c)
		}
		if err := r.take(c); err != nil {
			return err
		}
		runs, err := r.tables()
		if err != nil {
			return err
		}
		if len(runs) > 1 {
			return usagef("--dry-run: takes one table; must be left out for --save %s",
				r.given[run.SaveParameter])
		}
		r.beginLog(r.experiment.Name(), r.options.Seed)
		p, err := r.predict(c.Context)
		if err != nil {
			return err
		}
		if r.style == terminal.JSON {
			return json.NewEncoder(r.stdout).Encode(p)
		}
		text := terminal.Wrap(p.text(r.options.Part, r.options.WorkerCount()), "", helpWidth)
		_, err = io.WriteString(r.stdout, text+"\n")
		return err
	}
}

// tried is what a dry run has observed of the run during the trial period.
type tried struct {
	mutex  sync.Mutex
	begin  time.Time
	needs  run.Needs // needs of all ensembles that have begun
	rows   int
	state  run.State
	theory time.Duration // time until the last of the theory so far was known
}

// predict starts the run without writing any files, and stops it at the end of the trial period.
func (r *runner) predict(ctx context.Context) (prediction, error) {
	t := &tried{begin: time.Now()}
	options := r.options
	options.Progress = t.progress
	options.Preflight = func(needs run.Needs) error { t.add(needs); return nil }
	ctx, cancel := context.WithTimeout(ctx, trial)
	defer cancel()
	_, err := interruption.UntilEnd(ctx, func() error {
		return r.experiment.Run(ctx, options, data.SinkFunc(t.count))
	})
	whole := err == nil || errors.Is(err, run.ErrFinding)
	if !whole && !errors.Is(err, context.DeadlineExceeded) {
		return prediction{}, parameterProblem(r.experiment, err)
	}
	return t.prediction(r, whole)
}

func (t *tried) progress(state run.State) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.state = state
	if state.Theory > 0 {
		t.theory = time.Since(t.begin)
	}
}

func (t *tried) add(needs run.Needs) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.needs.Rows += needs.Rows
	t.needs.Layers += needs.Layers
	t.needs.Kept += needs.Kept
	t.needs.Cells += needs.Cells
	t.needs.Seconds += needs.Seconds
}

func (t *tried) count(columns ...data.Values) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.rows += columns[0].Len()
	return nil
}

// prediction computes what the run will need from what was observed during the trial period.
func (t *tried) prediction(r *runner, whole bool) (p prediction, err error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	p = prediction{Command: r.experiment.Name(), Cells: run.Cells(r.experiment), Whole: whole}
	if _, follows := r.experiment.(run.Follower); follows {
		p.Cells = int(t.state.Total)
	}
	p.otherForm = r.out != "" && !strings.EqualFold(filepath.Ext(r.out), tableExtensions[0])
	rest := 1. // total number of layers divided by that of the ensembles that have begun
	if t.needs.Layers > 0 {
		rest = max(1, float64(t.state.Total)/t.needs.Layers)
	}
	p.Layers = known(t.needs.Layers * rest)
	share := t.state.Share()
	switch {
	case whole:
		rows := float64(t.rows)
		p.Rows = &rows
	case t.needs.Rows > 0:
		p.Rows = known(t.needs.Rows * float64(max(1, t.state.AllCells)) / float64(max(1, t.needs.Cells)))
	case share > 0:
		p.Rows = known(math.Round(float64(t.rows) / share))
	}
	if p.Rows != nil {
		bytes, err := r.schema().FileBytes(*p.Rows)
		if err != nil {
			return p, err
		}
		p.Bytes = known(bytes)
	}
	if r.keeps {
		cells := float64(max(1, t.state.AllCells)) / float64(max(1, t.needs.Cells))
		p.Kept = known(t.needs.Kept * max(1, cells))
	}
	p.Seconds = known(t.seconds(whole, rest))
	return p, nil
}

// seconds returns the predicted time of the entire run, or 0 if it is unknown. The prediction uses the time
// of the first trajectories if possible. A prediction from the time per layer would be less accurate, because
// it would not show that trajectories stop early.
func (t *tried) seconds(whole bool, rest float64) float64 {
	elapsed := time.Since(t.begin).Seconds()
	theory := t.theory.Seconds()
	if t.state.Theory > 0 {
		theory *= float64(t.state.AllTheory) / float64(t.state.Theory)
	}
	left, measured := t.state.SecondsLeft(elapsed - t.theory.Seconds())
	switch {
	case whole:
		return elapsed
	case measured:
		return elapsed + left
	case t.state.AllTheory > 0 && t.state.Theory == 0:
		return 0
	}
	return theory + t.needs.Seconds*rest
}

// known returns a pointer to a number of a prediction, or nil for 0, which means unknown.
func known(x float64) *float64 {
	if x == 0 {
		return nil
	}
	return &x
}

// text states what the run will need in a sentence.
func (p prediction) text(part sde.Part, workers int) string {
	text := p.Command
	if part.Of > 0 {
		text += ", shard " + run.FormatShard(part)
	}
	text += ": " + wording.Count(p.Cells, "cell")
	if p.Layers != nil {
		text += fmt.Sprintf(", %.3g layers of trajectories", *p.Layers)
	}
	if p.Rows != nil {
		text += fmt.Sprintf("; a table of %s, %s", wording.Count(int64(*p.Rows), "row"),
			wording.Bytes(*p.Bytes))
		if *p.Rows == 0 && part.Of > 0 {
			text += ", as nothing is left for this shard"
		}
		if p.otherForm {
			text += " in Arrow's format"
		}
		if p.Kept != nil {
			text += fmt.Sprintf(", beside which up to %s of finished work are kept until it is whole",
				wording.Bytes(*p.Kept))
		}
	}
	if p.Seconds == nil {
		text += fmt.Sprintf("; how long it takes is not known from its first %.0f seconds", trial.Seconds())
	} else {
		text += fmt.Sprintf("; %s on this machine with %s", roughly(*p.Seconds),
			wording.Count(workers, "worker"))
	}
	return text + ". Nothing was written."
}

// roughly returns a time, given in seconds, in words.
func roughly(seconds float64) string {
	switch {
	case seconds < 1:
		return "less than a second"
	case seconds < 10:
		return fmt.Sprintf("%.1f seconds", seconds)
	}
	return run.InWords(seconds)
}
