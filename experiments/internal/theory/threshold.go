package theory

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
)

// CriticalBeta is NaN where there is no threshold, for d = 2.
func CriticalBeta(d int) float64 {
	if beta, exists := overlap.CriticalBeta(d); exists {
		return beta
	}
	return math.NaN()
}

// CriticalBetaDepth is the same at finite depth, for Gaussian value matrices of standard deviation σ.
func CriticalBetaDepth(d int, attention overlap.Attention, sigma float64, depth int64) (float64, error) {
	beta, exists, err := finitedepth.CriticalBeta(d, attention, sigma, int(depth))
	if err != nil || exists {
		return beta, err
	}
	return math.NaN(), nil
}
