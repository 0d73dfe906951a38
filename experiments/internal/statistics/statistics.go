// Package statistics estimates means over independent samples, with their standard errors.
package statistics

import "math"

// Deviations returns the mean of a number over one or more samples, and the sum of the squares of its
// deviations from the mean. Divided by n-1, the sum is an estimate of the variance of the number; divided by
// n(n-1), the sum is the square of the standard error of the mean.
func Deviations[T any](samples []T, number func(T) float64) (mean, squares float64) {
	n := float64(len(samples))
	for _, s := range samples {
		mean += number(s) / n
	}
	for _, s := range samples {
		difference := number(s) - mean
		squares += float64(difference * difference)
	}
	return mean, squares
}

// Quantile95 is the 97.5 % quantile of the standard normal law, which two-sided 95 % confidence intervals
// use.
const Quantile95 = 1.959963984540054

// Estimate is a mean over independent samples with its standard error. The standard error of a single sample
// is NaN.
type Estimate struct{ Value, Stderr float64 }

// Unknown is an unknown Estimate, which is null in a table.
var Unknown = Estimate{math.NaN(), math.NaN()}

// EstimateOf estimates the mean of a number over one or more independent samples.
func EstimateOf[T any](samples []T, number func(T) float64) Estimate {
	mean, squares := Deviations(samples, number)
	n := float64(len(samples))
	if n < 2 {
		return Estimate{mean, math.NaN()}
	}
	return Estimate{mean, math.Sqrt(squares / (n - 1) / n)}
}
