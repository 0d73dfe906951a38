package multilevel

import (
	"context"
	"fmt"
	"math"
	"math/bits"
)

const (
	// leastVarianceDecay lies between no convergence, 0, and the ½ that differences of a smooth
	// function show at large steps, where trajectories are seen to part; in the end it is 1.
	leastVarianceDecay = 0.25
	// largestSlopeGrowth lies between 0 and the ½ of a function that jumps.
	largestSlopeGrowth = 0.25
	// extension is how many times the pilot samples are drawn, before finer levels are.
	extension = 4
)

// judge refuses decays that the theory does not have. As long as an interval leaves it open, it
// draws more samples of the last differences; as long as they are not seen, finer differences.
func (r *run) judge(ctx context.Context) error {
	if r.request.Finest != 0 {
		return nil
	}
	for {
		refused, sure := r.decays()
		if sure && refused == nil {
			return nil
		}
		if !sure {
			more, err := r.doubleLast(ctx)
			if err != nil {
				return err
			}
			if more {
				continue
			}
		}
		if len(r.pairs) >= r.mostFirstPairs() {
			return refused
		}
		if err := r.pilot(ctx, len(r.pairs)+1); err != nil {
			return err
		}
	}
}

// decays says why the decays of the last differences are refused, or nil, and whether their
// intervals are sure of it.
func (r *run) decays() (refused error, sure bool) {
	variance, vary := r.varianceDecay()
	if !vary {
		return nil, true
	}
	slope := r.slopeDecay()
	switch {
	case variance.High < leastVarianceDecay:
		return refusedVariance(variance), true
	case slope.High < -largestSlopeGrowth:
		return refusedSlope(slope), true
	case !(variance.Low > leastVarianceDecay):
		return refusedVariance(variance), false
	case !(slope.Low > -largestSlopeGrowth):
		return refusedSlope(slope), false
	}
	return nil, true
}

// check refuses decays beyond doubt, by all samples together. The mean at a given depth does
// not need them.
func (r *run) check() error {
	if r.request.Finest != 0 {
		return nil
	}
	if refused, sure := r.decays(); sure && refused != nil {
		return refused
	}
	if decay := r.weakDecay(); decay.High < 0.5 {
		return fmt.Errorf("the mean of the differences between depths falls with order %v, not at least 0.5: the limit may not exist", decay)
	}
	return nil
}

func refusedVariance(decay Decay) error {
	return fmt.Errorf("the variance of the differences between depths is not seen to fall: with order %v, must be above %g: the coupling may not converge, or the function may jump", decay, leastVarianceDecay)
}

func refusedSlope(decay Decay) error {
	return fmt.Errorf("the squared change of the function for one of the tokens grows with the depth, with order %v, must be above %g: the function may jump", decay, -largestSlopeGrowth)
}

// last are the differences by which decays are judged: the finest ones, as a decay is that of
// small steps.
func (r *run) last() []levelSamples {
	return r.pairs[max(r.base, len(r.pairs)-fittedPairs-1):]
}

// doubleLast draws as many samples of the last differences again, or returns false if there
// are enough.
func (r *run) doubleLast(ctx context.Context) (more bool, err error) {
	last := r.last()
	for k := range last {
		l, enough := &last[k], extension*r.pilotSamples(len(r.pairs)-len(last)+k)
		if l.values.count >= enough {
			continue
		}
		more = true
		if err := l.extend(ctx, r.Expectation, min(enough, 2*l.values.count)); err != nil {
			return false, err
		}
	}
	return more, nil
}

// varianceDecay is that of the last differences. Where a hundred samples would have a
// hundredth of the standard error, the decay makes no difference, and may be that of
// rounding errors; if that is so of all, they do not vary.
func (r *run) varianceDecay() (decay Decay, vary bool) {
	var fit line
	for _, l := range r.last() {
		variance := l.values.variance()
		if math.Sqrt(variance) > 0.1*r.request.StandardError {
			fit.add(r.level(l), variance, l.values.varianceError())
		}
	}
	return fit.decay(), fit.points > 0
}

// slopeDecay is that of the mean of the samples' slopes: with order 0 for a function with
// bounded derivatives, also where the decay of the variance is not that of small steps yet. A
// function that jumps changes by 1 for a change r of the tokens with a probability of order r,
// so that its mean slope is of order 1/r: of order -½ as long as r falls with order ½.
func (r *run) slopeDecay() Decay {
	var fit line
	for _, l := range r.last() {
		if l.slopes.mean > 0 {
			fit.add(r.level(l), l.slopes.mean, l.slopes.standardError())
		}
	}
	return fit.decay()
}

// weakDecay is that of the means of all differences that are not noise.
func (r *run) weakDecay() Decay {
	var fit line
	for _, l := range r.levels()[1:] {
		mean, deviation := math.Abs(l.values.mean), l.values.standardError()
		if mean > 3*deviation && mean > 0.01*r.request.StandardError {
			fit.add(r.level(*l), mean, deviation)
		}
	}
	return fit.decay()
}

// level is the number of doublings of the smallest depth.
func (r *run) level(l levelSamples) int { return bits.Len(uint(l.cell.Depth / r.Cell.Depth)) }
