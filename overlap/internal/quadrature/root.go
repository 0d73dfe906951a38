package quadrature

import (
	"math"
)

// Root returns the zero of f between a and b, at which f must have different signs, to within a few rounding
// errors of the zero or of f. The zero is found by regula falsi. If an end of the interval does not change
// twice in succession, the value of f at this end is halved (the Illinois method).
func Root(f func(x float64) float64, a, b float64) float64 {
	fa, fb := f(a), f(b)
	for fb != 0 && math.Abs(b-a) > 0x1p-50*math.Abs(b) {
		x := b - float64(fb*((b-a)/(fb-fa)))
		if x == b {
			break
		}
		fx := f(x)
		if fx*fb < 0 {
			a, fa = b, fb
		} else {
			fa *= 0.5
		}
		b, fb = x, fx
	}
	return b
}

// Bisect returns the point at which f changes its sign; f must be negative at low and positive at high.
// Bisect does not evaluate f at low and high.
func Bisect(f func(x float64) float64, low, high float64) float64 {
	for {
		middle := low + float64(0.5*(high-low))
		if middle == low || middle == high {
			return middle
		}
		if f(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
}

// Newton returns the point between low and high at which f changes its sign from negative to positive, by
// Newton's method. The function f returns its value and its slope. The zero of f must be simple.
func Newton(f func(x float64) (value, slope float64), low, high float64) float64 {
	const mostSteps = 300
	x := low + float64(0.5*(high-low))
	for range mostSteps {
		value, slope := f(x)
		if value < 0 {
			low = x
		} else {
			high = x
		}
		next := x - value/slope
		if !(next > low && next < high) {
			next = low + float64(0.5*(high-low))
		}
		if math.Abs(next-x) <= 0x1p-52*math.Abs(x) {
			return next
		}
		x = next
	}
	return x
}
