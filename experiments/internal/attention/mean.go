package attention

import "math"

// Mean is a mean over independent networks with its standard error, NaN for a single one.
type Mean struct{ Value, Stderr float64 }

// MeanOf is the mean of the k-th number of each sample.
func MeanOf(results [][]float64, k int) Mean {
	n, mean := float64(len(results)), 0.0
	for _, r := range results {
		mean += r[k] / n
	}
	square := 0.0
	for _, r := range results {
		square += (r[k] - mean) * (r[k] - mean)
	}
	if n < 2 {
		return Mean{mean, math.NaN()}
	}
	return Mean{mean, math.Sqrt(square / (n - 1) / n)}
}
