package verify

import (
	"antipode/experiments/theory"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/activation"
)

var mlpClaims = []Claim{
	{
		"mlp-depth", Clustering, "new",
		"with a wide MLP two tokens have the outcomes of the exact law at their depth",
		"an MLP of another strength, or a layer's covariance that leaves out what tokens share", mlpDepth,
	},
	{
		"mlp-width", Clustering, "new",
		"as L → ∞ the width of an MLP has no effect: one hidden unit has the same limit as many",
		"an MLP whose strength depends on its width, or a limit with another correlation", mlpWidth,
	},
	{
		"mlp-stationary", Clustering, "new",
		"with a strong rough MLP neither outcome attracts: the overlap has a stationary law",
		"a stationary density without the variance, or an MLP of another variance w", mlpStationary,
	},
	{
		"mlp-lifetime", Clustering, "new",
		"a weak MLP with relu ends an antipodal pair, after the mean time to leave overlap -1",
		"an MLP that is odd, or another strength; an entrance with another drift", mlpLifetime,
	},
}

// besideMLP returns a cell of two tokens under attention and an MLP. The cell is simulated as a Markov chain
// of the overlap if the MLP is infinitely wide.
func besideMLP(dim int, beta float64, depth int, m sde.MLP) sde.Cell {
	c := uniformPair(dim, beta, depth)
	c.MLP = m
	if c.Method = sde.Tokens; m.Width == 0 {
		c.Method = sde.Chain
	}
	return c
}

// mlpDepth counts outcomes of two tokens with an MLP after few layers, where the law of the overlap is far
// from its limit of infinite depth.
func mlpDepth(f *fixture, r *report) {
	const trajectories, depth, layers = 4000, 20, 200
	for c := range parts(r, []sde.Cell{
		besideMLP(4, 1.5, depth, sde.MLP{Activation: activation.Tanh, Strength: 0.5, Variance: 4}),
		besideMLP(3, 1, depth, sde.MLP{Activation: activation.ReLU, Strength: 0.1, Variance: 1}),
		besideMLP(5, 2, depth, sde.MLP{Activation: activation.Linear, Strength: 0.3, Variance: 1}),
	}) {
		law := theory.AtDepth(c, layers, tolerance)
		counts := outcomesOf(atLayer(f, c, trajectories, layers, pairOf))
		r.bothOutcomes(", "+describe(c), counts, law.Antipodal, law.Single, 0.04, law.Error)
	}
}

// mlpWidth counts outcomes of two tokens with MLPs of several widths at a horizon.
func mlpWidth(f *fixture, r *report) {
	const trajectories, depth, horizon = 500, 100, 4
	for width := range parts(r, []int{1, 4, 16}) {
		c := besideMLP(4, 1.5, depth, sde.MLP{Activation: activation.Tanh, Strength: 0.5, Variance: 4,
			Width: width})
		law := must(fokkerplanck.Uniform(must(theory.Diffusion(c)), []float64{horizon}, 1e-6))[0]
		counts := outcomesOf(atLayer(f, c, trajectories, horizon*depth, pairOf))
		r.binomial("antipodal, width "+number(float64(width)), law.Antipodal(tolerance).Value,
			counts[sphere.Antipodal], counts.all(), 0.05, depthShift/depth)
	}
}

// mlpStationary estimates the mean overlap of two tokens with an MLP long after the overlap has become
// stationary.
func mlpStationary(f *fixture, r *report) {
	const trajectories, depth = 1000, 1600
	c := besideMLP(12, 0.5, depth, sde.MLP{Activation: activation.Tanh, Strength: 5, Variance: 36})
	law, _ := must(theory.Diffusion(c)).Stationary()
	observed := atLayer(f, c, trajectories, depth, func(v *sde.View) float64 { return v.Overlap(0, 1) })
	// The time constant of the approach to the stationary law is 0.08, and the noise of a layer is about 1/50
	// of the square of the overlap.
	r.normal("mean overlap at time 1, d=12 β=0.5", law.Mean(), meanOf(observed, identity), 0.1, 0.02)
	r.refute(1)
	r.refute(0)
}

// mlpLifetime estimates the mean time until the overlap of opposite tokens is first observed at 0 or above,
// for three strengths of the MLP.
func mlpLifetime(f *fixture, r *report) {
	const depth = 100
	for x := range parts(r, []struct {
		strength     float64
		trajectories int64
	}{{0.1, 1500}, {0.01, 1500}, {0.001, 400}}) {
		relu := sde.MLP{Activation: activation.ReLU, Strength: x.strength, Variance: 1}
		c := besideMLP(4, 1.5, depth, relu)
		c.Start = sde.PairStart{Overlap: -1}
		what := describe(c) + " relu c=" + number(x.strength)
		lifetime(f, r, what, c, must(theory.Diffusion(c)), x.trajectories)
	}
}
