package lanes

import (
	"math"

	"antipode/sphere/elementary"
)

// massesLayer computes the attention A₁ and A₂ of two clusters of any masses. Let S and D be the sum and the
// difference of the unit vectors at the clusters. For each cluster let p and q be the attention weights for
// itself and for the other cluster, s = p+q and α = p-q. Then 2A₁ = s₁S + α₁D and 2A₂ = s₂S - α₂D, so that a
// layer turns S and D into
//
//	S' = (1+a)S + bD, D' = cS + (1+e)D,
//
// with a = (s₁+s₂)/2, c = (s₁-s₂)/2, b = (α₁-α₂)/2 and e = (α₁+α₂)/2, each times the factor by which the
// layer multiplies attention. For clusters of equal masses b = c = 0. For softmax attention s = 1 and c = 0.
// For unnormalised attention c vanishes like |D|², so that |D'| is proportional to |D| near Z = 1. But near Z
// = -1 unequal masses have |b| > 0, so that S does not stay 0.
type massesLayer struct {
	softmax       bool
	halfBeta      float64 // β/2
	scale         float64 // 1 or, for unnormalised attention, e^β
	first, second float64 // masses, divided by their sum
	difference    float64 // first - second
}

func newMassesLayer(c Clusters) massesLayer {
	first, second := c.Masses[0], c.Masses[1]
	total := first + second
	l := massesLayer{
		softmax: c.Softmax, halfBeta: 0.5 * c.Beta, scale: 1,
		first: first / total, second: second / total, difference: (first - second) / total,
	}
	if !c.Softmax {
		l.scale = elementary.Exp(c.Beta)
	}
	return l
}

// weights returns the numbers a, b, c and e of massesLayer for a layer with the factor 1, given below = |D|²
// = 2(1-Z).
func (l *massesLayer) weights(below float64) (a, b, c, e float64) {
	lost := elementary.Expm1(-float64(l.halfBeta * below)) // r - 1, where r = e^{βZ}/e^β
	r := 1 + lost
	if !l.softmax {
		half := 0.5 * l.scale
		return float64(half * (1 + r)), float64(float64(half*l.difference) * (1 + r)),
			-float64(float64(half*l.difference) * lost), -float64(half * lost)
	}
	denominator := float64(math.FMA(l.second, r, l.first) * math.FMA(l.first, r, l.second))
	b = float64(r*l.difference) / denominator
	e = -float64(float64(float64(l.first*l.second)*(1+r))*lost) / denominator
	return 1, b, 0, e
}
