package response

import (
	"math"

	"antipode/sde"
	"antipode/sphere/elementary"
)

// An amplitude holds, for two tokens X¹ and X² of overlap z = tanh u, the standard deviation of the noise of
// X¹+X² or of X¹-X² in a layer, and the derivatives of this standard deviation with respect to u and to β.
type amplitude struct{ value, byU, byBeta float64 }

// amplitudes returns p+q and p-q times scale, where p and q are the attention weights of a token for itself
// and for the other token at overlap z = tanh u. For softmax, p+q is 1 and p-q is tanh(½β(1-z)). For
// unnormalised attention, p+q and p-q are ½e^β (1+r) and ½e^β (1-r), with r = e^(-β(1-z)).
func amplitudes(u, beta float64, attention sde.Attention, scale float64) (first, second amplitude) {
	e := elementary.Exp(-2 * math.Abs(u))
	small, great := 2*e/(1+e), 2/(1+e)
	above, below := great, small // 1+z and 1-z
	if u < 0 {
		above, below = small, great
	}
	lost := -elementary.Expm1(-float64(beta * below)) // the number 1-r
	r := 1 - lost
	byU := float64(beta * above * below * r) // the derivative dr/du
	byBeta := -float64(below * r)
	if attention == sde.Softmax {
		slope := -2 * scale / ((1 + r) * (1 + r))
		return amplitude{value: scale}, amplitude{scale * lost / (1 + r), slope * byU, slope * byBeta}
	}
	half := 0.5 * scale * elementary.Exp(beta)
	return amplitude{half * (1 + r), half * byU, float64(half * (1 + r + byBeta))},
		amplitude{half * lost, -half * byU, float64(half * (lost - byBeta))}
}
