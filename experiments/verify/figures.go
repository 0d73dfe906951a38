package verify

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/firstpassage"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

var figures = []Claim{
	{
		"fig3-horizon", Clustering, "Fig. 3",
		"from T = 50 on probabilities change by at most 0.015, next to the threshold",
		"a law or simulation that goes on changing, or has stopped, behind T = 50", figure3Horizon,
	},
	{
		"fig6-positive", Clustering, "Fig. 6",
		"antipodal pairs have positive probability for every number of tokens",
		"antipodal pairs that are not counted in larger configurations, or merge", figure6Positive,
	},
	{
		"fig7-stable", Clustering, "Fig. 7",
		"the antipodal fraction of 50 tokens at β = 5 stays, up to T = 50",
		"clusters that come apart or together by roundings or by merging", figure7Stable,
	},
	{
		"fig9-small-beta", Clustering, "Fig. 9a",
		"at β = 0.5 noise and flow converge at comparable rates: (d-1)σ² and 2",
		"a slope of many tokens without the factor d-1, or of a flow that is not a layer's", figure9SmallBeta,
	},
	{
		"fig9-large-beta", Clustering, "Fig. 9b",
		"at β = 4.5 the noisy dynamics converges much faster than the flow",
		"noise that slows clustering down, or a flow that is faster than its field", figure9LargeBeta,
	},
	{
		"fig9-metastable", Clustering, "Fig. 9b",
		"the noisy dynamics is metastable too: unequal clusters decay, if not by T = 30",
		"unequal clusters that stay for ever, or decay at a rate without e^2β", figure9Metastable,
	},
}

// figure3Horizon compares the change from T = 50 to 500 of the same trajectories with that of the law
// in the cell of the figure that changes most, bounds that of the law next to the threshold (the first
// values above it of the figure's steps of 0.1) and further away, and compares simulations at two
// horizons where the law still changes with where it does not.
func figure3Horizon(f *fixture, r *report) error {
	if err := changeBetweenHorizons(f, r); err != nil {
		return err
	}
	next, further := 0.0, 0.0
	for _, dim := range []int{4, 7, 10} {
		critical, _ := overlap.CriticalBeta(dim)
		first := math.Ceil(10*critical) / 10
		for _, beta := range []float64{first - 0.3, first, first + 0.2, first + 1} {
			limit, err := f.diffusion(dim, beta, overlap.Softmax, 1)
			if err != nil {
				return err
			}
			laws, err := fokkerplanck.Uniform(limit, []float64{50, 500}, 1e-4)
			if err != nil {
				return err
			}
			change := math.Abs(laws[1].Antipodal(tolerance).Value - laws[0].Antipodal(tolerance).Value)
			if beta == first {
				next = max(next, change)
			} else {
				further = max(further, change)
			}
		}
	}
	r.most("change of the law from T = 50 to 500 next to the threshold", 0.015, next)
	r.most("change of the law from T = 50 to 500 further away", 0.004, further)
	const depth, trajectories = 50, 3000
	for _, c := range []sde.Cell{uniformPair(4, 0.7, depth), uniformPair(8, 3, depth)} {
		for _, horizon := range []float64{15, 60} {
			counts, law, err := outcomes(f, c, trajectories, horizon)
			if err != nil {
				return err
			}
			r.binomial("antipodal at time "+number(horizon)+", "+describe(c), law.Antipodal(tolerance).Value,
				counts[sphere.Antipodal], trajectories, depthShift/depth)
		}
	}
	return nil
}

// changeBetweenHorizons: depth 25 lowers both probabilities by about 0.004, and hardly changes their
// difference.
func changeBetweenHorizons(f *fixture, r *report) error {
	const depth, trajectories, depthEffect = 25, 4000, 0.002
	c := uniformPair(4, 0.7, depth)
	limit, err := f.limitOf(c)
	if err != nil {
		return err
	}
	laws, err := fokkerplanck.Uniform(limit, []float64{50, 500}, 1e-6)
	if err != nil {
		return err
	}
	observed, err := observe(f, c, trajectories, []int64{50 * depth, 500 * depth}, func(v *sde.View) float64 {
		if outcomeOf(pairOf(v)) == sphere.Antipodal {
			return 1
		}
		return 0
	})
	if err != nil {
		return err
	}
	changes := make([]float64, trajectories)
	for k := range changes {
		changes[k] = observed[1][k] - observed[0][k]
	}
	predicted := laws[1].Antipodal(tolerance).Value - laws[0].Antipodal(tolerance).Value
	r.normal("change of the antipodal fraction from T = 50 to 500, "+describe(c), predicted,
		meanOf(changes, identity), 0.0025, depthEffect)
	return nil
}

