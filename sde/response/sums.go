package response

import (
	"context"
	"fmt"
	"math"

	"antipode/sde"
	"antipode/sde/ordered"
)

// A Mean is the mean of a sample, and the standard error of this mean.
type Mean struct{ Value, Error float64 }

// hasBareAttention reports whether a cell has two tokens, built-in attention with interaction matrix B = I,
// and neither MLP nor further heads, drift or random scores.
func hasBareAttention(c sde.Cell) bool {
	return c.Tokens == 2 && c.Interaction == nil && c.Resampling.Spread == 0 && c.Plain() && !c.Tangent &&
		c.Kernel == nil && c.PairKernel.Weigh == nil
}

// check returns an error if a setting that Transformer and Hybrid share is out of its domain.
func check(dim int, trajectories, layers int64, tolerance float64) error {
	switch {
	case dim < 2:
		return fmt.Errorf("responses: dimension %d: must be at least 2", dim)
	case trajectories < 2:
		return fmt.Errorf("responses: trajectories %d: must be at least 2", trajectories)
	case layers < 0:
		return fmt.Errorf("responses: layers %d: must not be negative", layers)
	case !(tolerance > 0 && tolerance < 1):
		return fmt.Errorf("responses: tolerance %v: must be between 0 and 1", tolerance)
	}
	return nil
}

// overTrajectories adds the results of all trajectories to total by join, in an order that does not depend on
// the number of workers, so that the total does not depend on this number either.
func overTrajectories[S any](ctx context.Context, trajectories int64, workers int, total *S,
	join func(to *S, some S), worker func() func(trajectory int64) S,
) error {
	const each = 32 // number of trajectories that a worker takes at a time
	return ordered.Each(ctx, max(1, workers), (trajectories+each-1)/each, nil,
		func() func(ctx context.Context, item int64) (S, error) {
			run := worker()
			return func(ctx context.Context, item int64) (some S, err error) {
				for k := item * each; k < min((item+1)*each, trajectories) && ctx.Err() == nil; k++ {
					join(&some, run(k))
				}
				return some, ctx.Err()
			}
		},
		func(_ int64, some S) error {
			join(total, some)
			return nil
		})
}

// sums holds sums over trajectories of the estimates of the derivatives with respect to one parameter, in the
// order of the fields of ByParameter, and sums of the squares of these estimates.
type sums struct {
	count, antipodal float64
	sum, squares     [3]float64
}

func (s *sums) join(other sums) {
	s.count += other.count
	s.antipodal += other.antipodal
	for k := range s.sum {
		s.sum[k] += other.sum[k]
		s.squares[k] += other.squares[k]
	}
}

func (s *sums) byParameter() ByParameter {
	return ByParameter{s.mean(0), s.mean(1), s.mean(2)}
}

func (s *sums) mean(k int) Mean {
	mean := s.sum[k] / s.count
	return Mean{mean, math.Sqrt(max(0, s.squares[k]/s.count-float64(mean*mean)) / (s.count - 1))}
}
