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
// are rejected.
const (
	longRun    = 60.0             // seconds
	endlessRun = 365 * 24 * 3600. // seconds
)

// Simulation is an ensemble together with the information that a run of it needs.
type Simulation[Row any] struct {
	*sde.Ensemble[Row]
	// Codec encodes rows for the options' Journal; it may be left out if the ensemble has a Checkpoint.
	Codec Codec[Row]
	// Size and Count are the parameters that determine the size of a cell and the number of trajectories.
	Size, Count parameter.Parameter
	// Share is the average fraction of the layers that trajectories take before they stop; 0 stands for 1.
	Share float64
	// Rows is the number of rows of the table, or for a part of a run, the number of the part's own rows.
	// RowBytes is the size of a row in a file. KeptBytes is the size of an encoded trajectory.
	Rows, RowBytes, KeptBytes float64
	// Outcome describes in a few words the results of the current cell so far; it may be nil.
	Outcome func() string
	// Prepare is called before the first trajectory, once the run is known to be possible; it may be nil.
	Prepare func(ctx context.Context) error
}

// Run estimates the needs of the ensemble and runs it with the options. If it needs too much memory or more
// than a year, the error is a *parameter.Error of Size or Count. A long run is announced.
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

// Coupled runs coupled cells as Simulation.Run does. The argument needs holds the rows and bytes of the
// output and of the finished work of this part of the run.
func Coupled[Row any](
	ctx context.Context, e *brownian.Ensemble[Row], codec Codec[Row], options Options, needs Needs,
	size, count parameter.Parameter,
) error {
	e.Seed, e.Workers, e.Part = options.Seed, options.Workers, options.Part
	trajectories := e.Part.Trajectories(e.Trajectories)
	share := float64(trajectories) / float64(e.Trajectories)
	if err := checkCost(e, share, needs, options, size, count); err != nil {
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

// costly is a run that can estimate its needs in bytes and seconds.
type costly interface {
	Memory() float64
	Seconds() float64
}

// checkCost is CheckCost for a run that does the given fraction of its work. The argument needs holds the
// needs of the output only.
func checkCost(
	run costly, share float64, needs Needs, options Options, size, count parameter.Parameter,
) error {
	memory := run.Memory()
	if memory <= sde.LargestMemory { // otherwise it is too large to measure its speed
		needs.Seconds = share * run.Seconds()
	}
	return CheckCost(memory, needs, options, size, count)
}

// CheckCost returns an error if a run needs too much. If memory, in bytes, is too large, the error is one of
// size, the parameter that determines the size of a cell. If the run takes too long, the error is one of
// count, the parameter that determines the number of trajectories. A long run is announced, and
// options.Preflight may reject the run.
func CheckCost(memory float64, needs Needs, options Options, size, count parameter.Parameter) error {
	if memory > sde.LargestMemory {
		return parameter.Errorf(size.Name, size.Value.String(), "the run would need %.3g GiB of memory; "+
			"must be at most %d GiB", memory/(1<<30), sde.LargestMemory>>30)
	}
	if needs.Seconds > endlessRun {
		return parameter.Errorf(count.Name, count.Value.String(), "the run would take about %s on this "+
			"machine; must be less than a year", InWords(needs.Seconds))
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

// InWords states a time in the largest unit for which the rounded number of units is more than 1.
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
