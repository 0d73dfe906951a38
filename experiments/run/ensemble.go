package run

import (
	"context"
	"fmt"
	"math"

	"antipode/experiments/parameter"
	"antipode/experiments/wording"
	"antipode/sde"
	"antipode/sde/brownian"
)

// Runs that are predicted to take longer than a minute are announced; those that would take more than a year
// are refused.
const (
	longRun    = 60.0             // seconds
	endlessRun = 365 * 24 * 3600. // seconds
)

// Simulation is an ensemble with what else a run of it needs to know.
type Simulation[Row any] struct {
	*sde.Ensemble[Row]
	// Codec is for the options' Journal; it may be left out with an ensemble that has a Checkpoint.
	Codec Codec[Row]
	// Size and Count are the parameters that set the size of a cell and the number of
	// trajectories.
	Size, Count parameter.Parameter
	// Share is the part of the layers after which trajectories stop on average; 0 for 1.
	Share float64
	// Rows and RowBytes are the rows of the table, of a part its own, and what one takes in a file;
	// KeptBytes is what Codec needs for a trajectory.
	Rows, RowBytes, KeptBytes float64
	// Outcome says in a few words what was seen of the present cell; nil for nothing.
	Outcome func() string
	// Prepare is done when the run is known to be possible, before its first trajectory; nil for nothing.
	Prepare func(ctx context.Context) error
}

// Run runs the ensemble with the options, after an estimate of what it would need: a run
// that needs too much memory, or more than a year, is refused by a *parameter.Error of
// Size or Count; a long one is announced.
func (s Simulation[Row]) Run(ctx context.Context, options Options) error {
	e := s.Ensemble
	e.Seed, e.Workers, e.Part = options.Seed, options.Workers, options.Part
	share := 1.0
	if s.Share > 0 {
		share = s.Share
	}
	trajectories := float64(len(e.Cells)) * float64(e.Trajectories)
	if e.Part.Of > 0 {
		own := float64(e.Part.Trajectories(e.Trajectories))
		share *= own / float64(e.Trajectories)
		trajectories = own * float64(len(e.Cells))
	}
	kept := float64(trajectories * s.KeptBytes)
	needs := Needs{Rows: s.Rows, Kept: kept, Bytes: float64(s.Rows*s.RowBytes) + kept,
		Cells: len(s.Cells), Layers: float64(s.Work())}
	if err := checkCost(e, share, needs, options, s.Size, s.Count); err != nil {
		return err
	}
	if s.Prepare != nil {
		if err := s.Prepare(ctx); err != nil {
			return err
		}
	}
	if options.Journal != nil {
		e.Checkpoint = NewCheckpoint(options.Journal, s.Codec)
	}
	s.watch(options)
	return e.Run(ctx)
}

// watch reports the progress of the run.
func (s Simulation[Row]) watch(options Options) {
	state := State{Total: s.Work(), AllCells: len(s.Cells), Outcome: s.Outcome}
	finish := s.Finish
	s.Ensemble.Finish = func(cell int) error {
		state.Cells = cell + 1
		if finish == nil {
			return nil
		}
		return finish(cell)
	}
	s.Ensemble.Progress = func(done, restored int64) {
		state.Done, state.Restored = done, restored
		options.Report(state)
	}
}

// Coupled runs coupled cells as Simulation.Run would, of a table with so many rows.
func Coupled[Row any](
	ctx context.Context, e *brownian.Ensemble[Row], codec Codec[Row], options Options, rows int,
	size, count parameter.Parameter,
) error {
	e.Seed, e.Workers, e.Part = options.Seed, options.Workers, options.Part
	trajectories := e.Part.Trajectories(e.Trajectories)
	if err := checkCost(e, float64(trajectories)/float64(e.Trajectories), Needs{Rows: float64(rows)},
		options, size, count); err != nil {
		return err
	}
	if options.Journal != nil {
		e.Checkpoint = NewCheckpoint(options.Journal, codec)
	}
	e.Progress = func(done, restored int64) {
		options.Report(State{Done: done, Restored: restored, Total: trajectories})
	}
	return e.Run(ctx)
}

// costly is a run that knows what it needs: bytes and seconds.
type costly interface {
	Memory() float64
	Seconds() float64
}

// checkCost is CheckCost for a run that does that share of its work; its needs are those of
// the output.
func checkCost(
	run costly, share float64, needs Needs, options Options, size, count parameter.Parameter,
) error {
	memory := run.Memory()
	if memory <= sde.LargestMemory { // else it is too large to measure its speed
		needs.Seconds = share * run.Seconds()
	}
	return CheckCost(memory, needs, options, size, count)
}

// CheckCost refuses a run that needs too much: memory, in bytes, is an error of the parameter
// that sets the size of a cell, time one of the parameter that sets the number of
// trajectories. A long run is announced, and options.Preflight asked.
func CheckCost(memory float64, needs Needs, options Options, size, count parameter.Parameter) error {
	if memory > sde.LargestMemory {
		return &parameter.Error{Parameter: size.Name, Value: size.Value.String(),
			Problem: fmt.Sprintf("the run would need %.3g GiB of memory; must be at most %d GiB",
				memory/(1<<30),
				sde.LargestMemory>>30)}
	}
	if needs.Seconds > endlessRun {
		return &parameter.Error{Parameter: count.Name, Value: count.Value.String(),
			Problem: fmt.Sprintf("the run would take about %s on this machine; must be less than a year",
				InWords(needs.Seconds))}
	}
	if needs.Seconds > longRun && options.Notice != nil {
		kept := ""
		if options.Journal != nil {
			kept = fmt.Sprintf(", and keep up to %s of finished work until its table is whole",
				wording.Bytes(needs.Kept))
		}
		options.Notice(fmt.Sprintf("this run may take up to %s on this machine%s", InWords(needs.Seconds),
			kept))
	}
	if options.Preflight == nil {
		return nil
	}
	return options.Preflight(needs)
}

// InWords gives a time in the largest unit of which there is more than one.
func InWords(seconds float64) string {
	units := []struct {
		name    string
		seconds float64
	}{{"years", 365 * 24 * 3600}, {"days", 24 * 3600}, {"hours", 3600}, {"minutes", 60}}
	for _, unit := range units {
		if n := math.Round(seconds / unit.seconds); n > 1 {
			return fmt.Sprintf("%.0f %s", n, unit.name)
		}
	}
	return fmt.Sprintf("%.0f seconds", seconds)
}
