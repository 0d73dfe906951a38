package spectrum

import (
	"math"
	"slices"
)

// distance returns the distance of Kolmogorov and Smirnov between values and a law: the largest difference of
// their distribution functions.
func distance(values []float64, law func(x float64) float64) (largest float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := float64(len(sorted))
	for k, x := range sorted {
		below := law(math.Nextafter(x, math.Inf(-1))) // left limit, less than law(x) at an atom
		if k == 0 || sorted[k-1] < x {
			largest = max(largest, below-float64(k)/n)
		}
		if k+1 == len(sorted) || x < sorted[k+1] {
			largest = max(largest, float64(k+1)/n-law(x))
		}
	}
	return largest
}
