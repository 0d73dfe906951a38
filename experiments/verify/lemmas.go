package verify

import (
	"math"

	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/firstpassage"
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

var overlapLemmas = []Claim{
	{
		"lemma4-drift", Clustering, "Lemma 4",
		"the mean of a step of the overlap of two tokens is the drift of (20) and (21)",
		"a drift with d-2 instead of d-1, without the weights' normalisation, or of independent " +
			"noise", lemma4Drift,
	},
	{
		"lemma4-variance", Clustering, "Lemma 4",
		"the variance of a step of the overlap is that of (20), and twice that of (21)",
		"a variance 3 % off, or value matrices or attention weights that are", lemma4Variance,
	},
	{
		"lemma5-plus", Clustering, "Lemma 5",
		"overlap +1 always attracts two tokens",
		"an exponent of the pair next to +1 that depends on β, or the sign of a logarithm", lemma5Plus,
	},
	{
		"lemma5-minus", Clustering, "Lemma 5",
		"overlap -1 attracts two tokens if and only if d-2 < cosh 2β",
		"an exponent next to -1 with another root than cosh 2β = d-2, or an end classed wrongly", lemma5Minus,
	},
	{
		"lemma6-unattained", Clustering, "Lemma 6",
		"overlaps ±1 are not reached in finite time",
		"tokens that are merged or stick while they are apart; noise that does not vanish at an end",
		lemma6Unattained,
	},
}

// infinitesimalDepth is a depth L at which one layer is an infinitesimal step. The terms that are neglected
// in the mean and the variance of a step are of relative order 1/L, below 10^-6. The rounding error of an
// overlap is 10^-8 of a step.
const infinitesimalDepth = 1 << 26

var (
	bothAttentions = []sde.Attention{sde.Softmax, sde.Unnormalized}
	stepOverlaps   = []float64{0, -0.95, -0.7, -0.35, 0.35, 0.7, 0.95}
)

// stepCells returns the cells of two tokens for which one step of the overlap is compared with the limit.
func stepCells(dims ...int) []sde.Cell {
	betas := map[int]float64{2: 1, 3: 0.7, 5: 1.5}
	var cells []sde.Cell
	for _, attention := range bothAttentions {
		for _, d := range dims {
			for _, z := range stepOverlaps {
				c := transformerPair(d, betas[d], attention, infinitesimalDepth, z)
				c.Method = sde.Tokens
				cells = append(cells, c)
			}
		}
	}
	return cells
}

func lemma4Drift(f *fixture, r *report) {
	for c := range parts(r, stepCells(3, 2, 5)) {
		limit := f.limitOf(c)
		z := c.Start.(sde.PairStart).Overlap
		mean := evenSteps(f, c, z, 4000)
		r.normal(describe(c), limit.Drift(z), mean, 0.1*math.Sqrt(limit.Variance(z))*float64(c.Dim), 0)
	}
}

// evenSteps estimates the drift of the overlap at z. In powers of L^-½ the overlap after a layer is z +
// ℓ₁L^-½ + ℓ₂/L + …, whose terms are alternately odd and even in the value matrix. The average of a step with
// a value matrix and a step with the negative value matrix is therefore ℓ₂/L. The mean of ℓ₂/L is the drift,
// and its standard deviation is of the same size. The standard deviation of ℓ₁L^-½ is √L times as large.
func evenSteps(f *fixture, c sde.Cell, z float64, draws int64) estimate {
	c = f.cell(c)
	stepper, d := sde.NewStepper(c), c.Dim
	increment := make([]float64, stepper.IncrementLen())
	path := brownian.NewPath(f.seed, c.ID(), c.Depth, len(increment))
	x := make([]float64, 2*d)
	step := func() float64 {
		clear(x) // all pairs with this overlap have the same law of a step
		x[0], x[d], x[d+1] = 1, z, math.Sqrt((1-z)*(1+z))
		ensure(stepper.Step(x, increment))
		return sphere.Dot(x[:d], x[d:]) - z
	}
	changes := make([]float64, f.samples(draws))
	for k := range int64(len(changes)) {
		path.Increment(increment, k, 0, 0)
		c.FromBrownian(increment, increment)
		plus := step()
		for i := range increment {
			increment[i] = -increment[i]
		}
		minus := step()
		changes[k] = 0.5 * float64(c.Depth) * (plus + minus)
	}
	return meanOf(changes, identity)
}

func lemma4Variance(f *fixture, r *report) {
	for c := range parts(r, stepCells(3)) {
		limit := f.limitOf(c)
		variance := squaredSteps(f, c, 12_500)
		want := limit.Variance(c.Start.(sde.PairStart).Overlap)
		r.normal(describe(c), want, variance, 0.022*want, 0)
	}
}

// squaredSteps estimates the variance of the overlap per unit of time by the mean square of the change of the
// overlap in a layer. The overlap hardly moves during the few simulated layers, which therefore serve as
// additional trajectories.
func squaredSteps(f *fixture, c sde.Cell, trajectories int64) estimate {
	const layers = 16
	type row struct{ z, squares float64 }
	start := c.Start.(sde.PairStart).Overlap
	rows := follow(f, c, trajectories, everyLayers(1, layers), func(r *row, v *sde.View) {
		before, x := r.z, v.Tokens()
		if v.Layer == 1 {
			before = start
		}
		r.z = sphere.Dot(x[:c.Dim], x[c.Dim:])
		r.squares += float64((r.z - before) * (r.z - before))
	}, nil)
	return meanOf(rows, func(r row) float64 { return float64(c.Depth) * r.squares / layers })
}

// slope estimates the mean change, per unit of time, of a function of the overlap Z, either ln(1+Z) or
// ln(1-Z).
func slope(f *fixture, c sde.Cell, trajectories int64, of func(p pair) float64) estimate {
	type row struct{ first, last float64 }
	rows := follow(f, c, trajectories, []int64{0, int64(c.Depth)}, func(r *row, v *sde.View) {
		if r.last = of(pairOf(v)); v.Layer == 0 {
			r.first = r.last
		}
	}, nil)
	return meanOf(rows, func(r row) float64 { return r.last - r.first })
}

func logPlus(p pair) float64  { return p.logPlus }
func logMinus(p pair) float64 { return p.logMinus }

// near is the distance of the overlap from ±1 within which the law of a step equals its limit up to rounding.
const near = 1e-13

// lemma5Minus starts pairs of tokens next to overlap -1 and measures the slope of ln(1+Z) against time. A
// negative slope means that -1 is attracting. The prediction is the exponent of the recursion, which at the
// simulated depth and in these cells has the sign of d-2-cosh 2β.
func lemma5Minus(f *fixture, r *report) {
	const depth = 50
	for x := range parts(r, []struct {
		dim  int
		beta float64
	}{{2, 0.5}, {4, 1.2}, {4, 0.3}, {6, 1.5}, {6, 0.6}, {10, 2}, {10, 1}}) {
		c := transformerPair(x.dim, x.beta, sde.Softmax, depth, -1+near)
		layer := must(finitedepth.Antipodal(x.dim, x.beta, overlap.Softmax, 1, depth))
		limit := f.limitOf(c)
		measured := slope(f, c, 10_000, logPlus)
		predicted := 2 * depth * layer.Lyapunov()
		r.normal("slope of ln(1+Z), "+describe(c), predicted, measured, 0.18, 0)
		r.refute(0)
		attracts := float64(c.Dim-2) < math.Cosh(2*c.Beta)
		r.equal("sign of the slope, "+describe(c), sign(!attracts), math.Copysign(1, predicted), 0)
		r.equal("-1 attracts, "+describe(c), sign(attracts), sign(limit.MinusOne() == overlap.Attracting),
			0)
	}
}

// sign returns 1 for true and -1 for false.
func sign(b bool) float64 {
	if b {
		return 1
	}
	return -1
}

// lemma5Plus starts pairs of tokens next to overlap 1 and measures the slope of ln(1-Z) against time. Overlap
// 1 is always attracting: at infinite depth the slope is -(d-1).
func lemma5Plus(f *fixture, r *report) {
	const depth = 50
	for x := range parts(r, []struct {
		dim  int
		beta float64
	}{{2, 1}, {3, 0}, {4, 1}, {10, 2}}) {
		c := transformerPair(x.dim, x.beta, sde.Softmax, depth, 1-near)
		layer := must(finitedepth.Single(x.dim, x.beta, overlap.Softmax, 1, depth))
		measured := slope(f, c, 10_000, logMinus)
		r.normal("slope of ln(1-Z), "+describe(c), 2*depth*layer.Lyapunov(), measured, 0.18, 0)
		const deep = 1 << 20
		layer = must(finitedepth.Single(x.dim, x.beta, overlap.Softmax, 1, deep))
		r.equal("its limit, "+describe(c), -float64(x.dim-1), 2*deep*layer.Lyapunov(), 1e-3)
	}
}

// lemma6Unattained simulates pairs of tokens on their way to overlap 1. If the slope of ln(1-Z) against time
// stays constant, every decrease of 1-Z by the factor e takes equally long, and overlap 1 is not reached. The
// tokens of the recursion, and of a numerical scheme for its limit, are followed as long as floating-point
// numbers can distinguish the two tokens. The Markov chain of the overlap, which stores logarithms, is
// followed for a hundred units of time.
func lemma6Unattained(f *fixture, r *report) {
	tokensApproach(f, r)
	r.part(func() {
		chainApproaches(f, r)
	})
	limit := must(f.diffusion(5, 0.5, overlap.Softmax, 1))
	var times [2]float64
	for k, delta := range []float64{1e-8, 1e-12} {
		passage := must(firstpassage.Between(limit, 0, 1-delta))
		times[k] = passage.Value
	}
	r.equal("mean time from 1-Z = 1e-8 to 1e-12", 4*math.Ln10/(5-1), times[1]-times[0], 1e-3)
}

// tokensApproach starts two tokens at 1-Z = 1e-3. After two units of time the mean of ln(1-Z) is -15, with
// standard deviation 2.8; the tokens coincide by rounding when ln(1-Z) is near -70.
func tokensApproach(f *fixture, r *report) {
	const depth, time, trajectories, schemeError = 50, 2, 2000, 0.15
	coincide := elementary.Log(0x1p-100) // View.Logarithms of tokens that coincide
	layer := must(finitedepth.Single(5, 0.5, overlap.Softmax, 1, depth))
	recursion := transformerPair(5, 0.5, sde.Softmax, depth, 1-1e-3)
	recursion.Method = sde.Tokens
	geodesic := recursion
	geodesic.Model = sde.TransformerSDE{Sigma: 1, Scheme: sde.Geodesic}
	for x := range parts(r, []struct {
		what             string
		cell             sde.Cell
		slope, allowance float64
	}{
		{"recursion", recursion, 2 * depth * layer.Lyapunov(), 0.01},
		{"geodesic Euler", geodesic, -(5 - 1), schemeError},
	}) {
		observed := observe(f, x.cell, trajectories, []int64{time * int64(x.cell.Depth)}, pairOf)
		rise := meanOf(observed[0], logMinus).shifted(-elementary.Log(1e-3))
		r.normal("slope of ln(1-Z) of tokens, "+x.what, x.slope, rise.scaled(1./time), 0.25, x.allowance)
		r.never("tokens at an end, "+x.what,
			lists.Count(observed[0], func(p pair) bool { return p.logMinus <= coincide }), len(observed[0]),
			0.05)
	}
}

func chainApproaches(f *fixture, r *report) {
	const depth, trajectories = 20, 2000
	c := transformerPair(5, 0.5, sde.Softmax, depth, 0)
	observed := observe(f, c, trajectories, []int64{100 * depth, 200 * depth}, pairOf)
	layer := must(finitedepth.Single(c.Dim, c.Beta, overlap.Softmax, 1, depth))
	// The means at times 100 and 200 are positively correlated. The error of their difference is therefore
	// smaller than the error that the method minus computes for independent means.
	late := meanOf(observed[1], logMinus).minus(meanOf(observed[0], logMinus))
	r.normal("slope of ln(1-Z) from time 100 to 200", 2*depth*layer.Lyapunov(), late.scaled(0.01), 0.06, 0)
}
