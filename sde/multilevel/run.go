package multilevel

import (
	"context"
	"math"

	"antipode/sphere/elementary"
)

// run is the state of a multilevel Monte Carlo run.
type run struct {
	*Expectation
	request   Request
	doublings int            // of the depth from one level to the next
	pairs     []levelSamples // of two neighbouring depths
	base      int            // the coarsest level is the smaller depth of pairs[base]
	single    levelSamples   // of the coarsest level
}

// levelSamples are the samples of one level.
type levelSamples struct {
	sampling
	values sampleMoments // whose mean is the level's
	coarse sampleMoments // of f at the smaller depth
	slopes sampleMoments // see sample
}

// extend draws samples up to so many.
func (l *levelSamples) extend(ctx context.Context, e *Expectation, count int64) error {
	return e.draw(ctx, l.sampling, l.values.count, max(count, l.values.count), func(s sample) {
		l.coarse.add(s.coarse)
		if l.refined() {
			l.values.add(s.fine - s.coarse)
			l.slopes.add(s.slope)
		} else {
			l.values.add(s.coarse)
		}
	})
}

// sampling is that of pair k, or of its smaller depth alone.
func (r *run) sampling(k int, refined bool) sampling {
	cell, passed := r.Cell, k*r.doublings
	cell.Depth <<= passed
	if !refined {
		return sampling{cell: cell, steps: r.Steps << passed}
	}
	return sampling{cell, r.Steps << passed, r.doublings, r.request.Antithetic}
}

// pilot draws the first samples of new pairs.
func (r *run) pilot(ctx context.Context, pairs int) error {
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
func (r *run) pilotSamples(k int) int64 {
	if r.request.Finest == 0 {
		return int64(max(2*leastPilot, firstPilot>>max(0, (k+1)*r.doublings-firstDoublings)))
	}
	return int64(max(leastPilot, firstPilot>>(k*r.doublings)))
}

// begin chooses the coarsest level, after pilots of so many pairs. If no finest depth is given, it
// goes on to more until some remain above that level.
func (r *run) begin(ctx context.Context, pairs int) error {
	most := pairs
	if r.request.Finest == 0 {
		most = r.mostFirstPairs()
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
func (r *run) cheapestBase() int {
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
func (r *run) levels() []*levelSamples {
	levels := []*levelSamples{&r.single}
	for k := r.base; k < len(r.pairs); k++ {
		levels = append(levels, &r.pairs[k])
	}
	return levels
}

// sample draws until the standard error is reached.
func (r *run) sample(ctx context.Context) error {
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

// estimate sums the levels up.
func (r *run) estimate() *Estimate {
	e := &Estimate{WeakDecay: r.weakDecay()}
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
	e.PlainCost = float64(r.single.values.variance()/square) * float64(r.Steps<<(len(r.pairs)*r.doublings))
	return e
}

// bias is that of the last difference, or of one of those before if it tells of a larger one. A
// mean that is small by chance is made larger by its standard error.
func (r *run) bias(decay Decay) float64 {
	order := 1.0 // theory has no other, so that a larger one is chance, or that of large steps
	if !math.IsNaN(decay.Order) {
		order = min(1, max(0.5, decay.Order))
	}
	ratio := elementary.Exp(float64(-math.Ln2 * float64(order*float64(r.doublings))))
	largest, factor := 0.0, ratio/(1-ratio)
	for k := len(r.pairs) - 1; k >= max(r.base, len(r.pairs)-3); k-- {
		m := &r.pairs[k].values
		largest = max(largest, float64((math.Abs(m.mean)+m.standardError())*factor))
		factor = float64(factor * ratio)
	}
	return largest
}

// level reports the samples of a level.
func (l *levelSamples) level() Level {
	return Level{l.cell.Depth << l.doublings, l.values.count, l.values.mean, l.values.variance(), l.values.varianceError(), l.work()}
}
