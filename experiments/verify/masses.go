package verify

import (
	"math"

	"antipode/experiments/internal/theory"
	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/sde"
	"antipode/sphere/elementary"
)

var masses = []Claim{
	{
		"masses-entrance", Clustering, "new",
		"opposite unequal clusters leave overlap -1 at once, at the rate (d-1)/2 σ² (α₁-α₂)²",
		"masses that do not count in the weights, or that part clusters of equal size", massesEntrance,
	},
	{
		"masses-lifetime", Clustering, "new",
		"opposite unequal clusters last for the mean passage time of the overlap to 0",
		"a mean passage time with a factor or an end wrong; masses exchanged", massesLifetime,
	},
	{
		"masses-decay", Clustering, "new",
		"opposite unequal clusters decay at the slowest eigenvalue of the generator",
		"an eigenvalue that is not the slowest, or the lifetime in place of the decay time", massesDecay,
	},
}

// clusters are two opposite clusters under recursion (4).
func clusters(first, second, dim int, beta float64, depth int) sde.Cell {
	return sde.Cell{
		Model: sde.Transformer{Sigma: 1}, Method: sde.Chain, Tokens: first + second, Dim: dim, Beta: beta, Depth: depth,
		Start: sde.OppositeStart{First: first, Second: second},
	}
}

// diffusionOf is the theory of two clusters.
func diffusionOf(c sde.Cell) (*overlap.Diffusion, error) {
	start := c.Start.(sde.OppositeStart)
	return overlap.NewMasses(c.Dim, c.Beta, theory.Attention(c.Attention), c.Model.(sde.Transformer).Sigma,
		float64(start.First), float64(start.Second))
}

// massesEntrance looks at one infinitesimal layer: 1+Z is a multiple of χ² with d-1 degrees of
// freedom, as of a squared Bessel process of dimension d-1. Clusters of equal size stay.
func massesEntrance(l *laboratory, r *report) error {
	const trajectories = 20_000
	risen := func(c sde.Cell) ([]float64, error) {
		return atLayer(l, c, trajectories, 1, func(v *sde.View) float64 {
			return elementary.Exp(seePair(v).above) * float64(c.Depth)
		})
	}
	for _, c := range []sde.Cell{clusters(1, 2, 4, 1, infinitesimalDepth), clusters(1, 2, 2, 1, infinitesimalDepth), clusters(3, 7, 6, 0.5, infinitesimalDepth)} {
		diffusion, err := diffusionOf(c)
		if err != nil {
			return err
		}
		rise, err := risen(c)
		if err != nil {
			return err
		}
		rate, freedom := diffusion.Drift(-1), float64(c.Dim-1)
		r.normal("rate of 1+Z, "+describe(c), rate, meanOf(rise, identity), 0.02*rate, 0)
		r.refute(0)
		r.normal("E(1+Z)²/rate², "+describe(c), 1+2/freedom, meanOf(rise, square).scaled(1/(rate*rate)), 0.1, 0)
	}
	equal := clusters(2, 2, 4, 1, infinitesimalDepth)
	equal.Method = sde.Tokens // the chain's |S| = 0 stays 0 whatever the weights
	rise, err := risen(equal)
	if err != nil {
		return err
	}
	const rounding = 1e-12
	r.never("equal clusters that part", count(rise, func(x float64) bool { return x > rounding }), trajectories)
	return nil
}

// lives follows clusters from overlap -1 and returns the times at which an event is first
// seen, looked for after so many layers each.
func lives(l *laboratory, c sde.Cell, trajectories, horizon, between int64, event func(p pair) bool) ([]float64, error) {
	times := everyLayers(between, horizon*int64(c.Depth)/between*between)
	return follow(l, c, trajectories, times, func(time *float64, v *sde.View) {
		*time = float64(v.Layer) / float64(c.Depth)
	}, func(v *sde.View) bool { return event(seePair(v)) })
}

// positive and together are the events of overlap 0 or more, and of one cluster.
func positive(p pair) bool { return p.above >= p.below }
func together(p pair) bool { return p.below <= elementary.Log(tolerance) }

// massesLifetime compares the mean time at which the overlap is first seen at 0 or above with
// the mean passage time to 0.5826 standard deviations of a step beyond, which allows for
// its being seen at whole layers only: -ζ(½)/√2π, Broadie, Glasserman and Kou, Math.
// Finance 7 (1997) 325. Otherwise the effect of depth 100 is a few hundredths.
func massesLifetime(l *laboratory, r *report) error {
	const depth, seenLate, depthEffect = 100, 0.5826, 0.04
	for _, x := range []struct {
		cell         sde.Cell
		trajectories int64
	}{{clusters(1, 2, 4, 1.5, depth), 1500}, {clusters(1, 3, 3, 1, depth), 1500}, {clusters(1, 2, 4, 2.5, depth), 400}} {
		c := x.cell
		diffusion, err := diffusionOf(c)
		if err != nil {
			return err
		}
		predicted, err := firstpassage.Between(diffusion, -1, seenLate*math.Sqrt(diffusion.Variance(0)/depth))
		if err != nil {
			return err
		}
		times, err := lives(l, c, x.trajectories, int64(40*(1+predicted.Value)), 1, positive)
		if err != nil {
			return err
		}
		r.normal("lifetime, "+describe(c), predicted.Value, meanOf(times, identity), 2*predicted.Value/math.Sqrt(float64(x.trajectories)), depthEffect*predicted.Value)
	}
	return nil
}

func massesDecay(l *laboratory, r *report) error {
	const depth = 100
	for _, x := range []struct {
		cell         sde.Cell
		trajectories int64
	}{{clusters(1, 2, 4, 1.5, depth), 1500}, {clusters(1, 3, 3, 1.2, depth), 1500}, {clusters(1, 2, 4, 2.5, depth), 400}} {
		if err := decayTime(l, r, x.cell, x.trajectories); err != nil {
			return err
		}
	}
	return nil
}

// decayTime compares the mean time that clusters last beyond a time at which only the slowest
// mode is left, the maximum-likelihood estimate of an exponential tail, with the decay
// time.
func decayTime(l *laboratory, r *report, c sde.Cell, trajectories int64) error {
	const between, depthEffect = 10, 0.04
	diffusion, err := diffusionOf(c)
	if err != nil {
		return err
	}
	decay, err := firstpassage.DecayTime(diffusion)
	if err != nil {
		return err
	}
	times, err := lives(l, c, trajectories, int64(40*(1+decay.Value)), between, together)
	if err != nil {
		return err
	}
	period := between / float64(c.Depth)
	settled := period * math.Round((decay.Value+2)/period)
	var tail []float64
	for _, time := range times {
		if time > settled+0.5*period {
			tail = append(tail, time-settled-0.5*period)
		}
	}
	r.normal("decay time, "+describe(c), decay.Value, meanOf(tail, identity), 3*decay.Value/math.Sqrt(float64(trajectories)), depthEffect*decay.Value)
	return nil
}
