package selfattention

import (
	"math"

	"antipode/sphere/elementary"
)

// The weight of two unit tokens with inner product z is e^{βz} times a factor that all weights have in
// common. With the common factor, the weight is 2^{cz-⌊c⌉}, where c = β/ln 2 and ⌊c⌉ is the integer nearest
// to c. The fractional part of the exponent is then one fused operation, and no weight is above 2.
const (
	// largestWeightScale is the largest scale c for which no weight can fall below the range of float64,
	// which vector code does not check.
	largestWeightScale = 505

	toInteger = 0x1.8p52 // the low bits of x + toInteger are the integer nearest to x
	log2OfE   = 0x1.71547652b82fep+0
)

// weightParameters returns the scale c = β/ln 2 of the exponent of a weight, and toInteger - ⌊c⌉, the number
// that is added to the exponent to round it to an integer.
func weightParameters(beta float64) (scale, shifted float64) {
	scale = float64(beta * log2OfE)
	return scale, toInteger - math.RoundToEven(min(scale, largestWeightScale))
}

// unweighted returns the ratio of e^{βz} to the weight of two tokens with inner product z, which is the same
// for all z.
func unweighted(beta float64) float64 {
	scale, shifted := weightParameters(beta)
	if scale > largestWeightScale {
		return elementary.Exp(beta)
	}
	return math.Ldexp(1, int(toInteger-shifted))
}

// weight returns the weight of two tokens with the given inner product. The returned weight is within 1 ulp
// of the exact weight for the rounded scale c; the rounding of c has the effect of a rounding of β. If c is
// above largestWeightScale, the returned weight is accurate to twelve digits.
func weight(law *attentionParameters, product float64) float64 {
	scale, shifted := law[0][0], law[1][0]
	if scale > largestWeightScale {
		return elementary.Exp(float64(max(float64(scale*(product-1)), -1020) * math.Ln2))
	}
	t := math.FMA(product, scale, shifted)
	fraction := math.FMA(product, scale, -(t - shifted))
	y := 0.0
	for k := len(powerOfTwo) - 1; k >= 0; k-- {
		y = math.FMA(y, fraction, powerOfTwo[k])
	}
	return math.Float64frombits(math.Float64bits(y) + math.Float64bits(t)<<52)
}

// powerOfTwo are the coefficients of a polynomial for 2^f, |f| ≤ ½, with a relative error of at most 2^-55.
// The polynomial agrees with 2^f at eleven Chebyshev nodes, and its derivative agrees at f = 0.
var powerOfTwo = [12]float64{
	1, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c598p-3, 0x1.c6b08d704a0c2p-5, 0x1.3b2ab6fba1ddap-7,
	0x1.5d87fe78a5276p-10, 0x1.430913096fd9fp-13, 0x1.ffcbfc670dcd4p-17, 0x1.62bfd47773353p-20,
	0x1.b524fae627834p-24, 0x1.e6063f7217bc6p-28, 0x1.e9d3fe3952179p-32,
}
