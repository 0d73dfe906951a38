package sde

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"antipode/sphere/elementary"
)

// multilevelRun is the state of a multilevel Monte Carlo run.
type multilevelRun struct {
	*Expectation
	request Multilevel
	pairs   []levelSamples // of the depths Cell.Depth·2^k and its double
	base    int            // the coarsest level is the smaller depth of pairs[base]
	single  levelSamples   // of the coarsest level
}

// levelSamples are the samples of one level.
type levelSamples struct {
	sampling
	values sampleMoments // whose mean is the level's
	coarse sampleMoments // of f at the smaller depth
}

// extend draws samples up to so many.
func (l *levelSamples) extend(ctx context.Context, e *Expectation, count int64) error {
	return e.draw(ctx, l.sampling, l.values.count, max(count, l.values.count), func(s sample) {
		l.coarse.add(s.coarse)
		if l.refined {
			l.values.add(s.fine - s.coarse)
		} else {
			l.values.add(s.coarse)
		}
	})
}

func (r *multilevelRun) sampling(k int, refined bool) sampling {
	cell := r.Cell
	cell.Depth <<= k
	return sampling{cell, r.Steps << k, refined, refined && r.request.Antithetic}
}

// pilot draws the first samples of new pairs.
func (r *multilevelRun) pilot(ctx context.Context, pairs int) error {
	for k := len(r.pairs); k < pairs; k++ {
		l := levelSamples{sampling: r.sampling(k, true)}
		if err := l.extend(ctx, r.Expectation, r.pilotSamples(k)); err != nil {
			return err
		}
		r.pairs = append(r.pairs, l)
	}
	return nil
}

// pilotSamples are fewer at a given depth, where they tell the cost only, than where decays
// are judged by them.
func (r *multilevelRun) pilotSamples(k int) int64 {
	if r.request.Finest == 0 {
		return int64(max(2*leastPilot, firstPilot>>max(0, k-firstPairs+1)))
	}
	return int64(max(leastPilot, firstPilot>>k))
}

// begin chooses the coarsest level, after pilots of so many pairs. If no finest depth is given, it
// goes on to more until some remain above that level.
func (r *multilevelRun) begin(ctx context.Context, pairs int) error {
	most := pairs
	if r.request.Finest == 0 {
		most = min(r.mostPairs(), mostFirstPairs)
	}
	for ; ; pairs++ {
		if err := r.pilot(ctx, pairs); err != nil {
			return err
		}
		r.base = r.cheapestBase()
		if r.base <= pairs-fittedPairs || pairs == most {
			break
		}
	}
	r.base = max(0, min(r.base, pairs-fittedPairs))
	r.single.sampling = r.sampling(r.base, false)
	return r.single.extend(ctx, r.Expectation, leastPilot)
}

// cheapestBase is the coarsest level for which the predicted cost is least: the square of
// Σ√(V C), up to a factor that is the same for all.
func (r *multilevelRun) cheapestBase() int {
	base, least, above := 0, math.Inf(1), 0.0
	for k := len(r.pairs) - 1; k >= 0; k-- {
		l := &r.pairs[k]
		above += math.Sqrt(float64(l.values.variance() * l.work()))
		alone := math.Sqrt(float64(l.coarse.variance() * float64(l.steps)))
		if cost := alone + above; cost <= least {
			base, least = k, cost
		}
	}
	return base
}

// levels are those that are summed.
func (r *multilevelRun) levels() []*levelSamples {
	levels := []*levelSamples{&r.single}
	for k := r.base; k < len(r.pairs); k++ {
		levels = append(levels, &r.pairs[k])
	}
	return levels
}

// sample draws until the standard error is reached.
func (r *multilevelRun) sample(ctx context.Context) error {
	square := float64(r.request.StandardError * r.request.StandardError)
	for {
		sum, error2 := 0.0, 0.0
		for _, l := range r.levels() {
			variance := l.values.variance()
			sum += math.Sqrt(float64(variance * l.work()))
			error2 += variance / float64(l.values.count)
		}
		if error2 <= square {
			return nil
		}
		for _, l := range r.levels() {
			count := math.Ceil(math.Sqrt(l.values.variance()/l.work()) * (sum / square))
			if err := l.extend(ctx, r.Expectation, int64(min(count, float64(2*maxSamples)))); err != nil {
				return err
			}
		}
	}
}

// last are the differences by which decays are judged: the finest ones, as a decay is that of
// small steps.
func (r *multilevelRun) last() []levelSamples {
	return r.pairs[max(r.base, len(r.pairs)-fittedPairs-1):]
}

