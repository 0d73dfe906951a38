package fokkerplanck

import (
	"antipode/overlap/internal/line"
)

// Expectation returns the mean E f(Z) of a function f of the overlap Z that is smooth on [-1, 1], including
// the ends. An error of the distribution function of size Error changes the mean by at most Error times the
// total variation of f. For smooth laws the mean has no other significant error.
func (f Distribution) Expectation(function func(z float64) float64) float64 {
	return f.expectation(function, 1)
}

// Expectation returns the derivative of the mean E f(Z) of a function f of the overlap Z that is smooth on
// [-1, 1]. An error of the derivative of the distribution function of size Error changes the derivative of
// the mean by at most Error times the total variation of f.
func (f Derivative) Expectation(function func(z float64) float64) float64 {
	return f.law.expectation(function, 0)
}

// expectation returns the integral of a function with respect to f, whose value beyond the last entry of the
// table is last: 1 for a distribution function, and 0 for the derivative of a distribution function.
func (f Distribution) expectation(function func(z float64) float64, last float64) float64 {
	// Summation by parts turns the integral of f into the trapezoidal sum of the distribution function times
	// df/dx, which converges faster than any power of the cell width. The derivative df/dx is approximated to
	// order 6, and the sum is written as the sum, over all cells, of the mass of the cell times a mean of f
	// about the centre of the cell.
	at := func(i int) float64 {
		return function(line.Of(sinhMap(f.first + float64((float64(i)-0.5)*f.width))).Z)
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
