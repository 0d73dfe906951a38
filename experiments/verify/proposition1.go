package verify

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

var proposition1 = []Claim{
	{
		"flow-single", Clustering, "Section 5.2",
		"without noise all tokens end in one cluster",
		"a flow whose field has the wrong sign, or that does not move some tokens", flowSingle,
	},
	{
		"prop1-single", Clustering, "Proposition 1",
		"the hybrid with unnormalized attention ends in one cluster if ε² < 2e^-β",
		"noise of variance ε instead of ε², or a threshold above ε² = 2e^-β",
		proposition1Single,
	},
	{
		"prop1-antipodal", Clustering, "Proposition 1",
		"the hybrid with unnormalized attention ends antipodal if ε² > 2e^-β",
		"noise of variance ε instead of ε², or a threshold below ε² = 2e^-β", proposition1Antipodal,
	},
	{
		"softmax-window", Clustering, "new",
		"the hybrid with softmax has both outcomes if 1+e^-2β < ε² < 2, and otherwise only one",
		"thresholds of softmax that are those of unnormalized attention, or only one of them", softmaxWindow,
	},
}

// flowSingle simulates the flow of several tokens and the flow of two tokens. The law of the overlap of two
// tokens at a time is the law of the start, transported by the flow.
func flowSingle(f *fixture, r *report) {
	const trajectories, depth, horizon = 100, 10, 60
	many := uniformTokens(6, 4, 1, depth)
	many.Model = sde.Flow{}
	observed := atLayer(f, many, trajectories, horizon*depth, classify)
	r.never("not single, "+describe(many), len(observed)-countOf(observed, sphere.Single), len(observed),
		0.12)
	two := sde.Cell{
		Model: sde.Flow{}, Method: sde.Chain, Tokens: 2, Dim: 3, Beta: 2, Depth: 100,
		Start: sde.UniformStart{},
	}
	diffusion := must(f.hybrid(two.Dim, two.Beta, overlap.Softmax, 0))
	for horizon := range parts(r, []float64{5, 10, 40}) {
		laws := must(fokkerplanck.Uniform(diffusion, []float64{horizon}, 1e-6))
		counts := outcomesOf(atLayer(f, two, 2000, int64(horizon*float64(two.Depth)), pairOf))
		r.binomial("single at time "+number(horizon)+", "+describe(two), laws[0].Single(tolerance).Value,
			counts[sphere.Single], counts.all(), 0.08, depthShift/float64(two.Depth))
	}
}

func proposition1Single(f *fixture, r *report) { proposition1Side(f, r, 0.85) }

func proposition1Antipodal(f *fixture, r *report) { proposition1Side(f, r, 1.15) }

// proposition1Side tests the hybrid with a noise amplitude ε that is the given multiple of the threshold
// √(2e^-β). The slopes of ln(1+Z) for overlaps Z next to -1, and of ln(1-Z) next to 1, show whether -1 and 1
// are attracting. Pairs of tokens are also simulated until they are within a band around -1 or 1, which shows
// to which overlap they converge.
func proposition1Side(f *fixture, r *report, multiple float64) {
	const depth, trajectories, horizon, band = 100, 300, 200, 1e-4
	for _, beta := range []float64{0.5, 1} {
		epsilon := multiple * math.Sqrt(2*elementary.Exp(-beta))
		c := hybridPair(beta, epsilon, sde.Unnormalized, depth, sde.PairStart{Overlap: 0})
		diffusion := must(f.hybrid(c.Dim, beta, overlap.Unnormalized, epsilon))
		p := must(diffusion.HitFrom(0, -1+band, 1-band))
		antipodal, single, all := exits(f, c, trajectories, horizon*depth, band)
		r.binomial("antipodal, "+describe(c), p.Value, antipodal, antipodal+single, 0.16, hybridShift/depth)
		r.refute(0.5)
		r.never("undecided, "+describe(c), all-antipodal-single, all, 0.15)
		attracting := [2]bool{
			diffusion.MinusOne() == overlap.Attracting, diffusion.PlusOne() == overlap.Attracting,
		}
		hybridSlopes(f, r, c, attracting)
	}
}

