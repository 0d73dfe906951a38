package run

import (
	"context"

	"antipode/experiments/parameter"
	"antipode/sde/network"
)

// Networks runs an ensemble of random networks with the options, after a look at what it and
// the others of its run, as many as ensembles in all, would need: like Ensemble it refuses a
// run that needs too much memory or time by a *parameter.Error of the parameter size or
// count. Progress is told how many networks of this ensemble are done.
func Networks(ctx context.Context, e network.Ensemble, options Options, ensembles int, size, count parameter.Parameter, progress func(done int64)) ([][]network.Layer, error) {
	e.Seed, e.Workers = options.Seed, options.Workers
	e.Progress = func(done int) { progress(int64(done)) }
	if err := checkCost(&e, float64(ensembles), Needs{}, options, size, count); err != nil {
		return nil, err
	}
	return e.Run(ctx)
}
