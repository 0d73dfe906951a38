package verify

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

var pairClaims = []Claim{
	{
		"depth-threshold", Clustering, "new",
		"at finite depth overlap -1 begins to attract at another β, at which its exponent is 0",
		"the boundary of infinite depth instead of the boundary at this depth", depthThreshold,
	},
	{
		"horizon-law", Clustering, "new",
		"at a finite horizon outcomes have the probabilities of a Fokker-Planck equation",
		"a Fokker-Planck equation with mass lost at its ends, or a wrong clock; the limit in its place",
		horizonLaw,
	},
	{
		"beta-sign", Clustering, "new",
		"two tokens have the same law with -β as with β; three tokens do not",
		"attention that does not treat both tokens alike; statistics that see no difference for three",
		betaSign,
	},
}

// depthThreshold measures the slope of ln(1+Z) for overlaps Z next to -1 on both sides of the threshold at
// the simulated depth. depthThreshold then interpolates the β at which the slope is 0, as the slope is smooth
// in β.
func depthThreshold(f *fixture, r *report) {
	const apart = 0.05
	for x := range parts(r, []struct {
		dim, depth int
		found      float64
	}{{4, 10, 0.02}, {10, 10, 0.025}, {4, 100, 0.02}}) {
		critical, _, err := finitedepth.CriticalBeta(x.dim, overlap.Softmax, 1, x.depth)
		ensure(err)
		var slopes [2]estimate
		for k, beta := range []float64{critical - apart, critical + apart} {
			c := transformerPair(x.dim, beta, sde.Softmax, x.depth, -1+near)
			slopes[k] = slope(f, c, 60_000, logPlus)
		}
		rise := (slopes[1].value - slopes[0].value) / (2 * apart)
		middle := 0.5 * (slopes[0].value + slopes[1].value)
		stderr := 0.5 * math.Hypot(slopes[0].stderr, slopes[1].stderr)
		zero := estimate{critical - middle/rise, stderr / math.Abs(rise), slopes[0].degrees}
		r.normal("zero of the exponent, "+dimension(x.dim)+" L="+number(float64(x.depth)), critical, zero,
			x.found, 0.001)
		if limit, _ := overlap.CriticalBeta(x.dim); x.depth == 10 {
			r.refute(limit)
		}
	}
}

// horizonLaw compares outcomes of two tokens with the theory at horizons at which some trajectories are
// undecided or the law differs from its limit. horizonLaw also compares two means over the entire law.
func horizonLaw(f *fixture, r *report) {
	const depth, trajectories = 100, 4000
	for x := range parts(r, []struct {
		cell           sde.Cell
		horizon, shift float64
	}{
		{uniformPair(4, 1, depth), 10, 1.5}, // depth matters most while many are undecided
		{uniformPair(8, 2, depth), 20, depthShift},
	}) {
		counts, law := outcomes(f, x.cell, trajectories, x.horizon)
		antipodal, single := law.Antipodal(tolerance).Value, law.Single(tolerance).Value
		r.bothOutcomes(" at time "+number(x.horizon)+", "+describe(x.cell), counts, antipodal, single, 0.045,
			x.shift/depth)
	}
	r.part(func() { laterMeans(f, r, transformerPair(4, 1, sde.Softmax, depth, 0)) })
}

// laterMeans compares two simulated means of the overlap with those of its theoretical law, at two times.
func laterMeans(f *fixture, r *report, c sde.Cell) {
	limit := f.limitOf(c)
	laws := must(fokkerplanck.From(limit, 0, []float64{1, 3}, 1e-6))
	observed := observe(f, c, 40_000, []int64{int64(c.Depth), 3 * int64(c.Depth)}, pairOf)
	for k, law := range laws {
		r.normal("E Z at time "+number(law.Time)+", "+describe(c), law.Expectation(identity),
			meanOf(observed[k], pair.z), 0.03, depthShift/float64(c.Depth))
		r.normal("E Z² at time "+number(law.Time)+", "+describe(c), law.Expectation(square),
			meanOf(observed[k], func(p pair) float64 { return square(p.z()) }), 0.016,
			depthShift/float64(c.Depth))
	}
}

// betaSign compares means of the overlap of two tokens after some layers of depth 1, at β and at -β. At -β
// each of the two tokens exchanges the weight of itself with the weight of the other token; this exchanges
// the two attention vectors. The reflection that exchanges the tokens exchanges the attention vectors too,
// and the law of Gaussian matrices is invariant under reflections. The simulation changes the sign of β by
// the interaction matrix -Id.
func betaSign(f *fixture, r *report) {
	const dim, layers, trajectories = 4, 4, 30_000
	minusIdentity := make([]float64, dim*dim)
	for k := range dim {
		minusIdentity[k*dim+k] = -1
	}
	for tokens := range parts(r, []int{2, 3}) {
		c := uniformTokens(tokens, dim, 3, 1)
		opposite := c
		opposite.Interaction = minusIdentity
		plus := atLayer(f, c, trajectories, layers, pairOf)
		minus := atLayer(f, opposite, trajectories, layers, pairOf)
		for power, name := range []string{"E Z", "E Z²", "E Z³", "E Z⁴"} {
			moment := func(p pair) float64 { return math.Pow(p.z(), float64(power+1)) }
			difference := meanOf(minus, moment).minus(meanOf(plus, moment))
			if tokens == 2 {
				r.normal(name+" with -β less that with β, "+describe(c), 0, difference, 0.05, 0)
			}
			if tokens == 3 && power == 1 {
				r.beyond(name+" with -β less that with β, "+describe(c), 0, 0.03, difference)
			}
		}
	}
}
