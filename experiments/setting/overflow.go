package setting

import (
	"antipode/experiments/parameter"
	"antipode/sde"
)

// largestUnnormalizedBeta is the largest β of unnormalised attention. It keeps the clock, which runs like
// e^2β, within the range of float64. The fields stay in this range for even larger β.
const largestUnnormalizedBeta = 340

// CheckClock returns an error for β at which the times of unnormalised attention overflow.
func CheckClock(attention sde.Attention, betas []float64) error {
	for _, beta := range betas {
		if beta > largestUnnormalizedBeta && attention == sde.Unnormalized {
			return parameter.Errorf("beta", beta, "e^2β overflows in unnormalized attention; must be at "+
				"most %d, or use softmax", largestUnnormalizedBeta)
		}
	}
	return nil
}
