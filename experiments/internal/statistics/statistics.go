// Package statistics has the moments of samples from which estimates and their standard errors
// follow.
package statistics

import "math"

// Deviations returns the mean of a number over one or more samples, and the sum of the squares of
// its deviations from the mean. Over the n-1 degrees of freedom the sum is the variance of a
// sample, and that over n the square of the mean's standard error.
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

// Mean returns the mean of a number over one or more samples, and its standard error; NaN for one sample.
func Mean[T any](samples []T, number func(T) float64) (mean, stderr float64) {
	mean, squares := Deviations(samples, number)
	n := float64(len(samples))
	if n < 2 {
		return mean, math.NaN()
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}
