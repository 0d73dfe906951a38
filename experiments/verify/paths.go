package verify

import (
	"math"

	"antipode/internal/lists"
	"antipode/sde"
)

// pathClaims are claims about entire paths of tokens: Theorem 1 states convergence in the space of continuous
// paths.
var pathClaims = []Claim{
	{
		"thm1-paths", Clustering, "Theorem 1",
		"laws of max Z, passage and occupation times of (5) tend to those of (6), orders ½, ½, 1",
		"paths that go to a limit at single times only; layers or lines between them out of order",
		theorem1Paths,
	},
	{
		"thm1-paths-matrix", Clustering, "Theorem 1",
		"for a general B = QᵀK these laws of (5) tend to those of Heun's scheme on the same paths",
		"scores with Bᵀ instead of B in the recursion or in the limit", theorem1PathsMatrix,
	},
	{
		"eq15-expansion", Clustering, "(14)-(17)",
		"truncated steps (14) stay near steps (4): E|X-Y|² has order 2 for symmetric laws of V",
		"a G in (14) with a wrong factor, or steps of (4) that are not those of V/√L", equation15,
	},
}

// functional is a function of the path of an overlap. The value of the function depends on only one field of
// the path's summary.
type functional struct {
	what  string
	of    func(c pathSummary) float64
	order float64 // order of convergence of its mean, in 1/L
}

// functionals are functions of the maximum of the overlap, of the time at which the overlap first passes a
// level, and of the time that the overlap spends above a level. A Brownian path moves by about L^-½ between
// two of L layers. So a path that is known only at layers gives the maximum and the first passage with an
// error of order L^-½. The time above a level, an integral over time, has an error of order L^-1.
var functionals = []functional{
	{"E max Z", func(c pathSummary) float64 { return c.highest }, 0.5},
	{"P(max Z < 0.4)", func(c pathSummary) float64 { return indicator(c.highest < lowMaximum) }, 0.5},
	{"E min(τ,1)", func(c pathSummary) float64 { return c.passage }, 0.5},
	{"P(τ > ½)", func(c pathSummary) float64 { return indicator(c.passage > 0.5) }, 0.5},
	{"E occupation", func(c pathSummary) float64 { return c.occupation }, 1},
	{"E exp(-4 occupation)", func(c pathSummary) float64 { return math.Exp(-4 * c.occupation) }, 1},
}

const lowMaximum = 0.4

func indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// valuesOf returns the values of a functional by trajectory and cell.
func valuesOf(all [][]pathSummary, of func(c pathSummary) float64) [][]float64 {
	return lists.Map(all, func(row []pathSummary) []float64 { return lists.Map(row, of) })
}

// theorem1Paths estimates the order at which the means of functionals of a path converge, from their distance
// to the limit. The limit is computed from a diffusion of the overlap that is killed at a level or, for the
// time above a level, at a rate.
func theorem1Paths(f *fixture, r *report) {
	softmax := transformerPair(6, 0.5, sde.Softmax, 0, -0.5)
	softmax.Model = sde.Transformer{Sigma: 0.8}
	other := transformerPair(6, 0.5, sde.Unnormalized, 0, -0.5)
	other.Model = sde.Transformer{Sigma: 0.65}
	for c := range parts(r, []sde.Cell{softmax, other}) {
		c.Method = sde.Tokens
		limits := pathLimits(f, c)
		all := pathSummaries(f, atDepths(c, 4, 8, 16, 32, 64), 5000)
		for k, functional := range functionals {
			values := valuesOf(all, functional.of)
			what := functional.what + ", " + describe(c)
			// Errors of the next order, L^-1 or L^-2, remain in these extrapolated limits.
			if functional.order == 1 {
				r.normal("limit of "+what, limits[k], combination(values, 0, 0, 1./3, -2, 8./3), 0.07,
					0.003)
			} else {
				r.normal("limit of "+what, limits[k],
					combination(values, 0, 0, 1+math.Sqrt2, -4-3*math.Sqrt2, 4+2*math.Sqrt2), 0.3, 0.01)
			}
			if k%2 > 0 || k == 0 && c.Attention == sde.Softmax {
				// The probabilities of the maximum give nothing new. The mean maximum with softmax attention
				// has an error of order 1 that hides the order ½.
				continue
			}
			fine := 4
			if functional.order == 1 {
				fine = 2 // at greater depths the error is smaller than the noise
			}
			r.normal("order of "+what, functional.order, orderTowards(values, limits[k], fine-2, fine),
				1, 0.2)
		}
	}
}

