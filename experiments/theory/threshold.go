package theory

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
)

// CriticalBeta is the largest critical β under value matrices of a covariance, NaN where there is none,
// as for d = 2 and independent entries.
func CriticalBeta(d int, v overlap.Covariance) float64 {
	betas := overlap.CriticalBetas(d, v)
	if len(betas) == 0 {
		return math.NaN()
	}
	return betas[len(betas)-1]
}

// CriticalBetaDepth is the same at finite depth, for Gaussian entries of standard deviation σ. It is NaN also
// where the noise of a layer is too large for the covariance.
func CriticalBetaDepth(
	d int, attention overlap.Attention, sigma float64, v overlap.Covariance, depth int64,
) (float64, error) {
	nan := math.NaN()
	if v == overlap.Ginibre {
		beta, exists, err := finitedepth.CriticalBeta(d, attention, sigma, int(depth))
		if err == nil && !exists {
			beta = nan
		}
		return beta, err
	}
	r := finitedepth.Isotropic{Dim: d, Attention: attention, Sigma: sigma, Covariance: v, Depth: int(depth)}
	if beta, exists, err := r.CriticalBeta(); err == nil && exists {
		return beta, nil
	}
	return nan, nil
}

// LyapunovDepth is the Lyapunov exponent per layer of the antipodal pair at finite depth, NaN where the noise
// of a layer is too large for other noise than independent entries.
func LyapunovDepth(r finitedepth.Isotropic) (float64, error) {
	if r.Covariance == overlap.Ginibre && r.Spread == 0 {
		layer, err := finitedepth.Antipodal(r.Dim, r.Beta, r.Attention, r.Sigma, r.Depth)
		if err != nil {
			return 0, err
		}
		return layer.Lyapunov(), nil
	}
	growth, err := r.Antipodal()
	if err != nil {
		return math.NaN(), nil
	}
	lambda, _ := growth.Lyapunov()
	return lambda, nil
}
