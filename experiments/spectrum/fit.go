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
	n := float64(len(sorted))
	for k, x := range sorted {
		below := law(math.Nextafter(x, math.Inf(-1))) // less than law(x) at an atom
		if k == 0 || sorted[k-1] < x {
			largest = max(largest, below-float64(k)/n)
		}
		if k+1 == len(sorted) || x < sorted[k+1] {
			largest = max(largest, float64(k+1)/n-law(x))
		}
	}
	return largest
}

// rate is a fitted power of a size, with a 95 % interval.
type rate struct{ value, low, high float64 }

// fitRate fits y = c x^rate to means y with standard errors, by weighted least squares of
// logarithms; with four sizes or more it fits c x^rate (1+a x^-correction), so that
// corrections of that order do not look like a rate. Means that are not above 0 are left
// out; it is NaN for less than two others. The standard errors are
// taken as known; where they are 0, for single samples, they are taken as equal, and the
// interval is NaN.
func fitRate(sizes, means, errors []float64, correction float64) rate {
	sizes, means, errors = positive(sizes, means, errors)
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

// positive leaves out the sizes whose mean is not above 0.
func positive(sizes, means, errors []float64) (x, y, e []float64) {
	for k, m := range means {
		if m > 0 {
			x, y, e = append(x, sizes[k]), append(y, m), append(e, errors[k])
		}
	}
	return x, y, e
}