// orderTowards estimates the order of convergence of means to a limit from two depths with the indices coarse
// and fine. The fine depth is four times the coarse depth.
func orderTowards(values [][]float64, limit float64, coarse, fine int) estimate {
	difference := func(k int) func(row []float64) float64 {
		return func(row []float64) float64 { return row[k] - limit }
	}
	return logarithmOf(ratioOf(values, difference(coarse), difference(fine))).scaled(0.5 / math.Ln2)
}

// pathLimits returns the means of the functionals of a path at infinite depth, for a cell of two tokens.
func pathLimits(f *fixture, c sde.Cell) []float64 {
	limit := f.limitOf(c)
	start := c.Start.(sde.PairStart).Overlap
	last := func(v []float64) float64 { return v[len(v)-1] }
	never := func(float64) float64 { return 0 }
	below := func(level float64) float64 { return last(killed{limit, -1, level, never}.survival(start)) }
	highest := start // plus the integral of P(max Z > level) over levels
	for k := range 20 {
		width := (1 - start) / 20
		highest += (1 - below(start+(float64(k)+0.5)*width)) * width
	}
	unpassed := killed{limit, -passageLevel, passageLevel, never}.survival(start)
	passage := -0.5 * (1 + last(unpassed))
	for _, v := range unpassed {
		passage += v
	}
	steps := float64(len(unpassed) - 1)
	discounted := func(rate float64) float64 {
		return last(killed{limit, -1, 1, func(z float64) float64 {
			return rate * indicator(z > occupationLevel)
		}}.survival(start))
	}
	return []float64{
		highest, below(lowMaximum), passage / steps, unpassed[len(unpassed)/2],
		(discounted(-0.01) - discounted(0.01)) / 0.02, discounted(4),
	}
}

// theorem1PathsMatrix compares recursion (4) with Heun's scheme for its limit under a general matrix B. The
// recursion and Heun's scheme have the same mean error of order ½ in the maximum and in the passage time, so
// that the difference of their means is of order 1. The mean square of the difference has the strong order ½.
// The mean square of the difference distinguishes B from Bᵀ, which the laws hardly do.
func theorem1PathsMatrix(f *fixture, r *report) {
	c := transformerPair(3, 1, sde.Softmax, 0, -0.6)
	c.Method = sde.Tokens
	c.Interaction = []float64{1.5, 0.8, -0.3, -0.6, 0.4, 1.1, 0.2, -0.9, -0.5}
	heun := c
	heun.Model = sde.TransformerSDE{Sigma: 1, Scheme: sde.Heun}
	all := pathSummaries(f, atDepths(c, 4, 16, 64), 7000)
	for k, limit := range pathSummaries(f, atDepths(heun, 4, 16, 64), 7000) { // on the same paths
		all[k] = append(all[k], limit[1:]...)
	}
	for k, functional := range functionals {
		values := valuesOf(all, functional.of)
		difference := combination(values, 0, -1./3, 4./3, 1./3, -4./3)
		r.normal(functional.what+", less that of Heun's scheme", 0, difference, 0.05, 0.005)
		if k == 2 { // the order of the maximum is measured by theorem1Maximum
			r.normal("order of "+functional.what, functional.order, orderOf(values).scaled(0.5), 0.6, 0.3)
		}
	}
	apart := func(recursion, limit int) estimate {
		return logarithmOf(meanOf(all, func(row []pathSummary) float64 {
			return square(row[recursion].highest - row[limit].highest)
		}))
	}
	order := apart(1, 3).minus(apart(2, 4)).scaled(0.5 / math.Ln2)
	r.normal("order of E(max Z - that of Heun's scheme)²", 1, order, 0.3, 0.2)
	theorem1Maximum(f, r, c)
}

// theorem1Maximum measures the order of convergence of the maximum of the overlap under a general matrix B.
// The limit of the maximum is not known; the order is found from differences between four depths. At these
// depths a term of order 1 is as large as the term of order ½, and is eliminated.
func theorem1Maximum(f *fixture, r *report, c sde.Cell) {
	c.Model, c.Start = sde.Transformer{Sigma: 0.4}, sde.PairStart{Overlap: -0.5}
	all := pathSummaries(f, atDepths(c, 4, 16, 64, 256), 8000)
	maximum := functionals[0]
	values := valuesOf(all, maximum.of)
	for _, row := range values {
		for k := range 3 {
			row[k] -= row[k+1]
		}
		for k := range 2 {
			row[k] -= 4 * row[k+1]
		}
	}
	coarse := func(row []float64) float64 { return row[0] }
	fine := func(row []float64) float64 { return row[1] }
	order := logarithmOf(ratioOf(values, coarse, fine)).scaled(0.5 / math.Ln2)
	r.normal("order of "+maximum.what+", without that of 1/L", maximum.order, order, 0.35, 0.1)
}
