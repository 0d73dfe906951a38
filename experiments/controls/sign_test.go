package controls

import (
	"testing"

	"antipode/sde"
)

// For two tokens, the recursion with -β has the same law as the recursion with β, with softmax and Gaussian
// V, at any depth and in any dimension. Let p > q be the weights of a token for itself and for the other one.
// With -β they are exchanged, p = 1/(1+e^{-β(1-Z)}) becoming 1/(1+e^{β(1-Z)}) = q, so that the fields A₁ and
// A₂ are exchanged. Let H be the reflection that exchanges the unit vectors X₁ and X₂; it exchanges A₁ and A₂
// too. Then V A_i(β) = (V H)(H A_i(β)) = (V H) A_i(-β): the step with β and V is the step with -β and V H. H
// depends only on the past, and V H has the law of V as the Gaussian law of the rows is rotation invariant.
// So the paths, not only Z, have the same law. Package sde tests the step. This test shows that the
// comparison of two samples finds no difference for two tokens, and finds the difference for three.
//
// -β is β with the interaction B = -Id. For three tokens the Kolmogorov-Smirnov distance is 0.044, or 7.0 in
// units of √(2/n); from 2.69 on there is an alarm, and the standard deviation is at most ½: power 1-10^-16.
func TestSignOfBeta(t *testing.T) {
	notShort(t)
	const detector, defect = "two samples of Z, β and -β", "sign of β"
	sample := func(tokens int, seed uint64, interaction []float64) []float64 {
		c := transformer(tokens, 4, 3, sde.Softmax, 1)
		c.Interaction = interaction
		return engineOverlaps(t, c, 4, 50_000, seed)
	}
	minusIdentity := []float64{-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1}
	mustPass(t, detector+", β twice", kolmogorovSmirnov(sample(3, 44, nil), sample(3, 45, nil)))
	mustMiss(t, defect+", two tokens", detector,
		kolmogorovSmirnov(sample(2, 44, nil), sample(2, 45, minusIdentity)))
	mustDetect(t, defect+", three tokens", detector,
		kolmogorovSmirnov(sample(3, 44, nil), sample(3, 45, minusIdentity)))
}