// varianceDecay is that of the last differences. Where a hundred samples would have a
// hundredth of the standard error, the decay makes no difference, and may be that of
// rounding errors; if that is so of all, they do not vary.
func (r *multilevelRun) varianceDecay() (decay Decay, vary bool) {
	var fit line
	for _, l := range r.last() {
		variance := l.values.variance()
		if math.Sqrt(variance) > 0.1*r.request.StandardError {
			fit.add(bits.Len(uint(l.cell.Depth/r.Cell.Depth)), variance, l.values.varianceError())
		}
	}
	return fit.decay(), fit.points > 0
}

// weakDecay is that of the means of all differences that are not noise.
func (r *multilevelRun) weakDecay() Decay {
	var fit line
	for _, l := range r.levels()[1:] {
		mean, deviation := math.Abs(l.values.mean), l.values.standardError()
		if mean > 3*deviation && mean > 0.01*r.request.StandardError {
			fit.add(bits.Len(uint(l.cell.Depth/r.Cell.Depth)), mean, deviation)
		}
	}
	return fit.decay()
}

// leastVarianceDecay separates the order ½ of functions that jump from 1, and for the
// antithetic coupling that of the plain one, 1, from 3/2.
func (r *multilevelRun) leastVarianceDecay() float64 {
	if r.request.Antithetic {
		return 1.25
	}
	return 0.75
}

// judge refuses a decay of the variances that the theory does not have. As long as it is not
// seen, it draws more samples of the last differences, and then goes on to finer ones.
func (r *multilevelRun) judge(ctx context.Context) error {
	const (
		sure   = 0.8 // the width of an interval that tells
		enough = 2048
	)
	least, most := r.leastVarianceDecay(), min(r.mostPairs(), mostFirstPairs)
	for r.request.Finest == 0 {
		decay, vary := r.varianceDecay()
		tells := decay.High-decay.Low <= sure
		if !vary || tells && decay.Order >= least {
			return nil
		}
		fewest := enough
		for _, l := range r.last() {
			fewest = min(fewest, int(l.values.count))
		}
		switch {
		case fewest < enough && !decay.below(least):
			for k := range r.last() {
				l := &r.last()[k]
				if err := l.extend(ctx, r.Expectation, min(enough, 2*l.values.count)); err != nil {
					return err
				}
			}
		case len(r.pairs) < most:
			if err := r.pilot(ctx, len(r.pairs)+1); err != nil {
				return err
			}
		case decay.Order >= least:
			return nil
		default:
			return refusedVariance(decay, least)
		}
	}
	return nil
}

// check refuses decays that all samples together do not show. The mean at a given depth
// does not need them.
func (r *multilevelRun) check() error {
	if r.request.Finest != 0 {
		return nil
	}
	if decay, _ := r.varianceDecay(); decay.below(r.leastVarianceDecay()) {
		return refusedVariance(decay, r.leastVarianceDecay())
	}
	if decay := r.weakDecay(); decay.below(0.5) {
		return fmt.Errorf("the mean of the differences between depths falls with order %v, not at least 0.5: the limit may not exist", decay)
	}
	return nil
}

func refusedVariance(decay Decay, least float64) error {
	return fmt.Errorf("the variance of the differences between depths falls with order %v, not at least %g: the function may be discontinuous, or the coupling not converge", decay, least)
}

// estimate sums the levels up.
func (r *multilevelRun) estimate() *MultilevelEstimate {
	e := &MultilevelEstimate{WeakDecay: r.weakDecay()}
	e.VarianceDecay, _ = r.varianceDecay()
	square := 0.0
	for _, l := range r.levels() {
		e.Value += l.values.mean
		square += l.values.variance() / float64(l.values.count)
		e.Levels = append(e.Levels, l.level())
	}
	e.StandardError = math.Sqrt(square)
	e.Bias = r.bias(e.WeakDecay)
	e.Cost = float64(r.single.values.count) * r.single.work()
	for k := range r.pairs {
		e.Cost += float64(float64(r.pairs[k].values.count) * r.pairs[k].work())
	}
	e.PlainCost = float64(r.single.values.variance()/square) * float64(r.Steps<<len(r.pairs))
	return e
}

func (r *multilevelRun) bias(decay Decay) float64 {
	order := 1.0
	if !math.IsNaN(decay.Order) {
		order = max(0.5, decay.Order)
	}
	ratio := elementary.Exp(float64(-math.Ln2 * order))
	largest, factor := 0.0, ratio/(1-ratio)
	for k := len(r.pairs) - 1; k >= max(r.base, len(r.pairs)-3); k-- {
		largest = max(largest, float64(math.Abs(r.pairs[k].values.mean)*factor))
		factor = float64(factor * ratio)
	}
	return largest
}

// level reports the samples of a level.
func (l *levelSamples) level() Level {
	depth := l.cell.Depth
	if l.refined {
		depth *= 2
	}
	return Level{depth, l.values.count, l.values.mean, l.values.variance(), l.values.varianceError(), l.work()}
}
