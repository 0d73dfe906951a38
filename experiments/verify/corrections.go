package verify

import (
	"math"

	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

var corrections = []Claim{
	{
		"eq5", Clustering, "(5)",
		"interpolation needs the factor L(t-n/L); with (t-n/L)/L it jumps at every layer",
		"the printed factor; levels of a Brownian path, or layers, that do not belong together", equation5,
	},
	{
		"eq15-rate", Clustering, "(15)",
		"for laws of V that are not symmetric E|X-Y|² is of order 1 in 1/L, not 2 as the bound says",
		"the bound 3R²N/L² as it is printed; entries of V with no third moment", equation15Rate,
	},
	{
		"eq21", Clustering, "(21)",
		"the diffusion coefficient of softmax has a factor √2 that (21) lacks",
		"a variance that lacks the factor 2, as (21) does", equation21,
	},
	{
		"lemma5-integral", Clustering, "Lemma 5",
		"the integral of s converges at +1, where the proof says that it diverges",
		"a scale function that diverges at +1, or is not the integral of exp(-∫2μ/var)", lemma5Integral,
	},
	{
		"fig3-depth", Clustering, "Fig. 3",
		"the depth is the caption's 100: the 50,000 of Section 6 are layers up to T = 500",
		"phase --paper with the depth 50,000; a depth that shifts what the figure shows", figure3Depth,
	},
	{
		"conjecture", Clustering, "Section 6",
		"antipodal clusters of more than two tokens are stable for equal sizes only",
		"unequal clusters that stay opposite, or equal ones that separate; a run that ends early",
		conjecture,
	},
	{
		"fig8-wording", Clustering, "Fig. 8",
		"β < 1 can be above threshold (d = 4), β > 1 below (d = 10), unlike in the panels' titles",
		"a threshold at β = 1 for every dimension, or of another function than arccosh(d-2)/2",
		figure8Wording,
	},
	{
		"c4", Clustering, "C.4",
		"in the middle expression for s the term y should be 2y; the final form is right",
		"a drift or variance of the hybrid in which ε² or the term 2y is missing", appendixC4,
	},
}

// equation5 tests interpolations of the path of a token between the first and the second layer. On the same
// Brownian path equation5 follows the token over the 16 layers of a recursion that is 16 times as deep, which
// stands for the path of the limit. Between two layers of the coarse recursion the path of the limit is a
// Brownian bridge. In units of the mean square of a layer's step, the mean squared distance of the bridge
// from a straight line is θ(1-θ) at the fraction θ of the step, and its mean squared distance from a path
// that does not move is θ. The interpolation factor that the paper prints is the correct factor divided by
// L²: a path with the printed factor hardly moves until it jumps at the next layer.
func equation5(f *fixture, r *report) {
	const depth, within, trajectories, relativeOrder = 1024, 16, 40_000, 0.01
	c := transformerPair(3, 1, sde.Softmax, depth, 0)
	c.Method = sde.Tokens
	field := make([]float64, 6)
	c.Field(field, []float64{1, 0, 0, 0, 1, 0})
	step := float64(c.Dim-1) * sphere.Dot(field[:3], field[:3]) / depth
	layers := secondLayers(f, c, within, trajectories)
	distance := func(factor float64) estimate { // of an interpolation by θ times the factor
		return meanOf(layers, func(layer secondLayer) float64 {
			sum := 0.0
			for k, x := range layer.fine {
				theta := factor * float64(k+1) / within
				for i, v := range x {
					sum += square(v-layer.before[i]-float64(theta*(layer.after[i]-layer.before[i]))) / step
				}
			}
			return sum
		})
	}
	bridge, stays := 0.0, 0.0
	for k := 1; k < within; k++ {
		theta := float64(k) / within
		bridge += theta * (1 - theta)
		stays += theta
	}
	r.normal("squared distance to the limit's path with L(t-n/L)", bridge, distance(1), 0.12,
		relativeOrder*bridge)
	r.refute(stays)
	r.normal("squared distance to the limit's path with (t-n/L)/L", stays, distance(1./depth/depth), 0.45,
		relativeOrder*stays)
	r.refute(bridge)
}

// secondLayer holds the position of a token before and after the second layer, and its positions in between
// in a deeper recursion.
type secondLayer struct {
	before, after [3]float64
	fine          [][3]float64
}

// secondLayers simulates the first token of a cell. On the same path secondLayers simulates the first token
// of a cell that is deeper by the factor times.
func secondLayers(f *fixture, c sde.Cell, times int, trajectories int64) []secondLayer {
	cells := lists.Map(atDepths(c, c.Depth, times*c.Depth), f.cell)
	return coupled(f, cells, trajectories, 2, func(row *secondLayer, cell int, step int64, x []float64) {
		token := [3]float64(x[:3])
		switch {
		case cell == 0 && step == 1:
			row.before = token
		case cell == 0:
			row.after = token
		case step > int64(times) && step < 2*int64(times):
			row.fine = append(row.fine, token)
		}
	})
}

// equation21 measures the variance of a step of the overlap Z at Z = 0 and Z = ½, and checks that equation
// (21) of the paper disagrees with the measured variance.
func equation21(f *fixture, r *report) {
	for z := range parts(r, []float64{0, 0.5}) {
		c := transformerPair(4, 1, sde.Softmax, infinitesimalDepth, z)
		c.Method = sde.Tokens
		measured := squaredSteps(f, c, 1000)
		a, b := elementary.Exp(c.Beta), elementary.Exp(c.Beta*z)
		printed := float64((1-square(z))*(1-square(z))) * (square(a) + square(b)) / square(a+b)
		r.normal(describe(c), 2*printed, measured, 0.16*printed, 0)
		r.refute(printed)
	}
}

// lemma5Integral integrates the scale density s of the overlap z from 0 to 1-δ by the midpoint rule in u =
// atanh z. In the variable u the integrand decays like e^{-(d-1)u}. As δ tends to 0, the integral approaches
// the limit that package overlap computes, with an error of order δ^{(d-1)/2}.
func lemma5Integral(f *fixture, r *report) {
	for _, dim := range []int{2, 3, 6} {
		diffusion := must(overlap.New(dim, 1, overlap.Softmax, 1))
		const step = 1e-3
		integral, rise, u := 0.0, 0.0, 0.0 // rise is the integral of 2μ/var dz
		slope := func(u float64) float64 {
			z := math.Tanh(u)
			return 2 * diffusion.Drift(z) / diffusion.Variance(z) * (1 - z) * (1 + z)
		}
		to := func(delta float64) float64 {
			for ; u < math.Atanh(1-delta); u += step {
				half := rise + step/4*(slope(u)+slope(u+step/2))
				integral += step * elementary.Exp(-half) / math.Pow(math.Cosh(u+step/2), 2)
				rise += step * slope(u+step/2)
			}
			return integral
		}
		limit := elementary.Exp(must(f.diffusion(dim, 1, overlap.Softmax, 1)).LogScale(0))
		r.equal("∫ s, "+dimension(dim), limit, to(1e-13), 1e-6*limit)
	}
}

// appendixC4 computes the scale density s of the hybrid's overlap from its drift and variance, and compares s
// with the three expressions of the paper. All integrals are computed by Simpson's rule.
func appendixC4(f *fixture, r *report) {
	const beta, epsilon, from, to = 0.8, 0.9, 0, 0.6
	diffusion := must(f.hybrid(3, beta, overlap.Unnormalized, epsilon))
	a := elementary.Exp(beta) - 2/(epsilon*epsilon)
	middle := func(times float64) float64 {
		return elementary.Exp(integrate(from, to, func(y float64) float64 {
			return (a*elementary.Exp(-beta*y) + times*y) / (1 - y*y)
		}))
	}
	measured := elementary.Exp(-integrate(from, to, func(z float64) float64 {
		return 2 * diffusion.Drift(z) / diffusion.Variance(z)
	}))
	final := (1 - from*from) / (1 - to*to) * elementary.Exp(a*integrate(from, to, func(y float64) float64 {
		return elementary.Exp(-beta*y) / (1 - y*y)
	}))
	r.equal("s(0.6) with 2y", middle(2), measured, 1e-10)
	r.refute(middle(1))
	r.equal("s(0.6), final form", final, measured, 1e-10)
}

// integrate computes the integral of a function by Simpson's rule on 2000 intervals.
func integrate(from, to float64, function func(float64) float64) float64 {
	const intervals = 2000
	width, sum := (to-from)/intervals, function(from)+function(to)
	for k := 1; k < intervals; k++ {
		sum += float64(2+2*(k%2)) * function(from+width*float64(k))
	}
	return sum * width / 3
}

// figure3Depth shows that the two readings of the paper's depth give numbers of layers of a trajectory that
// differ by a factor of 500. At depth 100 the antipodal fractions equal those of infinite depth to the
// accuracy of the figure.
func figure3Depth(f *fixture, r *report) {
	figure3 := f.figure3()
	r.equal("layers of Fig. 3 as phase --paper has it", 50_000, float64(figure3.Depth)*figure3.Horizon, 0)
	r.refute(50_000 * 500) // at depth 50,000
	const depth, trajectories, decided = 100, 3000, 40
	for c := range parts(r, []sde.Cell{uniformPair(4, 1.5, depth), uniformPair(6, 2.5, depth)}) {
		counts, law := outcomes(f, c, trajectories, decided)
		r.binomial("antipodal, "+describe(c)+" L=100", law.Antipodal(tolerance).Value,
			counts[sphere.Antipodal], counts.all(), 0.06, depthShift/depth)
	}
}

// conjecture simulates two clusters of unequal and of equal size from overlap -1, and three tokens from
// uniform starts. Only clusters of equal size should stay opposite.
func conjecture(f *fixture, r *report) {
	const depth, trajectories = 100, 1000
	c := clusters(1, 2, 4, 1.5, depth)
	diffusion := diffusionOf(c)
	horizons := []float64{5, 15}
	laws := must(fokkerplanck.From(diffusion, -1, horizons, 1e-5))
	r.part(func() {
		observed := observe(f, c, trajectories, []int64{5 * depth, 15 * depth}, pairOf)
		for k, law := range laws {
			single := lists.Count(observed[k], together)
			r.binomial("one cluster at time "+number(law.Time)+", "+describe(c), law.Single(tolerance).Value,
				single, len(observed[k]), 0.1, 4*depthShift/depth)
			r.refute(0)
		}
	})
	equal := clusters(2, 2, 4, 1.5, depth)
	equal.Method = sde.Tokens // for tokens, rounding can separate opposite clusters
	r.part(func() {
		pairs := atLayer(f, equal, 100, 50*depth, pairOf)
		r.never("parted at time 50, "+describe(equal),
			lists.Count(pairs, func(p pair) bool { return outcomeOf(p) != sphere.Antipodal }), len(pairs),
			0.12)
	})
	r.part(func() { threeTokens(f, r) })
}

// threeTokens counts the trajectories of three tokens in which one token is opposite to the two others.
// threeTokens compares the fraction of these trajectories at four times with fractions that an independent
// program measured. The allowance is six standard errors of the fractions of that program.
func threeTokens(f *fixture, r *report) {
	const depth, trajectories = 100, 2000
	references := [4]struct {
		time             float64
		fraction, stderr float64
	}{{20, 0.260, 0.005}, {100, 0.129, 0.005}, {200, 0.047, 0.0033}, {400, 0.0070, 0.0013}}
	var times []int64
	for _, x := range references {
		times = append(times, int64(x.time)*depth)
	}
	c := uniformTokens(3, 4, 2.5, depth)
	type row struct {
		antipodal [len(references)]bool
		next      int
	}
	rows := follow(f, c, trajectories, times, func(r *row, v *sde.View) {
		r.antipodal[r.next] = classify(v).outcome == sphere.Antipodal
		r.next++
	}, func(v *sde.View) bool { return classify(v).outcome == sphere.Single }) // single clusters stay single
	for k, x := range references {
		r.binomial("antipodal at time "+number(x.time)+", "+describe(c), x.fraction,
			lists.Count(rows, func(r row) bool { return r.antipodal[k] }), len(rows), 0.12, 6*x.stderr)
	}
}

// figure8Wording tests the titles of the panels of Fig. 8 with β = 0.8 and 1.2, because the paper does not
// print its values of β. The text about the third panel is right: only d < 6 lie above the threshold at β =
// 1.
func figure8Wording(f *fixture, r *report) {
	const trajectories, depth = 2000, 50
	for x := range parts(r, []struct {
		cell      sde.Cell
		horizon   float64
		allowance float64
		printed   float64 // 0, or a positive fraction
	}{
		{uniformPair(4, 0.8, depth), 40, depthShift / depth, 0},
		{uniformPair(10, 1.2, depth), 60, 0.001, 0.05},
	}) {
		counts, law := outcomes(f, x.cell, trajectories, x.horizon)
		r.binomial("antipodal, "+describe(x.cell), law.Antipodal(tolerance).Value,
			counts[sphere.Antipodal], counts.all(), 0.045, x.allowance)
		r.refute(x.printed)
	}
	for _, x := range []struct {
		dim      int
		critical float64
	}{{4, math.Acosh(2) / 2}, {10, math.Acosh(8) / 2}} {
		critical, _ := overlap.CriticalBeta(x.dim)
		r.equal("β_c, "+dimension(x.dim), x.critical, critical, 1e-12)
		r.refute(1)
	}
	five, _ := overlap.CriticalBeta(5)
	six, _ := overlap.CriticalBeta(6)
	r.equal("d = 5 above and d = 6 below at β = 1", 1, sign(five < 1 && six > 1), 0)
}