// softmaxWindow compares the outcomes of the hybrid with softmax attention inside the window of ε, where both
// outcomes occur, with the Fokker-Planck equation at a horizon, because outcomes are decided slowly inside
// the window. softmaxWindow also measures the slopes of ln(1±Z) next to overlaps ∓1 below, inside and above
// the window.
func softmaxWindow(f *fixture, r *report) {
	const beta = 1
	const trajectories, depth, horizon = 400, 150, 50
	c := hybridPair(beta, 1.2, sde.Softmax, depth, sde.UniformStart{})
	diffusion := must(f.hybrid(c.Dim, beta, overlap.Softmax, 1.2))
	laws := must(fokkerplanck.Uniform(diffusion, []float64{horizon}, 1e-6))
	observed := outcomesOf(atLayer(f, c, trajectories, horizon*depth, pairOf))
	r.bothOutcomes(" at time 50, "+describe(c), observed, laws[0].Antipodal(tolerance).Value,
		laws[0].Single(tolerance).Value, 0.2, hybridShift/depth)
	for _, x := range []struct{ epsilon, horizon, end float64 }{
		{1.2, 0.43648, 0.71702256}, {1.3, 0.78013, 0.88637863},
	} {
		diffusion = must(f.hybrid(c.Dim, beta, overlap.Softmax, x.epsilon))
		laws = must(fokkerplanck.Uniform(diffusion, []float64{horizon}, 1e-6))
		r.equal("theory at time 50, ε="+number(x.epsilon), x.horizon, laws[0].Antipodal(tolerance).Value,
			1e-5)
		r.equal("theory in the end, ε="+number(x.epsilon), x.end, diffusion.AntipodalUniform().Value, 1e-8)
	}
	for _, epsilon := range []float64{0.9, 1.2, 1.6} {
		attracting := [2]bool{square(epsilon) > 1+elementary.Exp(-2*beta), square(epsilon) < 2}
		c := hybridPair(beta, epsilon, sde.Softmax, depth, nil)
		hybridSlopes(f, r, c, attracting)
	}
}

// hybridShift, divided by the depth, bounds the effect of finite depth on the probability of an outcome of
// the hybrid. The largest measured value is 2, in the middle of softmax's window at time 50.
const hybridShift = 3

// hybridSlopes compares the slopes of ln(1+Z) for overlaps Z next to -1, and of ln(1-Z) next to 1, with the
// exact slopes of the hybrid recursion. The recursion multiplies the norm |S| of the sum of the two tokens by
// 1+w(p+q), and the norm |D| of their difference by 1+w(p-q), with w = 1/L ± ε/√L, at any overlap. The signs
// of the slopes must agree with the theory's statement whether -1 and 1 are attracting.
func hybridSlopes(f *fixture, r *report, c sde.Cell, attracting [2]bool) {
	const trajectories = 16_000
	c.Depth = 50
	for k, end := range []float64{-1, 1} {
		r.part(func() {
			q := elementary.Exp(-float64(c.Beta * (1 - end)))
			p := 1 / (1 + q)
			if c.Attention == sde.Unnormalized {
				p = 0.5 * elementary.Exp(c.Beta)
			}
			q *= p
			predicted := 0.0
			for _, v := range []float64{-1, 1} {
				w := 1/float64(c.Depth) + v*c.Model.(sde.Hybrid).Epsilon/math.Sqrt(float64(c.Depth))
				ratio := (1 + float64(w*(p+q))) / (1 + float64(w*(p-q)))
				predicted -= end * float64(c.Depth) * elementary.Log(math.Abs(ratio))
			}
			c.Start = sde.PairStart{Overlap: end * (1 - near)}
			measured := slope(f, c, trajectories, []func(pair) float64{logPlus, logMinus}[k])
			r.normal([]string{"slope of ln(1+Z), ", "slope of ln(1-Z), "}[k]+describe(c), predicted, measured,
				math.Abs(predicted)/4, 0)
			r.refute(0)
			r.equal("attracting or not, "+describe(c), sign(predicted < 0), sign(attracting[k]), 0)
		})
	}
}
