package finitedepth

import (
	"errors"
	"math"

	"antipode/overlap/internal/special"
	"antipode/sphere/elementary"
)

// AntipodalReturn returns an exponent κ > 0 such that two tokens that have come to 1+z = x ≤ within have
// 1+z ≥ within at any later layer with probability at most (x/within)^κ. It returns false if it finds none.
// It is an error if within is not in (0, 0.01], and with random scores; the other errors are those of
// Antipodal. The bound is checked numerically, not proved; see the package comment.
func (r Isotropic) AntipodalReturn(within float64) (exponent float64, ok bool, err error) {
	return r.boundedReturn(within, func(zeta float64) gaussian {
		sum, difference := sumAndDifference(r.Beta, r.Attention, 2-zeta)
		return gaussian{f: sum, h: difference}
	})
}

// SingleReturn is AntipodalReturn at z = +1, for 1-z.
func (r Isotropic) SingleReturn(within float64) (exponent float64, ok bool, err error) {
	return r.boundedReturn(within, func(zeta float64) gaussian {
		sum, difference := sumAndDifference(r.Beta, r.Attention, zeta)
		return gaussian{f: difference, h: sum}
	})
}

// boundedReturn searches for the exponent. Layer returns the weights at a distance from the end.
func (r Isotropic) boundedReturn(within float64, layer func(zeta float64) gaussian) (float64, bool, error) {
	if err := checkNeighbourhood(within); err != nil {
		return 0, false, err
	}
	if r.Spread > 0 {
		return 0, false, errors.New("finitedepth: bounds on a return are not available " +
			"with random queries and keys")
	}
	var layers [3]*Growth
	for k := range layers {
		var err error
		weights := layer(float64(0.5*float64(k)) * within)
		if layers[k], err = r.growth([]gaussian{weights}, []float64{1}); err != nil {
			return 0, false, err
		}
	}
	if r.Covariance.A == 0 {
		return 0, false, nil // δ may nearly vanish
	}
	linear, ok := layers[0].Lundberg()
	if !ok {
		return 0, false, nil
	}
	exponent, ok := greatestPart(linear, func(kappa float64) bool {
		var at [3]float64
		for k, g := range layers {
			at[k] = g.layers[0].boundedPower(kappa, within) + g.err
		}
		return belowOne(at)
	})
	return exponent, ok, nil
}

// boundedPower bounds E (ζ'/ζ)^κ within a neighbourhood, as neighbourhood.contracts does; here rate·σ∥² is in
// the moment, and σ and δ are not independent.
func (g *gaussian) boundedPower(kappa, within float64) float64 {
	radius := math.Sqrt(math.Sqrt(within))
	rate := float64(4*math.Ln2*kappa*within) / ((2 - within) * radius * radius)
	at, _ := g.moment(kappa, rate)
	none, _ := g.moment(0, rate)
	at += float64(0.5 * within * max(0, none-at))
	return at + g.rareDirections(kappa, radius) + g.rareLengths(kappa, within)
}

// rareDirections bounds 4^κ E R^κ where |δ| < r < 1. Given δ, σ is Gaussian, of a variance of at most f²
// times the greatest and a mean of length at most 1 + 2f(1+r)/h.
func (g *gaussian) rareDirections(kappa, r float64) float64 {
	d := float64(g.dim)
	power := max(kappa, 0.5) // |σ|^(2κ) ≤ 1 + |σ|^(2·power), which is convex in σ
	mean := 1 + float64(2*(1+r)*g.f/g.h)
	across := 1.0
	if g.f > 0 && g.h > 0 {
		square := float64(mean * mean)
		across += float64(elementary.Exp(float64(power*elementary.Log(square))) *
			chiPower(g.dim, square/(g.f*g.f*g.most()), power))
	}
	exponent := float64(2*math.Ln2*kappa) + g.logBall(r) - float64(2*kappa*elementary.Log(r))
	return elementary.Exp(exponent) * across * d / (d - float64(2*kappa))
}

// rareLengths bounds (2/ζ)^κ times the probability that P > ½, at its greatest: |σ∥| > s, or |δ|² < 2p₀s².
// Beside a number of variance f² times the greatest, σ∥ has the mean of σ given δ, at most 1 + f/h times the
// length of two numbers of δ-e.
func (g *gaussian) rareLengths(kappa, zeta float64) float64 {
	doubling := elementary.Log(2 / zeta)
	reach := 1 + float64(2*g.f*math.Sqrt(2*(kappa+4)*doubling*g.most()))
	r := float64(reach * math.Sqrt(2*zeta/(2-zeta)))
	if r >= 1 {
		return math.Inf(1)
	}
	return 2*elementary.Exp(-4*doubling) + elementary.Exp(float64(kappa*doubling)+g.logBall(r))
}

// logBall bounds the logarithm of the probability that |δ| < r, for r < 1, by the greatest density in the
// ball and its volume. Along e the variance of δ is h²(A+B+C), and across h²A.
func (g *gaussian) logBall(r float64) float64 {
	v := g.covariance
	along, across := float64(g.h*g.h)*(v.A+v.B+v.C), float64(g.h*g.h*v.A)
	if along == 0 {
		return math.Inf(-1)
	}
	half := float64(0.5 * float64(g.dim))
	logarithm := elementary.Log(along) + float64((2*half-1)*elementary.Log(across))
	return float64(half*elementary.Log(0.5*r*r)) - float64(0.5*logarithm) -
		float64(0.5*(1-r)*(1-r))/along - special.LogGamma(half+1)
}
