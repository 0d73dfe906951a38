package finitedepth

import (
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/special"
	"antipode/sphere/elementary"
)

// largestNeighbourhood is the largest distance within of the overlap from an end for which return bounds are
// available.
const largestNeighbourhood = 0.01

// AntipodalReturn returns an exponent κ > 0 such that two tokens that have come to 1+z = x ≤ within have 1+z
// ≥ within at any later layer with probability at most (x/within)^κ. The second result of AntipodalReturn is
// false if no such κ is found: if z = -1 does not attract, or attracts only weakly. AntipodalReturn returns
// an error if within is not in (0, 0.01]; the other errors are those of Antipodal. The bound is proved in
// interval arithmetic, as the package comment describes.
func AntipodalReturn(
	dim int, beta float64, attention overlap.Attention, sigma float64, depth int, within float64,
) (exponent float64, ok bool, err error) {
	return boundedReturn(within, func(zeta float64) (Layer, error) {
		sum, difference := sumAndDifference(beta, attention, 2-zeta)
		return newLayer(dim, beta, attention, sigma, depth, sum, difference)
	}, func() (*proof, bool) { return newProof(dim, beta, attention, sigma, depth, within, false) })
}

// SingleReturn returns an exponent κ > 0 for two tokens near z = +1 and the distance 1-z, as AntipodalReturn
// does for z = -1.
func SingleReturn(
	dim int, beta float64, attention overlap.Attention, sigma float64, depth int, within float64,
) (exponent float64, ok bool, err error) {
	return boundedReturn(within, func(zeta float64) (Layer, error) {
		sum, difference := sumAndDifference(beta, attention, zeta)
		return newLayer(dim, beta, attention, sigma, depth, difference, sum)
	}, func() (*proof, bool) { return newProof(dim, beta, attention, sigma, depth, within, true) })
}

// sumAndDifference returns the sum p+q and the difference p-q of the attention weights of two tokens of
// overlap z with 1-z = below.
func sumAndDifference(beta float64, attention overlap.Attention, below float64) (sum, difference float64) {
	lost := elementary.Expm1(-float64(beta * below))
	sum, difference = 2+lost, -lost
	if attention == overlap.Unnormalized {
		half := float64(0.5 * elementary.Exp(beta))
		return half * sum, half * difference
	}
	return 1, difference / sum
}

// boundedReturn searches for an exponent κ for which the return bound is proved. The function layer returns
// the Layer at distance zeta from the end. Before boundedReturn attempts a proof for κ, it tests the
// condition E (ζ'/ζ)^κ ≤ 1 in float64 at three distances.
func boundedReturn(
	within float64, layer func(zeta float64) (Layer, error), proved func() (*proof, bool),
) (float64, bool, error) {
	if err := checkNeighbourhood(within); err != nil {
		return 0, false, err
	}
	var layers [3]Layer
	for k := range layers {
		var err error
		if layers[k], err = layer(float64(0.5*float64(k)) * within); err != nil {
			return 0, false, err
		}
	}
	linear, ok := layers[0].Lundberg()
	if !ok {
		return 0, false, nil
	}
	p, ok := proved()
	if !ok {
		return 0, false, nil
	}
	n := neighbourhood{within, layers}
	exponent, ok := greatestFraction(min(linear, p.greatestExponent()), func(kappa float64) bool {
		return n.contracts(kappa) && p.holds(kappa)
	})
	return exponent, ok, nil
}

func checkNeighbourhood(within float64) error {
	if !(within > 0 && within <= largestNeighbourhood) {
		return fmt.Errorf("finitedepth: neighbourhood %v is not allowed: "+
			"it must be above 0, and at most %v", within, largestNeighbourhood)
	}
	return nil
}

// greatestFraction tries some fractions of most as the exponent κ, in descending order, and returns the first
// κ for which the condition holds.
func greatestFraction(most float64, holds func(kappa float64) bool) (kappa float64, ok bool) {
	for _, part := range []float64{0.999, 0.998, 0.995, 0.99, 0.98, 0.95, 0.9, 0.8, 0.65, 0.5} {
		if kappa := part * most; holds(kappa) {
			return kappa, true
		}
	}
	return 0, false
}

