package run

import (
	"context"
	"fmt"
	"math"

	"antipode/experiments/parameter"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/sde"
	"antipode/sde/brownian"
)

// The predicted times of runs at which the user is notified (longRun), and above which a run is rejected
// (endlessRun).
const (
	longRun    = 60.0             // seconds
	endlessRun = 365 * 24 * 3600. // seconds
)

// Simulation is an ensemble of trajectories together with what an experiment knows about a run of the
// ensemble: its codec, its needs, and the parameters to name in an error.
type Simulation[Row any] struct {
	*sde.Ensemble[Row]
	// Codec encodes the result of a trajectory for the Journal of the options. The Codec may be left out if
	// the ensemble has a Checkpoint.
	Codec Codec[Row]
	// Parameters are those of the experiment. Size is the name of the parameter that determines the memory
	// for a cell of the grid. Errors about memory are about this parameter, and errors about time about the
	// parameter trajectories.
	Parameters []parameter.Parameter
	Size       string
	// Share is the average fraction of the layers of a trajectory that is computed before the trajectory
	// stops early; 0 stands for 1.
	Share float64
	// Rows has the number of rows of each table that the run writes. For a shard of a run, these are the rows
	// of the shard's own tables. KeptBytes is the size of an encoded trajectory in the Journal.
	Rows      []float64
	KeptBytes float64
	// Outcome describes in a few words the results so far of the current cell of the grid; the function may
	// be nil.
	Outcome func() string
	// Prepare is called before the first trajectory of a run that is known to fit the memory and the time;
	// the function may be nil.
	Prepare func(ctx context.Context) error
}

// Run estimates the memory and time that the ensemble needs, and then runs the ensemble with the options. If
// the run would need too much memory, the error is a *parameter.Error of Size. If the run would take more
// than a year, the error is a *parameter.Error of trajectories. The user is notified of a run longer than a
// minute.
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
	needs := Needs{Rows: lists.Sum(s.Rows), Tables: s.Rows, Kept: kept, Cells: len(s.Cells),
		Layers: float64(s.Work())}
	if err := checkCost(e, share, needs, options, s.Parameters, s.Size); err != nil {
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

// watch makes the ensemble report the progress of its run to the options.
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

// Coupled runs an ensemble whose cells share Brownian paths, with the checks of Simulation.Run. The argument
// needs holds the rows of the table and the bytes of the finished work of this part of the run. The
// arguments parameters and size are the fields Parameters and Size of a Simulation.
func Coupled[Row any](
	ctx context.Context, e *brownian.Ensemble[Row], codec Codec[Row], options Options, needs Needs,
	parameters []parameter.Parameter, size string,
) error {
	e.Seed, e.Workers, e.Part = options.Seed, options.Workers, options.Part
	trajectories := e.Part.Trajectories(e.Trajectories)
	share := float64(trajectories) / float64(e.Trajectories)
	if err := checkCost(e, share, needs, options, parameters, size); err != nil {
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

// costly is a run that can estimate its needs of memory, in bytes, and of time, in seconds.
type costly interface {
	Memory() float64
	Seconds() float64
}

// checkCost is CheckCost for a run of which only the fraction share is computed, as for a shard. The argument
// needs holds the needs of the table and the journal, without the time.
func checkCost(
	run costly, share float64, needs Needs, options Options, parameters []parameter.Parameter, size string,
) error {
	memory := run.Memory()
	if memory <= sde.LargestMemory { // a larger run would not fit into memory while its speed is measured
		needs.Seconds = share * run.Seconds()
	}
	return CheckCost(memory, needs, options, parameters, size, "trajectories")
}

// CheckCost returns an error if a run needs too much memory or time. If the memory, in bytes, is too large,
// the error is about the parameter with the name size, which determines the memory for a cell of the grid. If
// the predicted time is above a year, the error is about the parameter with the name count, which determines
// the number of trajectories. The Notice of the options is called for a run longer than a minute, and the
// Preflight of the options may reject any run. Merging shards costs little: with them, CheckCost returns nil.
func CheckCost(
	memory float64, needs Needs, options Options, parameters []parameter.Parameter, size, count string,
) error {
	if options.Shards != nil {
		return nil
	}
	problem := func(name, format string, arguments ...any) error {
		value := parameter.ByName(parameters, name).Value.String()
		return parameter.Errorf(name, value, format, arguments...)
	}
	if memory > sde.LargestMemory {
		return problem(size, "the run would need %.3g GiB of memory; must be at most %d GiB",
			memory/(1<<30), sde.LargestMemory>>30)
	}
	if needs.Seconds > endlessRun {
		return problem(count, "the run would take about %s on this machine; must be less than a year",
			InWords(needs.Seconds))
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

// InWords states a time in the largest unit, from years to seconds, of which the time is at least two units
// after rounding. For example, 100 seconds are "2 minutes".
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
