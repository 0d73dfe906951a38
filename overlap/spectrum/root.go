package spectrum

import "math"

// bisect returns where f, negative at low and positive at high, changes its sign. It does
// not evaluate f at these ends.
func bisect(f func(x float64) float64, low, high float64) float64 {
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

// root is bisect by Newton's method, for f that also returns its slope and has a simple
// zero.
func root(f func(x float64) (value, slope float64), low, high float64) float64 {
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
