package fokkerplanck

import (
	"antipode/overlap/internal/line"
)

// Expectation returns E f(Z) for a function f that is smooth on [-1, 1], the ends included. An
// error of the distribution function by Error changes it by at most Error times the variation of
// f; no other error matters where the law is smooth.
func (f Distribution) Expectation(function func(z float64) float64) float64 {
	return f.expectation(function, 1)
}

// Expectation returns the derivative of E f(Z); see Distribution. An error of that of the distribution
// function by Error changes it by at most Error times the variation of f.
func (f Derivative) Expectation(function func(z float64) float64) float64 {
	return f.law.expectation(function, 0)
}

// expectation is that of a distribution function with a value beyond the last entry.
func (f Distribution) expectation(function func(z float64) float64, last float64) float64 {
	// The masses of the cells times a mean of f about their middles: by parts, the trapezoidal
	// sum of the distribution function times df/du, which converges faster than any power of
	// the width, with a derivative of order 6.
	at := func(i int) float64 {
		return function(line.Of(stretched(f.first + float64((float64(i)-0.5)*f.width))).Z)
	}
	sum, below := 0.0, 0.0
	for i := range len(f.cumulative) + 1 {
		v := last
		if i < len(f.cumulative) {
			v = f.cumulative[i]
		}
		mean := float64(2134*at(i)) - float64(116*(at(i-1)+at(i+1))) + float64(9*(at(i-2)+at(i+2)))
		sum += float64((v - below) * (mean / 1920))
		below = v
	}
	return sum
}
