package run

import (
	"context"
	"fmt"
	"math"

	"antipode/experiments/parameter"
	"antipode/sde"
)

// Runs that are predicted to take longer than a coffee are announced; those that
// nobody will see the end of are refused.
const (
	longRun    = 600.0            // seconds
	endlessRun = 365 * 24 * 3600. // seconds
)

// Ensemble runs an ensemble with the options, after a look at what it would
// need: a run that needs too much memory, or more than a year, is refused by a
// *parameter.Error of the parameter size or count; a long one is announced.
func Ensemble[Row any](ctx context.Context, e *sde.Ensemble[Row], options Options, size, count parameter.Parameter) error {
	return Part(ctx, e, options, 1, size, count)
}

// Part is Ensemble where trajectories stop, on average after a share of the
// layers.
func Part[Row any](ctx context.Context, e *sde.Ensemble[Row], options Options, share float64, size, count parameter.Parameter) error {
	e.Seed, e.Workers = options.Seed, options.Workers
	if err := checkCost(e, share, options, size, count); err != nil {
		return err
	}
	if options.Progress != nil {
		e.Progress = func(done int64) { options.Progress(done, e.Work()) }
	}
	return e.Run(ctx)
}

// Coupled is Ensemble for coupled cells.
func Coupled[Row any](ctx context.Context, e *sde.CoupledEnsemble[Row], options Options, size, count parameter.Parameter) error {
	e.Seed, e.Workers = options.Seed, options.Workers
	if err := checkCost(e, 1, options, size, count); err != nil {
		return err
	}
	if options.Progress != nil {
		e.Progress = func(done int64) { options.Progress(done, e.Trajectories) }
	}
	return e.Run(ctx)
}

// costly is a run that knows what it needs: bytes and seconds.
type costly interface {
	Memory() float64
	Seconds() float64
}

// checkCost is CheckCost for a run that does that share of its work.
func checkCost(run costly, share float64, options Options, size, count parameter.Parameter) error {
	bytes := run.Memory()
	if bytes > sde.LargestMemory { // too large to measure its speed
		return CheckCost(bytes, 0, options, size, count)
	}
	return CheckCost(bytes, share*run.Seconds(), options, size, count)
}

// CheckCost refuses a run that needs too much. Memory is an error of the parameter that
// sets the size of a cell, time one of the parameter that sets the number of trajectories.
// A long run is announced.
func CheckCost(bytes, seconds float64, options Options, size, count parameter.Parameter) error {
	if bytes > sde.LargestMemory {
		return &parameter.Error{Parameter: size.Name, Value: size.Value.String(),
			Problem: fmt.Sprintf("the run would need %.3g GiB of memory; must be at most %d GiB", bytes/(1<<30), sde.LargestMemory>>30)}
	}
	if seconds > endlessRun {
		return &parameter.Error{Parameter: count.Name, Value: count.Value.String(),
			Problem: fmt.Sprintf("the run would take about %s on this machine; must be less than a year", InWords(seconds))}
	}
	if seconds > longRun && options.Notice != nil {
		options.Notice(fmt.Sprintf("this run may take %s on this machine", InWords(seconds)))
	}
	return nil
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
