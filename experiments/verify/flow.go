package verify

import (
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
)

// flowSingle follows the flow of some tokens, and of two, whose law at a time is that of
// the start, carried along.
func flowSingle(l *laboratory, r *report) error {
	const trajectories, depth, horizon = 100, 10, 60
	many := sde.Cell{Model: sde.Flow{}, Tokens: 6, Dim: 4, Beta: 1, Depth: depth, Start: sde.UniformStart{}}
	seen, err := atLayer(l, many, trajectories, horizon*depth, func(v *sde.View) sphere.Outcome { return classify(v).outcome })
	if err != nil {
		return err
	}
	r.never("not single, "+describe(many), count(seen, func(o sphere.Outcome) bool { return o != sphere.Single }), trajectories)
	two := sde.Cell{Model: sde.Flow{}, Method: sde.Chain, Tokens: 2, Dim: 3, Beta: 2, Depth: 100, Start: sde.UniformStart{}}
	diffusion, err := overlap.NewHybrid(two.Dim, two.Beta, overlap.Softmax, 0)
	if err != nil {
		return err
	}
	for _, horizon := range []float64{5, 10, 40} {
		laws, err := fokkerplanck.Uniform(diffusion, []float64{horizon}, 1e-6)
		if err != nil {
			return err
		}
		pairs, err := atLayer(l, two, 2000, int64(horizon*float64(two.Depth)), seePair)
		if err != nil {
			return err
		}
		single := count(pairs, func(p pair) bool { return outcomeOf(p) == sphere.Single })
		r.binomial("single at time "+number(horizon)+", "+describe(two), laws[0].Single(tolerance).Value, single, len(pairs), depthShift/float64(two.Depth))
	}
	return nil
}
