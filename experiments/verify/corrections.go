package verify

import (
	"math"

	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/elementary"
)

var corrections = []Claim{
	{
		"eq5", Clustering, "(5)",
		"interpolation needs the factor L(t-n/L); with (t-n/L)/L it jumps at every layer",
		"the printed factor; levels of a Brownian path, or layers, that do not belong together", equation5,
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
		"unequal clusters that stay, or equal ones that part; a run of three tokens that ends early", conjecture,
	},
	{
		"fig8-wording", Clustering, "Fig. 8",
		"β < 1 may be above threshold (d = 4), β > 1 below (d = 10), against the panels",
		"a threshold at β = 1 for every dimension, or of another function than arccosh(d-2)/2", figure8Wording,
	},
	{
		"c4", Clustering, "C.4",
		"in the middle expression for s the term y should be 2y; the final form is right",
		"a drift or variance of the hybrid in which ε² or the term 2y is missing", appendixC4,
	},
}

// equation21 measures the variance of a step at Z = 0 and ½, and gives (21) the
// chance to agree.
func equation21(l *laboratory, r *report) error {
	for _, z := range []float64{0, 0.5} {
		c := transformerPair(4, 1, sde.Softmax, infinitesimalDepth, z)
		c.Method = sde.Tokens
		measured, err := squaredSteps(l, c, 1000)
		if err != nil {
			return err
		}
		a, b := elementary.Exp(c.Beta), elementary.Exp(c.Beta*z)
		printed := float64((1-square(z))*(1-square(z))) * (square(a) + square(b)) / square(a+b)
		r.normal(describe(c), 2*printed, measured, 0.04*printed, 0)
		r.refute(printed)
	}
	return nil
}

// lemma5Integral integrates s from 0 to 1-δ by the midpoint rule in u = atanh z, in which
// the integrand decays like e^{-(d-1)u}: the integrals tend to a limit, that of package
// overlap, as δ^{(d-1)/2}.
func lemma5Integral(_ *laboratory, r *report) error {
	for _, dim := range []int{2, 3, 6} {
		diffusion, err := overlap.New(dim, 1, overlap.Softmax, 1)
		if err != nil {
			return err
		}
		const step = 1e-3
		integral, rise, u := 0.0, 0.0, 0.0 // rise: the integral of 2μ/var dz
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
		limit := elementary.Exp(diffusion.LogScale(0))
		r.equal("∫ s, "+dimension(dim), limit, to(1e-13), 1e-6*limit)
	}
	return nil
}

// appendixC4 compares s of the hybrid's overlap, from its drift and variance, with the
// paper's three expressions, all by Simpson's rule.
func appendixC4(_ *laboratory, r *report) error {
	const beta, epsilon, from, to = 0.8, 0.9, 0, 0.6
	diffusion, err := overlap.NewHybrid(3, beta, overlap.Unnormalized, epsilon)
	if err != nil {
		return err
	}
	a := elementary.Exp(beta) - 2/(epsilon*epsilon)
	middle := func(times float64) float64 {
		return elementary.Exp(integrate(from, to, func(y float64) float64 {
			return (a*elementary.Exp(-beta*y) + times*y) / (1 - y*y)
		}))
	}
	measured := elementary.Exp(-integrate(from, to, func(z float64) float64 { return 2 * diffusion.Drift(z) / diffusion.Variance(z) }))
	final := (1 - from*from) / (1 - to*to) * elementary.Exp(a*integrate(from, to, func(y float64) float64 { return elementary.Exp(-beta*y) / (1 - y*y) }))
	r.equal("s(0.6) with 2y", middle(2), measured, 1e-10)
	r.refute(middle(1))
	r.equal("s(0.6), final form", final, measured, 1e-10)
	return nil
}

// integrate is Simpson's rule on 2000 intervals.
func integrate(from, to float64, function func(float64) float64) float64 {
	const intervals = 2000
	width, sum := (to-from)/intervals, function(from)+function(to)
	for k := 1; k < intervals; k++ {
		sum += float64(2+2*(k%2)) * function(from+width*float64(k))
	}
	return sum * width / 3
}
