package verify

import (
	"math"

	"antipode/experiments/theory"
	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/sde"
	"antipode/sphere/elementary"
)

var massesClaims = []Claim{
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
}

// clusters returns a cell of two opposite clusters, with the given numbers of tokens, under recursion (4).
func clusters(first, second, dim int, beta float64, depth int) sde.Cell {
	return sde.Cell{
		Model: sde.Transformer{Sigma: 1}, Method: sde.Chain, Tokens: first + second, Dim: dim, Beta: beta,
		Depth: depth,
		Start: sde.OppositeStart{First: first, Second: second},
	}
}

// diffusionOf returns the theoretical diffusion of the overlap of the two clusters of a cell.
func diffusionOf(c sde.Cell) *overlap.Diffusion {
	start := c.Start.(sde.OppositeStart)
	return must(overlap.NewMasses(c.Dim, c.Beta, theory.Attention(c.Attention),
		c.Model.(sde.Transformer).Sigma, float64(start.First), float64(start.Second)))
}

// massesEntrance observes two opposite clusters after one infinitesimal layer. After this layer 1+Z is a
// multiple of a χ² variable with d-1 degrees of freedom, as for a squared Bessel process of dimension d-1.
// Clusters of equal size do not move.
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
	equal.Method = sde.Tokens // in the chain, |S| = 0 stays 0 with any weights
	rise := risen(equal)
	const rounding = 1e-12
	r.never("equal clusters that part", lists.Count(rise, func(x float64) bool { return x > rounding }),
		len(rise), 0.01)
}

// eventTimes simulates two clusters from overlap -1 and returns the times at which an event is first
// observed. The overlap is observed after every between layers.
func eventTimes(
	f *fixture, c sde.Cell, trajectories, horizon, between int64, event func(p pair) bool,
) []float64 {
	times := everyLayers(between, horizon*int64(c.Depth)/between*between)
	return follow(f, c, trajectories, times, func(time *float64, v *sde.View) {
		*time = float64(v.Layer) / float64(c.Depth)
	}, func(v *sde.View) bool { return event(pairOf(v)) })
}

// positive is the event that the overlap is 0 or more, and together is the event of a single cluster.
func positive(p pair) bool { return p.logPlus >= p.logMinus }
func together(p pair) bool { return p.logMinus <= elementary.Log(tolerance) }

// lifetime compares two mean times of clusters that start at overlap -1. The first is the simulated time at
// which the overlap is first observed at 0 or above. The second is the theoretical passage time to a level
// that lies 0.5826 standard deviations of a step above 0. The shift of the level allows for the fact that the
// overlap is observed after whole layers only. The constant 0.5826 is -ζ(½)/√2π, Broadie, Glasserman and Kou,
// Math. Finance 7 (1997) 325. Apart from this shift, depth 100 changes a lifetime by a few hundredths of it.
func lifetime(
	f *fixture, r *report, what string, c sde.Cell, diffusion *overlap.Diffusion, trajectories int64,
) {
	const seenLate, depthEffect = 0.5826, 0.04
	late := seenLate * math.Sqrt(diffusion.Variance(0)/float64(c.Depth))
	predicted := must(firstpassage.Between(diffusion, -1, late))
	times := eventTimes(f, c, trajectories, int64(40*(1+predicted.Value)), 1, positive)
	r.normal("lifetime, "+what, predicted.Value, meanOf(times, identity),
		6*predicted.Value/math.Sqrt(float64(trajectories)), depthEffect*predicted.Value)
}

func massesLifetime(f *fixture, r *report) {
	const depth = 100
	for x := range parts(r, []struct {
		cell         sde.Cell
		trajectories int64
	}{
		{clusters(1, 2, 4, 1.5, depth), 1500}, {clusters(1, 3, 3, 1, depth), 1500},
		{clusters(1, 2, 4, 2.5, depth), 400},
	}) {
		lifetime(f, r, describe(x.cell), x.cell, diffusionOf(x.cell), x.trajectories)
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

// decayTime estimates how long opposite clusters last on average after a time at which only the slowest mode
// of the diffusion is left. The estimate is the maximum likelihood estimate of an exponential tail. The
// estimate is compared with the theoretical decay time.
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
