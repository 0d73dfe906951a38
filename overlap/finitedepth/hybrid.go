package finitedepth

import (
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// A ScalarLaw is the law of the random scalar v of a layer of the hybrid recursion (7); it has mean 0 and
// standard deviation 1.
type ScalarLaw int

// The laws of the random scalar v of the hybrid recursion.
const (
	Gaussian ScalarLaw = iota // standard normal v, truncated at ±8.6 as in simulations
	Uniform
	TruncatedNormal // a normal law truncated at ±2 standard deviations, rescaled
	Rademacher      // v is 1 or -1 with probability ½
)

// A Hybrid is the hybrid recursion (7) of two tokens: a layer adds f = 1/L + εvL^{-1/2} times the
// attention output to each token.
type Hybrid struct {
	Beta      float64 // inverse temperature, in [0, MaxBeta]
	Attention overlap.Attention
	Epsilon   float64 // noise amplitude ε, in [0, MaxEpsilon]
	Law       ScalarLaw
	Depth     int // layers L ≥ 1 per unit of time
}

// AntipodalReturn returns an exponent κ > 0 such that two tokens that have come to 1+z = x ≤ within have 1+z
// ≥ within at any later layer with probability at most (x/within)^κ. The second result of AntipodalReturn is
// false if no such κ is found: if z = -1 does not attract, or attracts only weakly, or if a single layer may
// move the tokens away from z = -1. AntipodalReturn returns an error if a parameter is out of range, if
// within is not in (0, 0.01], or if e^β exceeds float64 for unnormalized attention. The package comment
// describes the proof.
func (h Hybrid) AntipodalReturn(within float64) (exponent float64, ok bool, err error) {
	return h.boundedReturn(within, false, func(zeta float64) (short, long float64) {
		return sumAndDifference(h.Beta, h.Attention, 2-zeta)
	})
}

// SingleReturn returns an exponent κ > 0 for two tokens near z = +1 and the distance 1-z, as AntipodalReturn
// does for z = -1.
func (h Hybrid) SingleReturn(within float64) (exponent float64, ok bool, err error) {
	return h.boundedReturn(within, true, func(zeta float64) (short, long float64) {
		sum, difference := sumAndDifference(h.Beta, h.Attention, zeta)
		return difference, sum
	})
}

// boundedReturn searches for an exponent κ for which the return bound is proved. Near the end, one of the
// vectors X¹+X² and X¹-X² is short and the other is long. The function weights returns the factors p+q or p-q
// of the short and of the long vector at distance zeta from the end.
func (h Hybrid) boundedReturn(
	within float64, plus bool, weights func(zeta float64) (short, long float64),
) (float64, bool, error) {
	if err := h.check(within); err != nil {
		return 0, false, err
	}
	var layers [3]hybridLayer
	for k := range layers {
		layers[k] = h.layer(weights(float64(0.5*float64(k)) * within))
	}
	linear, ok := layers[0].lundberg()
	if !ok {
		return 0, false, nil
	}
	exponent, ok := greatestFraction(linear, func(kappa float64) bool {
		var at [3]float64
		for k, l := range layers {
			at[k] = l.moment(kappa)
		}
		return belowOne(at) && h.proves(kappa, within, plus)
	})
	return exponent, ok, nil
}

func (h Hybrid) check(within float64) error {
	if _, err := overlap.NewHybrid(2, h.Beta, h.Attention, h.Epsilon); err != nil {
		return err
	}
	switch {
	case h.Depth < 1:
		return fmt.Errorf("finitedepth: depth %d is not allowed: it must be 1 or more", h.Depth)
	case h.Law < Gaussian || h.Law > Rademacher:
		return fmt.Errorf("finitedepth: law %d of the random scalar does not exist", h.Law)
	case h.Attention == overlap.Unnormalized && math.IsInf(elementary.Exp(h.Beta), 1):
		return fmt.Errorf("finitedepth: beta %v is not allowed: "+
			"e^β of unnormalized attention is beyond float64", h.Beta)
	}
	return checkNeighbourhood(within)
}

// A hybridLayer is the law of the factor R by which a layer of the hybrid recursion multiplies the squared
// ratio of the lengths of the short and the long vector: the values of log R and their probabilities.
type hybridLayer struct {
	logarithms, weights []float64
	signs               scalarSigns
}

// scalarSigns holds the signs, for the least and for the greatest scalar v, of the factor by which a layer
// multiplies the long vector; both signs are 0 if the factor may vanish for a v in between.
type scalarSigns struct{ least, greatest int }

func (h Hybrid) layer(short, long float64) hybridLayer {
	v, weights := h.Law.nodes()
	drift, noise := 1/float64(h.Depth), h.Epsilon/math.Sqrt(float64(h.Depth))
	factor := func(weight, v float64) float64 { return 1 + float64((drift+float64(noise*v))*weight) }
	l := hybridLayer{weights: weights}
	for _, x := range v {
		logarithm := elementary.Log(math.Abs(factor(short, x))) - elementary.Log(math.Abs(factor(long, x)))
		l.logarithms = append(l.logarithms, 2*logarithm)
	}
	largest := h.Law.Largest()
	const least = 0.05 // the least factor of the long vector for which the rule resolves moments
	switch low, high := factor(long, -largest), factor(long, largest); {
	case h.Law == Rademacher:
		l.signs = scalarSigns{sign(low), sign(high)}
	case low > least:
		l.signs = scalarSigns{1, 1}
	}
	return l
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// moment returns the moment E R^κ of the factor R of a layer.
func (l hybridLayer) moment(kappa float64) float64 {
	sum := 0.0
	for k, x := range l.logarithms {
		sum += float64(l.weights[k] * elementary.Exp(float64(kappa*x)))
	}
	return sum
}

// largestExponent is an exponent κ so large that a larger exponent would make no difference.
const largestExponent = 64

// lundberg returns the Lundberg exponent κ > 0 with E R^κ = 1, or largestExponent if largestExponent is
// smaller. lundberg reports false if no such κ exists or a layer may take the long vector to 0.
func (l hybridLayer) lundberg() (float64, bool) {
	if l.signs.least == 0 || l.signs.greatest == 0 {
		return 0, false
	}
	mean := 0.0
	for k, x := range l.logarithms {
		mean += float64(l.weights[k] * x)
	}
	if !(mean < 0) {
		return 0, false
	}
	excess := func(kappa float64) float64 { return min(l.moment(kappa), 2) - 1 }
	low := 0.5
	for excess(low) > 0 {
		if low *= 0.5; low < 1e-6 {
			return 0, false
		}
	}
	for high := 2 * low; high <= largestExponent; low, high = high, 2*high {
		if excess(high) > 0 {
			return quadrature.Root(excess, low, high), true
		}
	}
	return low, true
}

// Largest returns the greatest |v| of the random scalar v. Largest panics for an undefined law.
func (law ScalarLaw) Largest() float64 {
	return [...]float64{8.6, math.Sqrt(3), 2 / truncatedDeviation, 1}[law]
}

// truncatedDeviation is the standard deviation of a standard normal variable truncated at ±2.
const truncatedDeviation = 0.8796256610342398

// nodes returns values of the random scalar v and their probabilities: both values for the law Rademacher,
// and a quadrature rule for other laws.
func (law ScalarLaw) nodes() (v, weights []float64) {
	if law == Rademacher {
		return []float64{-1, 1}, []float64{0.5, 0.5}
	}
	deviation := 1.0
	if law == TruncatedNormal {
		deviation = 1 / truncatedDeviation
	}
	const panels = 16
	half, total := law.Largest()/panels, 0.0
	for panel := range panels {
		middle := float64(float64(2*panel+1-panels) * half)
		for k, x := range quadrature.Gauss.Node {
			at, weight := middle+float64(half*x), quadrature.Gauss.Weight[k]
			if law != Uniform {
				scaled := at / deviation
				weight *= elementary.Exp(-float64(0.5 * float64(scaled*scaled)))
			}
			v, weights = append(v, at), append(weights, weight)
			total += weight
		}
	}
	for k := range weights {
		weights[k] /= total
	}
	return v, weights
}
