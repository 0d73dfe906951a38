package verify

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
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
func figure3Horizon(l *laboratory, r *report) error {
	if err := changeBetweenHorizons(l, r); err != nil {
		return err
	}
	next, further := 0.0, 0.0
	for _, dim := range []int{4, 7, 10} {
		critical, _ := overlap.CriticalBeta(dim)
		above := math.Ceil(10*critical) / 10
		for _, beta := range []float64{above - 0.3, above, above + 0.2, above + 1} {
			limit, err := l.diffusion(dim, beta, overlap.Softmax, 1)
			if err != nil {
				return err
			}
			laws, err := fokkerplanck.Uniform(limit, []float64{50, 500}, 1e-4)
			if err != nil {
				return err
			}
			change := math.Abs(laws[1].Antipodal(tolerance).Value - laws[0].Antipodal(tolerance).Value)
			if beta == above {
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
			counts, law, err := outcomes(l, c, trajectories, horizon)
			if err != nil {
				return err
			}
			r.binomial("antipodal at time "+number(horizon)+", "+describe(c), law.Antipodal(tolerance).Value, counts[sphere.Antipodal], trajectories, depthShift/depth)
		}
	}
	return nil
}

// changeBetweenHorizons: depth 25 takes away some 0.004 from both probabilities, and next to nothing
// from their difference.
func changeBetweenHorizons(l *laboratory, r *report) error {
	const depth, trajectories, depthEffect = 25, 4000, 0.002
	c := uniformPair(4, 0.7, depth)
	limit, err := l.limitOf(c)
	if err != nil {
		return err
	}
	laws, err := fokkerplanck.Uniform(limit, []float64{50, 500}, 1e-6)
	if err != nil {
		return err
	}
	seen, err := observe(l, c, trajectories, []int64{50 * depth, 500 * depth}, func(v *sde.View) float64 {
		if outcomeOf(seePair(v)) == sphere.Antipodal {
			return 1
		}
		return 0
	})
	if err != nil {
		return err
	}
	changes := make([]float64, trajectories)
	for k := range changes {
		changes[k] = seen[1][k] - seen[0][k]
	}
	predicted := laws[1].Antipodal(tolerance).Value - laws[0].Antipodal(tolerance).Value
	r.normal("change of the antipodal fraction from T = 50 to 500, "+describe(c), predicted, meanOf(changes, identity), 0.0025, depthEffect)
	return nil
}

// figure6Positive counts trajectories with an antipodal pair when nearly all have
// clustered.
func figure6Positive(l *laboratory, r *report) error {
	const depth, horizon, trajectories, bound = 40, 30, 300, 0.05
	for _, x := range []struct {
		tokens   int
		expected float64
	}{{2, 0.3}, {3, 0.5}, {5, 0.6}, {10, 0.75}, {20, 0.8}} {
		c := tokens(x.tokens, 4, 5, depth)
		seen, err := atLayer(l, c, trajectories, horizon*depth, classify)
		if err != nil {
			return err
		}
		r.above("antipodal pair, "+describe(c), bound, x.expected, count(seen, func(s seenOutcome) bool { return s.pair }), trajectories)
	}
	return nil
}

// figure7Stable looks at the same trajectories at two times. The theory of two clusters of 20
// and 30 tokens has a decay time of 37,000; only clusters of one or two against all
// others decay within hundreds of units.
func figure7Stable(l *laboratory, r *report) error {
	const depth, trajectories = 40, 200
	c := tokens(50, 4, 5, depth)
	seen, err := observe(l, c, trajectories, []int64{25 * depth, 50 * depth}, classify)
	if err != nil {
		return err
	}
	changed := 0
	for k, before := range seen[0] {
		if seen[1][k].outcome != before.outcome {
			changed++
		}
	}
	r.below("outcomes that change from time 25 to 50", 0.2, 0.01, changed, trajectories)
	r.above("antipodal at time 50", 0.7, 0.95, fractionOf(seen[1], sphere.Antipodal), trajectories)
	return nil
}