// figure6Positive counts trajectories with an antipodal pair when nearly all have
// clustered.
func figure6Positive(f *fixture, r *report) error {
	const depth, horizon, trajectories, bound = 40, 30, 300, 0.05
	for _, x := range []struct {
		tokens   int
		expected float64
	}{{2, 0.3}, {3, 0.5}, {5, 0.6}, {10, 0.75}, {20, 0.8}} {
		c := uniformTokens(x.tokens, 4, 5, depth)
		observed, err := atLayer(f, c, trajectories, horizon*depth, classify)
		if err != nil {
			return err
		}
		r.above("antipodal pair, "+describe(c), bound, x.expected,
			count(observed, func(s classification) bool { return s.pair }), trajectories)
	}
	return nil
}

// figure7Stable compares the outcomes of the same trajectories at two times. The theory of two clusters of 20
// and 30 tokens has a decay time of 37,000; only clusters of one or two against all
// others decay within hundreds of units.
func figure7Stable(f *fixture, r *report) error {
	const depth, trajectories = 40, 200
	c := uniformTokens(50, 4, 5, depth)
	observed, err := observe(f, c, trajectories, []int64{25 * depth, 50 * depth}, classify)
	if err != nil {
		return err
	}
	changed := 0
	for k, before := range observed[0] {
		if observed[1][k].outcome != before.outcome {
			changed++
		}
	}
	r.below("outcomes that change from time 25 to 50", 0.2, 0.01, changed, trajectories)
	r.above("antipodal at time 50", 0.7, 0.95, fractionOf(observed[1], sphere.Antipodal), trajectories)
	return nil
}

// figure9SmallBeta measures the slope of ln(1-Z) of two of many tokens that have come
// together: with noise -(d-1)σ², the exponent of two tokens, as all have nearly the same
// field; in the flow -2, as a layer divides the components orthogonal to the field by 1+1/L.
func figure9SmallBeta(f *fixture, r *report) error {
	const depth, dim, first, last = 40, 4, 6, 9
	noisy := uniformTokens(50, dim, 0.5, depth)
	flow := noisy
	flow.Model, flow.Tokens = sde.Flow{}, 12
	layer, err := finitedepth.Single(dim, noisy.Beta, overlap.Softmax, 1, depth)
	if err != nil {
		return err
	}
	separate := *f
	separate.unmerged = true // distances below that of merging count too
	slope := func(c sde.Cell, trajectories int64, within float64) (estimate, error) {
		observed, err := observe(&separate, c, trajectories, []int64{first * depth, last * depth}, pairOf)
		var slopes []float64
		for k, p := range observed[0] {
			if p.logMinus < elementary.Log(within) {
				slopes = append(slopes, (observed[1][k].logMinus-p.logMinus)/(last-first))
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

// figure9LargeBeta counts the trajectories that have not clustered at the figure's horizon.
func figure9LargeBeta(f *fixture, r *report) error {
	const trajectories, horizon = 100, 30
	noisy := uniformTokens(50, 4, 4.5, 30)
	flow := noisy
	flow.Model, flow.Depth = sde.Flow{}, 10
	unclustered := func(c sde.Cell) (int, error) {
		observed, err := atLayer(f, c, trajectories, int64(horizon*c.Depth), classify)
		return fractionOf(observed, sphere.Unclustered), err
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

// figure9Metastable takes 50 tokens in clusters of 20 and 30. At β = 1.5 their decay is compared with
// the theory; the decay time grows as e^2β, to 13,000 at the figure's β.
func figure9Metastable(f *fixture, r *report) error {
	const depth, trajectories = 50, 500
	if err := decayTime(f, r, clusters(20, 30, 4, 1.5, depth), trajectories); err != nil {
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
