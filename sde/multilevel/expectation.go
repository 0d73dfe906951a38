package multilevel

import (
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sde/ordered"
	"context"
	"fmt"
	"math"
	"runtime"
)

// Expectation is the mean E f(X_T) of a function of the tokens at a horizon T, and
// how samples of it are drawn.
type Expectation struct {
	// Cell is the law of the trajectories at the smallest depth; the others are that
	// depth times powers of two.
	Cell sde.Cell
	// Steps is the horizon, T·Cell.Depth: steps of the smallest depth, from 1 to
	// brownian.MaxBaseSteps.
	Steps int64
	// Function is f, of the tokens (N×d), which it may neither change nor keep. It is
	// called from several goroutines at a time, and its values must lie in ±1e60.
	Function func(x []float64) float64
	Seed     uint64
	Workers  int // goroutines that advance trajectories; 0 for one per processor
}

// validate refuses an expectation that cannot be sampled.
func (e *Expectation) validate(standardError float64) error {
	if err := e.Cell.Validate(); err != nil {
		return err
	}
	switch {
	case e.Cell.Method != sde.Tokens:
		return fmt.Errorf("method %v: has no tokens; must be %v", e.Cell.Method, sde.Tokens)
	case e.Steps < 1 || e.Steps > brownian.MaxBaseSteps:
		return fmt.Errorf("steps %d: must be from 1 to %d", e.Steps, int64(brownian.MaxBaseSteps))
	case e.Workers < 0:
		return fmt.Errorf("workers %d: must be at least 0", e.Workers)
	case e.Function == nil:
		return fmt.Errorf("function: missing")
	case !(standardError > 0 && standardError <= math.MaxFloat64):
		return fmt.Errorf("standard error %v: must be positive", standardError)
	}
	if bytes := 3 * e.Cell.Memory() * float64(e.workers()); bytes > sde.LargestMemory {
		return fmt.Errorf("the run would need %.3g GiB of memory; must be at most %d GiB", bytes/(1<<30), sde.LargestMemory>>30)
	}
	return nil
}

func (e *Expectation) workers() int {
	if e.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return e.Workers
}

// sample is f at the horizon, at one depth or at two; at the larger one it is the mean over
// the two paths of an antithetic pair. slope is the square of the difference of f between the
// depths over that of the distance of the tokens.
type sample struct{ coarse, fine, slope float64 }

// draw hands the samples of trajectories first to last (excluded) on in their order.
// At most a few a worker are in memory at one time.
func (e *Expectation) draw(ctx context.Context, of sampling, first, last int64, deliver func(s sample)) error {
	if last > maxSamples {
		return fmt.Errorf("the standard error needs more than 2^39 samples at depth %d", of.cell.Depth)
	}
	return ordered.Each(ctx, e.workers(), last-first, nil,
		func() func(ctx context.Context, item int64) (sample, error) {
			s := newSampler(of, e.Seed, e.Function)
			return func(ctx context.Context, item int64) (sample, error) { return s.sample(ctx, first+item) }
		},
		func(_ int64, s sample) error {
			deliver(s)
			return nil
		})
}
