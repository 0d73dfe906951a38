package attention

import "antipode/experiments/internal/statistics"

// MeanOf estimates the mean of the k-th number of each sample.
func MeanOf(results [][]float64, k int) statistics.Estimate {
	return statistics.EstimateOf(results, func(r []float64) float64 { return r[k] })
}
