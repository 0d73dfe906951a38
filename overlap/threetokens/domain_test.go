package threetokens

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/internal/overlaptest"
)

// The domains of all arguments end where the comment of Uniform says.
func TestDomains(t *testing.T) {
	above, below, nan, inf := overlaptest.Above, overlaptest.Below, math.NaN(), math.Inf(1)
	with := func(dim int, beta, sigma, tolerance, accuracy float64, times ...float64) error {
		return check(dim, beta, overlap.Softmax, sigma, times, tolerance, accuracy)
	}
	overlaptest.Domain(t, "dimension", func(dim int) error { return with(dim, 1, 1, 0.1, 0.1, 1) },
		[]int{2, LargestDim}, []int{1, LargestDim + 1})
	overlaptest.Domain(t, "β", func(x float64) error { return with(3, x, 1, 0.1, 0.1, 1) },
		[]float64{0, LargestBeta}, []float64{-5e-324, above(LargestBeta), nan})
	overlaptest.Domain(t, "σ", func(x float64) error { return with(3, 1, x, 0.1, 0.1, 1) },
		[]float64{5e-324, math.MaxFloat64}, []float64{0, nan, inf})
	overlaptest.Domain(t, "tolerance", func(x float64) error { return with(3, 1, 1, x, 0.1, 1) },
		[]float64{LeastTolerance, 0.5}, []float64{below(LeastTolerance), above(0.5), nan})
	overlaptest.Domain(t, "accuracy", func(x float64) error { return with(3, 1, 1, 0.1, x, 1) },
		[]float64{1e-6, 0.1}, []float64{below(1e-6), above(0.1), nan})
	overlaptest.Domain(t, "first time", func(x float64) error {
		return with(3, 1, 1, 0.1, 0.1, x, GreatestTime)
	},
		[]float64{5e-324, below(GreatestTime)}, []float64{0, -1, GreatestTime, nan})
	overlaptest.Domain(t, "last time", func(x float64) error { return with(3, 1, 1, 0.1, 0.1, 1, x) },
		[]float64{above(1), GreatestTime}, []float64{1, above(GreatestTime), nan, inf})
	overlaptest.Domain(t, "times", func(times []float64) error { return with(3, 1, 1, 0.1, 0.1, times...) },
		[][]float64{{1}}, [][]float64{nil, {}})
	overlaptest.Domain(t, "times", func(times []float64) error {
		_, err := Uniform(2, 0, overlap.Softmax, 1, times, 0.5, 0.1)
		return err
	}, nil, [][]float64{nil})
}
