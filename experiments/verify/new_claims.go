package verify

import (
	"math"

	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/firstpassage"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

var newClaims = []Claim{
	{
		"masses-entrance", Clustering, "new",
		"opposite unequal clusters leave overlap -1 at once, at the rate (d-1)/2 σ² (α₁-α₂)²",
		"masses without effect on the weights, or masses that separate clusters of equal " +
			"size", massesEntrance,
	},
	{
		"masses-lifetime", Clustering, "new",
		"opposite unequal clusters last for the mean passage time of the overlap to 0",
		"a mean passage time with a factor or an end wrong; masses exchanged", massesLifetime,
	},
	{
		"masses-decay", Clustering, "new",
		"opposite unequal clusters decay at the slowest eigenvalue of the generator",
		"an eigenvalue that is not the slowest, or the lifetime instead of the decay time", massesDecay,
	},
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

// clusters returns a cell of two opposite clusters under recursion (4).
func clusters(first, second, dim int, beta float64, depth int) sde.Cell {
	return sde.Cell{
		Model: sde.Transformer{Sigma: 1}, Method: sde.Chain, Tokens: first + second, Dim: dim, Beta: beta,
		Depth: depth,
		Start: sde.OppositeStart{First: first, Second: second},
	}
}

// diffusionOf returns the theory of two clusters.
func diffusionOf(c sde.Cell) *overlap.Diffusion {
	start := c.Start.(sde.OppositeStart)
	return must(overlap.NewMasses(c.Dim, c.Beta, theory.Attention(c.Attention),
		c.Model.(sde.Transformer).Sigma, float64(start.First), float64(start.Second)))
}

// massesEntrance considers one infinitesimal layer. After this layer 1+Z is a multiple of a χ² variable with
// d-1 degrees of freedom, as for a squared Bessel process of dimension d-1. Clusters of equal size do not
// move.
func massesEntrance(f *fixture, r *report) {
	const trajectories = 20_000
	risen := func(c sde.Cell) []float64 {
		return atLayer(f, c, trajectories, 1, func(v *sde.View) float64 {
			return elementary.Exp(pairOf(v).logPlus) * float64(c.Depth)
		})
	}
	for c := range parts(r, []sde.Cell{
		clusters(1, 2, 4, 1, infinitesimalDepth), clusters(1, 2, 2, 1, infinitesimalDepth),
		clusters(3, 7, 6, 0.5, infinitesimalDepth),
	}) {
		diffusion := diffusionOf(c)
		rise := risen(c)
		rate, freedom := diffusion.Drift(-1), float64(c.Dim-1)
		r.normal("rate of 1+Z, "+describe(c), rate, meanOf(rise, identity), 0.08*rate, 0)
		r.refute(0)
		r.normal("E(1+Z)²/rate², "+describe(c), 1+2/freedom,
			meanOf(rise, square).scaled(1/(rate*rate)), 0.5, 0)
	}
	equal := clusters(2, 2, 4, 1, infinitesimalDepth)
	equal.Method = sde.Tokens // in the chain, |S| = 0 stays 0 whatever the weights
	rise := risen(equal)
	const rounding = 1e-12
	r.never("equal clusters that part", count(rise, func(x float64) bool { return x > rounding }),
		len(rise), 0.01)
}

// eventTimes simulates clusters from overlap -1 and returns the times at which an event is first
// observed; between is the number of layers between observations.
func eventTimes(
	f *fixture, c sde.Cell, trajectories, horizon, between int64, event func(p pair) bool,
) []float64 {
	times := everyLayers(between, horizon*int64(c.Depth)/between*between)
	return follow(f, c, trajectories, times, func(time *float64, v *sde.View) {
		*time = float64(v.Layer) / float64(c.Depth)
	}, func(v *sde.View) bool { return event(pairOf(v)) })
}

// positive is the event that the overlap is 0 or more; together is the event of a single cluster.
func positive(p pair) bool { return p.logPlus >= p.logMinus }
func together(p pair) bool { return p.logMinus <= elementary.Log(tolerance) }

// massesLifetime compares two mean times: the time at which the overlap is first observed at 0 or above, and
// the passage time to a level that lies 0.5826 standard deviations of a step above 0. This shift of the level
// allows for the fact that the overlap is observed at whole layers only. The constant is -ζ(½)/√2π, Broadie,
// Glasserman and Kou, Math. Finance 7 (1997) 325. Otherwise the effect of depth 100 is a few hundredths.
func massesLifetime(f *fixture, r *report) {
	const depth, seenLate, depthEffect = 100, 0.5826, 0.04
	for x := range parts(r, []struct {
		cell         sde.Cell
		trajectories int64
	}{
		{clusters(1, 2, 4, 1.5, depth), 1500}, {clusters(1, 3, 3, 1, depth), 1500},
		{clusters(1, 2, 4, 2.5, depth), 400},
	}) {
		c := x.cell
		diffusion := diffusionOf(c)
		predicted := must(firstpassage.Between(diffusion, -1,
			seenLate*math.Sqrt(diffusion.Variance(0)/depth)))
		times := eventTimes(f, c, x.trajectories, int64(40*(1+predicted.Value)), 1, positive)
		r.normal("lifetime, "+describe(c), predicted.Value, meanOf(times, identity),
			6*predicted.Value/math.Sqrt(float64(x.trajectories)), depthEffect*predicted.Value)
	}
}

func massesDecay(f *fixture, r *report) {
	const depth = 100
	for x := range parts(r, []struct {
		cell         sde.Cell
		trajectories int64
	}{
		{clusters(1, 2, 4, 1.5, depth), 1500}, {clusters(1, 3, 3, 1.2, depth), 1500},
		{clusters(1, 2, 4, 2.5, depth), 400},
	}) {
		decayTime(f, r, x.cell, x.trajectories)
	}
}

// decayTime estimates how long clusters last on average after a time at which only the slowest mode is left.
// The estimate is the maximum likelihood estimate of an exponential tail. It is compared with the decay time.
func decayTime(f *fixture, r *report, c sde.Cell, trajectories int64) {
	const between, depthEffect = 10, 0.04
	diffusion := diffusionOf(c)
	decay := must(firstpassage.DecayTime(diffusion))
	times := eventTimes(f, c, trajectories, int64(40*(1+decay.Value)), between, together)
	period := between / float64(c.Depth)
	settled := period * math.Round((decay.Value+2)/period)
	var tail []float64
	for _, time := range times {
		if time > settled+0.5*period {
			tail = append(tail, time-settled-0.5*period)
		}
	}
	r.normal("decay time, "+describe(c), decay.Value, meanOf(tail, identity),
		10*decay.Value/math.Sqrt(float64(trajectories)), depthEffect*decay.Value)
}

// depthThreshold measures the slope of ln(1+Z) next to -1 on both sides of the threshold at that depth. It
// then interpolates the zero of the slope, as the exponent is smooth in β.
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

// horizonLaw compares outcomes at horizons at which some trajectories are undecided or the law differs from
// its limit, and two means over the entire law.
func horizonLaw(f *fixture, r *report) {
	const depth, trajectories = 100, 4000
	for x := range parts(r, []struct {
		cell           sde.Cell
		horizon, shift float64
	}{
		{uniformPair(4, 1, depth), 10, 1.5}, // the effect of depth is greatest while many are undecided
		{uniformPair(8, 2, depth), 20, depthShift},
	}) {
		counts, law := outcomes(f, x.cell, trajectories, x.horizon)
		antipodal, single := law.Antipodal(tolerance).Value, law.Single(tolerance).Value
		of := " at time " + number(x.horizon) + ", " + describe(x.cell)
		r.binomial("antipodal"+of, antipodal, counts[sphere.Antipodal], counts.all(), 0.045,
			x.shift/depth)
		r.binomial("single"+of, single, counts[sphere.Single], counts.all(), 0.045, x.shift/depth)
	}
	r.part(func() { laterMeans(f, r, transformerPair(4, 1, sde.Softmax, depth, 0)) })
}

// laterMeans compares two means of the overlap with those of its law, at two times.
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

// betaSign compares means of the overlap after some layers of depth 1, at β and at -β. At -β each of two
// tokens exchanges the weight of itself with the weight of the other token; this exchanges the two attention
// vectors. The reflection that exchanges the tokens exchanges the attention vectors too, and the law of
// Gaussian matrices is invariant under it. The simulation changes the sign of β by the interaction -Id.
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
