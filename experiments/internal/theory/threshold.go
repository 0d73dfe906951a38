package theory

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
)

// CriticalBeta is the largest critical β under value matrices of a covariance, NaN where there is none,
// as for d = 2 and independent entries.
func CriticalBeta(d int, v overlap.Covariance) float64 {
	betas := v.CriticalBetas(d)
	if len(betas) == 0 {
		return math.NaN()
	}
	return betas[len(betas)-1]
}

// CriticalBetaDepth is the same at finite depth, for independent Gaussian entries of standard deviation σ.
func CriticalBetaDepth(d int, attention overlap.Attention, sigma float64, depth int64) (float64, error) {
	beta, exists, err := finitedepth.CriticalBeta(d, attention, sigma, int(depth))
	if err != nil || exists {
		return beta, err
	}
	return math.NaN(), nil
}
