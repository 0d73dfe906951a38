package setting

import (
	"antipode/experiments/parameter"
	"antipode/sde"
)

// largestUnnormalizedBeta is the largest β of unnormalised attention. With this bound the speed of the
// overlap (its variance per unit of time), which grows like e^2β, stays within the range of float64. The
// attention itself stays in this range for even larger β.
const largestUnnormalizedBeta = 340

// CheckClock returns an error for a β at which the speed of the overlap under unnormalised attention, of
// order e^2β, overflows.
func CheckClock(attention sde.Attention, betas []float64) error {
	for _, beta := range betas {
		if beta > largestUnnormalizedBeta && attention == sde.Unnormalized {
			return parameter.Errorf("beta", beta, "e^2β overflows in unnormalized attention; must be at "+
				"most %d, or use softmax", largestUnnormalizedBeta)
		}
	}
	return nil
}
