package spectrum

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// distance is that of Kolmogorov and Smirnov between values and a law: the largest
// difference of their distribution functions.
func distance(values []float64, law func(x float64) float64) (largest float64) {
	sorted := slices.Sorted(slices.Values(values))
	for k, x := range sorted {
		p, n := law(x), float64(len(sorted))
		largest = max(largest, p-float64(k)/n, float64(k+1)/n-p)
	}
	return largest
}

// rate is a fitted power of a size, with a 95 % interval.
type rate struct{ value, low, high float64 }

// fitRate fits y = c x^rate to means y with standard errors, by weighted least squares of
// logarithms; with four sizes or more it fits c x^rate (1+a x^-correction), so that
// corrections of that order do not look like a rate. It is NaN for less than two sizes. The standard errors are
// taken as known; where they are 0, for single samples, they are taken as equal, and the
// interval is NaN.
func fitRate(sizes, means, errors []float64, correction float64) rate {
	n, terms := len(sizes), 2
	if n < 2 {
		return rate{math.NaN(), math.NaN(), math.NaN()}
	}
	if n >= 4 {
		terms = 3
	}
	known := !slices.ContainsFunc(errors, func(e float64) bool { return !(e > 0) })
	design, right := mat.NewDense(n, terms, nil), mat.NewVecDense(n, nil)
	for k, x := range sizes {
		weight := 1.0
		if known {
			weight = means[k] / errors[k]
		}
		for j, term := range []float64{1, math.Log(x), math.Pow(x, -correction)}[:terms] {
			design.Set(k, j, weight*term)
		}
		right.SetVec(k, weight*math.Log(means[k]))
	}
	var normal, inverse mat.Dense
	var side, solution mat.VecDense
	normal.Mul(design.T(), design)
	side.MulVec(design.T(), right)
	if err := inverse.Inverse(&normal); err != nil {
		return rate{math.NaN(), math.NaN(), math.NaN()}
	}
	solution.MulVec(&inverse, &side)
	const quantile = 1.959963984540054 // of the normal law at 97.5 %
	half := quantile * math.Sqrt(inverse.At(1, 1))
	if !known {
		half = math.NaN()
	}
	value := solution.AtVec(1)
	return rate{value, value - half, value + half}
}
