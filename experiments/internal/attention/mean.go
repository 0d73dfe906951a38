package attention

import (
	"antipode/experiments/internal/statistics"
)

// Mean is a mean over independent networks with its standard error, NaN for a single one.
type Mean struct{ Value, Stderr float64 }

// MeanOf is the mean of the k-th number of each sample.
func MeanOf(results [][]float64, k int) Mean {
	mean, stderr := statistics.Mean(results, func(r []float64) float64 { return r[k] })
	return Mean{mean, stderr}
}