// A neighbourhood is a neighbourhood of an end of the overlap, given by the layers at three distances from
// the end: 0, within/2 and within.
type neighbourhood struct {
	within float64
	layers [3]Layer
}

// contracts reports whether the condition E (ζ'/ζ)^κ ≤ 1 holds in the neighbourhood, as judged in float64
// from three distances.
func (n *neighbourhood) contracts(kappa float64) bool {
	var at [3]float64
	for k, l := range n.layers {
		at[k] = l.boundedPower(kappa, n.within)
	}
	return belowOne(at)
}

// boundedPower bounds the mean E (ζ'/ζ)^κ at the distance from the end to which the layer l belongs.
func (l Layer) boundedPower(kappa, within float64) float64 {
	radius := math.Sqrt(math.Sqrt(within))
	ratio := within / (2 - within) // p₀ at ζ = within
	rate := float64(4*math.Ln2*kappa*ratio) / (radius * radius)
	at := l.tilted(kappa, rate)
	// The mean of R^μ is convex in μ, which decreases from κ to κ(1-ζ/2), and R^0 = 1.
	at += float64(0.5 * within * max(0, l.tilt(rate, 0)-at))
	return at + (l.rareDirections(kappa, radius) + l.rareLengths(kappa, within))
}

// belowOne reports whether a function is below 1 by more than rounding on an interval on which it is nearly
// linear, given the values of the function at the ends and in the middle of the interval.
func belowOne(at [3]float64) bool {
	const rounding = 1e-11
	curved := math.Abs(at[0] + at[2] - float64(2*at[1]))
	return max(at[0], at[1], at[2])+curved <= 1-rounding
}

// tilted returns the mean E R^κ exp(rate·σ∥²) of the package comment.
func (l Layer) tilted(kappa, rate float64) float64 {
	return l.weightedMoment(kappa, func(rest float64) float64 { return l.tilt(rate, rest) }) / l.moment(0)
}

// tilt returns the mean E exp(rate·σ∥²), or +Inf, given that the part of ŝ orthogonal to δ has the squared
// length rest.
func (l Layer) tilt(rate, rest float64) float64 {
	width := 1 - float64(2*rate)/l.short
	if !(width > 0) {
		return math.Inf(1)
	}
	return elementary.Exp(rate*(1-rest)/width) / math.Sqrt(width)
}

// rareDirections bounds 4^κ times the expectation of R^κ' on the event |δ| < r < 1, for all powers κ' up to
// κ.
func (l Layer) rareDirections(kappa, r float64) float64 {
	d := float64(l.dim)
	across := 1.0
	if !math.IsInf(l.short, 1) {
		across = max(1, chiPower(l.dim, l.short, kappa))
	}
	exponent := float64(2*math.Ln2*kappa) + l.logSmallBall(r) - float64(2*kappa*elementary.Log(r))
	return elementary.Exp(exponent) * across * d / (d - float64(2*kappa))
}

// rareLengths bounds the greatest value, over all distances up to zeta from the end, of (2/ζ)^κ times the
// probability of P > ½.
func (l Layer) rareLengths(kappa, zeta float64) float64 {
	doubling := elementary.Log(2 / zeta)
	reach := 1 + math.Sqrt(2*(kappa+4)*doubling/l.short)
	r := float64(reach * math.Sqrt(2*zeta/(2-zeta)))
	if r >= 1 {
		return math.Inf(1)
	}
	return elementary.Exp(-4*doubling) + elementary.Exp(float64(kappa*doubling)+l.logSmallBall(r))
}

// logSmallBall bounds the logarithm of the probability that |δ| < r for r < 1, by the greatest density in the
// ball and the volume π^(d/2) r^d/Γ(d/2+1) of the ball.
func (l Layer) logSmallBall(r float64) float64 {
	if math.IsInf(l.long, 1) {
		return math.Inf(-1)
	}
	half := float64(0.5 * float64(l.dim))
	exponent := float64(0.5 * (1 - r) * (1 - r) * l.long)
	return float64(half*elementary.Log(0.5*l.long*r*r)) - exponent - special.LogGamma(half+1)
}
