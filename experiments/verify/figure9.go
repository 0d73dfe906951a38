package verify

import (
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/firstpassage"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// figure9SmallBeta measures the slope of ln(1-Z) of two of many tokens that have come
// together: with noise -(d-1)σ², the exponent of two tokens, as all have nearly the same
// field; in the flow -2, as a layer divides what is across the field by 1+1/L.
func figure9SmallBeta(l *laboratory, r *report) error {
	const depth, dim, first, last = 40, 4, 6, 9
	noisy := tokens(50, dim, 0.5, depth)
	flow := noisy
	flow.Model, flow.Tokens = sde.Flow{}, 12
	layer, err := finitedepth.Single(dim, noisy.Beta, overlap.Softmax, 1, depth)
	if err != nil {
		return err
	}
	separate := *l
	separate.apart = true // a distance below that of merging is one all the same
	slope := func(c sde.Cell, trajectories int64, within float64) (estimate, error) {
		seen, err := observe(&separate, c, trajectories, []int64{first * depth, last * depth}, seePair)
		var slopes []float64
		for k, p := range seen[0] {
			if p.below < elementary.Log(within) {
				slopes = append(slopes, (seen[1][k].below-p.below)/(last-first))
			}
		}
		return meanOf(slopes, identity), err
	}
	measured, err := slope(noisy, 300, 1e-2)
	if err != nil {
		return err
	}
	const notYetTogether = 0.1
	r.normal("slope of ln(1-Z) with noise", 2*depth*layer.Lyapunov(), measured, 0.1, notYetTogether)
	if measured, err = slope(flow, 20, 1e-2); err != nil {
		return err
	}
	r.normal("slope of ln(1-Z) in the flow", -2*depth*elementary.Log1p(1./depth), measured, 0.02, 0.02)
	return nil
}

// figure9LargeBeta counts what has not clustered at the figure's horizon.
func figure9LargeBeta(l *laboratory, r *report) error {
	const trajectories, horizon = 100, 30
	noisy := tokens(50, 4, 4.5, 30)
	flow := noisy
	flow.Model, flow.Depth = sde.Flow{}, 10
	unclustered := func(c sde.Cell) (int, error) {
		seen, err := atLayer(l, c, trajectories, int64(horizon*c.Depth), classify)
		return fractionOf(seen, sphere.Unclustered), err
	}
	n, err := unclustered(noisy)
	if err != nil {
		return err
	}
	r.below("not clustered at time 30 with noise", 0.3, 0.01, n, trajectories)
	if n, err = unclustered(flow); err != nil {
		return err
	}
	r.above("not clustered at time 30 in the flow", 0.5, 0.93, n, trajectories)
	return nil
}

// figure9Metastable takes 50 tokens in clusters of 20 and 30. At β = 1.5 their decay is seen
// to be the theory's; its time constant grows like e^2β, to 13,000 at the figure's β.
func figure9Metastable(l *laboratory, r *report) error {
	const depth, trajectories = 50, 500
	if err := decayTime(l, r, clusters(20, 30, 4, 1.5, depth), trajectories); err != nil {
		return err
	}
	var times [2]float64
	for k, beta := range []float64{2.5, 4.5} {
		diffusion, err := diffusionOf(clusters(20, 30, 4, beta, depth))
		if err != nil {
			return err
		}
		decay, err := firstpassage.DecayTime(diffusion)
		if err != nil {
			return err
		}
		times[k] = decay.Value
	}
	r.equal("slope of ln decay time in β", 2, elementary.Log(times[1]/times[0])/2, 0.2)
	r.most("decay times at β = 4.5 up to T = 30", 0.01, 30/times[1])
	return nil
}
