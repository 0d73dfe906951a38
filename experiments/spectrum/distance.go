package spectrum

import (
	"math"
	"slices"
)

// distance returns the Kolmogorov-Smirnov distance between values and a law: the largest difference between
// their distribution functions.
func distance(values []float64, law func(x float64) float64) (largest float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := float64(len(sorted))
	for k, x := range sorted {
		// The left limit of the law at x is less than law(x) if the law has an atom at x.
		below := law(math.Nextafter(x, math.Inf(-1)))
		if k == 0 || sorted[k-1] < x {
			largest = max(largest, below-float64(k)/n)
		}
		if k+1 == len(sorted) || x < sorted[k+1] {
			largest = max(largest, float64(k+1)/n-law(x))
		}
	}
	return largest
}
