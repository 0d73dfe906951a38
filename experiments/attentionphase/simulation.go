package attentionphase

import (
	"context"

	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde/matrices"
)

// mostRows is the greatest number of rows of an attention matrix that are simulated. All rows have the same
// law, so that the simulated rows, and pairs of them, have the same expectations as all rows.
const mostRows = 32

// layer returns the law of the simulated layers at one ρ.
func (a *Experiment) layer(rho float64) matrices.ScoreLayer {
	return matrices.ScoreLayer{Tokens: int(*a.Tokens), Dim: int(a.Dim), Rows: min(mostRows, int(*a.Tokens)),
		Rho: rho}
}

// checkSimulation returns an error for simulated layers with infinitely many tokens, or with too many tokens.
func (a *Experiment) checkSimulation() error {
	if a.Simulate == nil {
		return nil
	}
	switch {
	case a.Tokens == nil:
		return parameter.Errorf("tokens", "inf", "must be a number of tokens, for layers to be simulated")
	case *a.Tokens > matrices.MaxSize:
		return parameter.Errorf("tokens", *a.Tokens, "must be at most 2^24, for layers to be simulated")
	}
	return nil
}

// checkCost returns an error for simulated layers that would need too much memory or time.
func (a *Experiment) checkCost(options run.Options) error {
	if a.Simulate == nil {
		return nil
	}
	l := a.layer(0)
	sample, each := l.Operations()
	tasks := *a.Simulate * int64(len(a.Rho))
	workers := options.WorkersFor(tasks)
	needs := run.Needs{
		Seconds: (sample + each*float64(len(a.Beta))) * float64(tasks) * attention.PerOperation / workers,
		Kept:    8 * float64(tasks) * float64(measures*len(a.Beta)),
		Rows:    float64(len(a.Rho) * len(a.Beta)),
	}
	return run.CheckCost(l.Memory()*workers, needs.Of(options.Part, tasks), options, a.Parameters(),
		"tokens", "simulate")
}

// samplesOf returns the number of simulated layers at each ρ.
func (a *Experiment) samplesOf() int {
	if a.Simulate == nil {
		return 0
	}
	return int(*a.Simulate)
}

// measures is how many numbers a simulated layer has at each β.
const measures = 3

// sample measures a simulated layer at one ρ. At each β it returns the mean participation ratio of the rows
// of attention and, for two tokens after the layer, the mean cosine and the mean inner product divided by the
// mean squared norm. A layer with a single simulated row has no cosine.
func (a *Experiment) sample(ctx context.Context, rho float64, seed uint64, number int64) ([]float64, error) {
	s := a.layer(rho).Draw(seed, number)
	var numbers []float64
	for _, beta := range a.Beta {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.Attend(beta)
		y2, cosine, ratio := s.Moments()
		numbers = append(numbers, y2, data.FiniteOrNaN(cosine), data.FiniteOrNaN(ratio))
	}
	return numbers, nil
}
