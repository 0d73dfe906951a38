// Package splitting holds what experiments share that estimate probabilities of rare events by multilevel
// splitting: trajectories that come closer to the event are split into several. The package chooses the
// levels, runs the splitting and evaluates its repetitions.
package splitting

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"antipode/experiments/internal/statistics"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sde"
)

// Run estimates the time and memory of the splitting of a cell, as run.Simulation does, and runs the
// splitting: it chooses the levels and then simulates the repetitions. The arguments parameters and size are
// the fields Parameters and Size of run.Simulation.
func Run(
	ctx context.Context, s *sde.Splitting, options run.Options, parameters []parameter.Parameter, size string,
) (levels sde.Levels, repetitions []sde.Repetition, err error) {
	s.Seed, s.Workers, s.Part = options.Seed, options.Workers, options.Part
	const expected = 10 // typical number of levels
	ensemble := s.Ensemble(expected)
	needs := run.Needs{Rows: 1, Cells: 1}
	if memory := s.Memory(); memory <= sde.LargestMemory {
		needs.Layers = float64(ensemble.Work())
		needs.Seconds = ensemble.Seconds()
	}
	if err := run.CheckCost(s.Memory(), needs.Of(s.Part, s.Repetitions), options, parameters, size,
		"trajectories"); err != nil {
		return levels, nil, err
	}
	if levels, err = choose(ctx, s); err != nil {
		return levels, nil, err
	}
	if options.Journal != nil {
		s.Checkpoint = run.NewCheckpoint(options.Journal, codec)
	}
	s.Reduce = func(_ int64, r sde.Repetition) error {
		repetitions = append(repetitions, r)
		return nil
	}
	total := options.Part.Trajectories(s.Repetitions)
	s.Progress = func(done, restored int64) {
		options.Report(run.State{Done: done, Restored: restored, Total: total})
	}
	return levels, repetitions, s.Run(ctx, levels)
}

// choose chooses the levels of the splitting with several drifts of the score of trajectories, and returns
// the levels whose estimate has the least variance. The first score has no drift, and the other scores have
// drifts that the first choice suggests. If the score of trajectories falls with time, the event happens in
// trajectories that reach the goal late, or that exceed the goal by as much as they will lose later. If the
// score rises with time, the event happens in trajectories that are in time to reach the goal. If without a
// drift too few trajectories reach the goal to choose levels, choose tries drifts of the typical size of
// Lyapunov exponents.
func choose(ctx context.Context, s *sde.Splitting) (sde.Levels, error) {
	s.Drift = 0
	best, err := s.Choose(ctx)
	late := errors.Is(err, sde.ErrNoProgress)
	if s.AtGoal || err != nil && !late {
		return best, err
	}
	layers, drifts := best.Layers, []float64{-0.5 / float64(s.Cell.Depth), -1 / float64(s.Cell.Depth)}
	if !late {
		change, more, err := s.Measure(ctx, best, int64(s.Cell.Depth))
		if layers += more; err != nil {
			return best, err
		}
		if drifts = nil; change < 0 || change > 0 {
			drifts = []float64{-change / 2, -change}
		}
	}
	drift := 0.
	for _, s.Drift = range drifts {
		levels, other := s.Choose(ctx)
		if layers += levels.Layers; other != nil && !errors.Is(other, sde.ErrNoProgress) {
			return best, other
		}
		if other == nil && (err != nil || levels.Variance < best.Variance) {
			best, drift, err = levels, s.Drift, nil
		}
	}
	s.Drift, best.Layers = drift, layers
	return best, err
}

// codec encodes results of repetitions of the splitting for the journal.
var codec = run.Codec[sde.Repetition]{
	Append: func(bytes []byte, r sde.Repetition) []byte {
		return run.AppendInt(run.AppendInt(run.AppendFloat(bytes, r.Probability), r.Levels), r.Layers)
	},
	Read: func(d *run.Decoder) sde.Repetition {
		return sde.Repetition{Probability: d.Float(), Levels: d.Int(), Layers: d.Int()}
	},
}

// Interval is the mean of independent estimates with its standard error and its 95 % confidence interval.
type Interval struct{ Mean, Stderr, Low, High float64 }

// IntervalOf returns the mean of the estimated probabilities of one or more repetitions, with a 95 %
// confidence interval. The interval is Student's t interval with the transformation of Hall, J. R. Statist.
// Soc. B 54 (1992) 221, eq. (2.3). Estimates by splitting are nearly lognormal; with Hall's transformation,
// skewness does not affect the coverage to first order. If the standard deviation of the repetitions exceeds
// their mean, the interval covers less than 95 %, and more trajectories are needed. The standard error and
// the interval are NaN for one repetition and for equal estimates, for example if no repetition has seen the
// event: such estimates have no scatter from which their error could be judged.
func IntervalOf(repetitions []sde.Repetition) Interval {
	n, first, nan := float64(len(repetitions)), repetitions[0].Probability, math.NaN()
	if !slices.ContainsFunc(repetitions, func(r sde.Repetition) bool { return r.Probability != first }) {
		return Interval{first, nan, nan, nan}
	}
	// In units near the mean, the squares and cubes of rare probabilities do not underflow.
	sum := lists.Sum(lists.Map(repetitions, func(r sde.Repetition) float64 { return r.Probability }))
	unit := math.Ldexp(1, math.Ilogb(sum))
	inUnits := func(r sde.Repetition) float64 { return r.Probability / unit }
	mean, squares := statistics.Deviations(repetitions, inUnits)
	cubes := 0.
	for _, r := range repetitions {
		cubes += math.Pow(inUnits(r)-mean, 3) / n
	}
	stderr := math.Sqrt(squares/(n-1)) / math.Sqrt(n)
	skewness := cubes / math.Pow(squares/n, 1.5)
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return Interval{
		Mean: float64(mean * unit), Stderr: float64(stderr * unit),
		Low:  max(0, float64((mean-float64(stderr*straight(t, skewness, n)))*unit)),
		High: min(1, float64((mean-float64(stderr*straight(-t, skewness, n)))*unit)),
	}
}

// straight is the inverse of Hall's cubic transformation of a t statistic. straight maps the quantile t of a
// symmetric law to the quantile of (mean - truth)/stderr, for n samples with the given skewness.
func straight(t, skewness, n float64) float64 {
	a := skewness / math.Sqrt(n) / 3
	if math.Abs(a) < 1e-6 {
		return t
	}
	return (math.Cbrt(1+float64(3*a*(t-skewness/(6*math.Sqrt(n))))) - 1) / a
}

// Layers returns the total number of layers that all repetitions of the splitting have simulated.
func Layers(repetitions []sde.Repetition) int64 {
	return lists.Sum(lists.Map(repetitions, func(r sde.Repetition) int64 { return r.Layers }))
}

// PlainLayers returns the number of layers that a simulation without splitting would take for the same
// standard error of the probability. The argument horizon is the number of layers of a trajectory. The result
// is NaN if the standard error is not known, or is below 1e-162.
func (i Interval) PlainLayers(horizon int64) float64 {
	variance := float64(i.Stderr * i.Stderr)
	if !(variance > 0) {
		return math.NaN()
	}
	return float64(horizon) * i.Mean * (1 - i.Mean) / variance
}
