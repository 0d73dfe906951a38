package verify

import (
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

var theorem2 = []Claim{
	{
		"thm2-below", Clustering, "Theorem 2",
		"where d-2 ≥ cosh 2β two tokens never become antipodal",
		"an end -1 that attracts below the threshold, so that a share of pairs stays", theorem2Below,
	},
	{
		"thm2-above", Clustering, "Theorem 2",
		"where d-2 < cosh 2β two tokens become antipodal with positive probability",
		"an end -1 that repels above the threshold, or a law at a horizon that is off by 0.06", theorem2Above,
	},
	{
		"thm2-exhaustive", Clustering, "Theorem 2",
		"two tokens end as a single cluster or antipodal: P(A₁)+P(A₂) = 1",
		"pairs that stay between the ends, or outcomes that are counted twice or not at all",
		theorem2Exhaustive,
	},
	{
		"thm2-probability", Clustering, "Theorem 2, (24)",
		"two tokens become antipodal with the probability of the scale function",
		"a wrong scale function: an exponent, a factor of 2 or the ends exchanged", theorem2Probability,
	},
	{
		"thm2-continuous", Clustering, "Section 6",
		"P(antipodal) is 0 at β_c and rises continuously beyond it, linearly for d ≥ 4",
		"a jump at the threshold, or a scale function that is wrong next to it", theorem2Continuous,
	},
}

// theorem2Below counts the pairs of tokens near overlap -1 at time 100. According to the Fokker-Planck
// equation hardly any pairs are left near -1 at this time.
func theorem2Below(f *fixture, r *report) {
	const horizon, trajectories, depth = 100, 1000, 30
	for c := range parts(r, []sde.Cell{
		uniformPair(4, 0.3, depth), uniformPair(6, 0.6, depth), uniformPair(10, 1, depth),
		unnormalized(uniformPair(4, 0.3, depth)), unnormalized(uniformPair(10, 1, depth)),
	}) {
		counts, law := outcomes(f, c, trajectories, horizon*depth/float64(c.Depth))
		p := law.Antipodal(tolerance)
		r.binomial("antipodal, "+describe(c), p.Value, counts[sphere.Antipodal], counts.all(), 0.049,
			p.Error)
		r.refute(0.05) // a fraction that does not decay
	}
}

// theorem2Above counts antipodal pairs of tokens at a horizon at which few pairs are undecided.
func theorem2Above(f *fixture, r *report) {
	const horizon, trajectories, depth = 40, 2000, 50
	for c := range parts(r, []sde.Cell{
		uniformPair(4, 1.5, depth), uniformPair(6, 2, depth), uniformPair(10, 3, depth),
		unnormalized(uniformPair(4, 1.5, depth)), unnormalized(uniformPair(6, 2, depth)),
	}) {
		counts, law := outcomes(f, c, trajectories, horizon*depth/float64(c.Depth))
		r.binomial("antipodal, "+describe(c), law.Antipodal(tolerance).Value, counts[sphere.Antipodal],
			counts.all(), 0.05, depthShift/depth)
		r.refute(0)
	}
}

// theorem2Exhaustive counts pairs of tokens that are neither antipodal nor in one cluster. The Fokker-Planck
// equation predicts how the number of undecided pairs decreases.
func theorem2Exhaustive(f *fixture, r *report) {
	const trajectories, depth = 2000, 50
	for _, c := range []sde.Cell{uniformPair(3, 1, depth), unnormalized(uniformPair(3, 1, depth))} {
		for layers := range parts(r, []float64{120 * depth, 10 * depth}) {
			time := layers / float64(c.Depth)
			counts, law := outcomes(f, c, trajectories, time)
			sum := law.Antipodal(tolerance).Value + law.Single(tolerance).Value
			decided := counts[sphere.Antipodal] + counts[sphere.Single]
			r.binomial("P(A₁)+P(A₂), "+describe(c)+" after "+number(layers)+" layers", sum, decided,
				counts.all(), 0.04, depthShift/depth)
		}
	}
}

// theorem2Probability simulates pairs of tokens until they are within a band around overlap -1 or 1, and
// compares the fractions with the scale function, which takes the band into account.
func theorem2Probability(f *fixture, r *report) {
	const band, trajectories, depth, horizon = 1e-5, 10_000, 64, 200
	for c := range parts(r, []sde.Cell{
		transformerPair(3, 1, sde.Softmax, depth, 0), transformerPair(2, 1, sde.Softmax, depth, 0.5),
		transformerPair(4, 1, sde.Softmax, depth, 0),
		transformerPair(5, 1.5, sde.Softmax, depth, -0.3), transformerPair(8, 3, sde.Softmax, depth, 0.2),
		unnormalized(transformerPair(4, 1, sde.Softmax, depth, 0)),
		unnormalized(transformerPair(5, 1.5, sde.Softmax, depth, -0.3)),
	}) {
		limit := f.limitOf(c)
		p := must(limit.HitFrom(c.Start.(sde.PairStart).Overlap, -1+band, 1-band))
		antipodal, _, all := exits(f, c, trajectories, horizon*depth, band)
		r.binomial("antipodal, "+describe(c), p.Value, antipodal, all, 0.04, depthShift/depth)
	}
}

// theorem2Continuous estimates the power of β-β_c with which the antipodal probability vanishes at β_c, from
// two values of β near β_c. theorem2Continuous also compares simulations somewhat above β_c with the law at
// the horizon.
func theorem2Continuous(f *fixture, r *report) {
	const near, ratio = 0.002, 4
	for _, dim := range []int{3, 4, 10} {
		critical, _ := overlap.CriticalBeta(dim)
		var p [2]float64
		for k, beta := range []float64{critical + near, critical + near*ratio} {
			limit := must(f.diffusion(dim, beta, overlap.Softmax, 1))
			p[k] = limit.AntipodalUniform().Value
		}
		power := 1.0
		if dim == 3 {
			power = 2 // β_c = 0, and the probability is even in β
		}
		measured := elementary.Log(p[1]/p[0]) / elementary.Log(ratio)
		r.equal("power of β-β_c, "+dimension(dim), power, measured, 0.05)
	}
	const trajectories, depth, horizon = 2000, 50, 40
	critical, _ := overlap.CriticalBeta(4)
	for more := range parts(r, []float64{0.05, 0.2, 0.5}) {
		c := uniformPair(4, critical+more, depth)
		counts, law := outcomes(f, c, trajectories, horizon)
		r.binomial("antipodal, d=4 β_c+"+number(more), law.Antipodal(tolerance).Value,
			counts[sphere.Antipodal], counts.all(), 0.06, depthShift/depth)
	}
}
