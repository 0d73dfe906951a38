package threetokens

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
	"antipode/overlap"
)

// The domains of all arguments end where the comment of Uniform says.
func TestDomains(t *testing.T) {
	above, below, nan, inf := domaintest.Above, domaintest.Below, math.NaN(), math.Inf(1)
	with := func(dim int, beta, sigma, tolerance, accuracy float64, times ...float64) error {
		return check(dim, beta, overlap.Softmax, sigma, times, tolerance, accuracy)
	}
	domaintest.Check(t, "dimension", func(dim int) error { return with(dim, 1, 1, 0.1, 0.1, 1) },
		[]int{2, LargestDim}, []int{1, LargestDim + 1})
	domaintest.Check(t, "β", func(x float64) error { return with(3, x, 1, 0.1, 0.1, 1) },
		[]float64{0, LargestBeta}, []float64{domaintest.Below(0), above(LargestBeta), nan})
	domaintest.Check(t, "σ", func(x float64) error { return with(3, 1, x, 0.1, 0.1, 1) },
		[]float64{5e-324, 1e144}, []float64{0, 1e145, 1e154, math.MaxFloat64, nan, inf})
	domaintest.Check(t, "σ with unnormalized attention", func(x float64) error {
		return check(3, LargestBeta, overlap.Unnormalized, x, []float64{1}, 0.1, 0.1)
	}, []float64{5e-324, 1e136}, []float64{0, 1e137, math.MaxFloat64, nan, inf})
	domaintest.Check(t, "tolerance", func(x float64) error { return with(3, 1, 1, x, 0.1, 1) },
		[]float64{LeastTolerance, 0.5}, []float64{below(LeastTolerance), above(0.5), nan})
	domaintest.Check(t, "accuracy", func(x float64) error { return with(3, 1, 1, 0.1, x, 1) },
		[]float64{1e-6, 0.1}, []float64{below(1e-6), above(0.1), nan})
	domaintest.Check(t, "first time", func(x float64) error {
		return with(3, 1, 1, 0.1, 0.1, x, GreatestTime)
	},
		[]float64{5e-324, below(GreatestTime)}, []float64{0, -1, GreatestTime, nan})
	domaintest.Check(t, "last time", func(x float64) error { return with(3, 1, 1, 0.1, 0.1, 1, x) },
		[]float64{above(1), GreatestTime}, []float64{1, above(GreatestTime), nan, inf})
	domaintest.Check(t, "times", func(times []float64) error { return with(3, 1, 1, 0.1, 0.1, times...) },
		[][]float64{{1}}, [][]float64{nil, {}})
	domaintest.Check(t, "times", func(times []float64) error {
		_, err := Uniform(2, 0, overlap.Softmax, 1, times, 0.5, 0.1)
		return err
	}, [][]float64{{0.01}, {5e-324}}, [][]float64{nil})
}
