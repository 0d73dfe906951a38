// Package interval implements interval arithmetic: the result of an operation on intervals contains the exact
// result of the operation for all numbers in the operands. Each operation rounds outward to the next float64
// beyond the result of IEEE arithmetic. Package interval does not rely on the accuracy of any library
// function.
//
//	x := interval.Of(2).Sqrt()
//	y := x.Mul(x) // contains 2
package interval

import "math"

// An Interval is the set of all x with Low ≤ x ≤ High. Either end of an Interval may be infinite. NaN at an
// end means that nothing is known about this end.
type Interval struct{ Low, High float64 }

// All is the interval of all real numbers.
var All = Interval{math.Inf(-1), math.Inf(1)}

// Of returns the interval [x, x], which contains x alone.
func Of(x float64) Interval { return Interval{x, x} }

// Ratio encloses the quotient p/q; q must not be 0.
func Ratio(p, q float64) Interval { return Of(p).Div(Of(q)) }

func down(x float64) float64 { return -up(-x) }

// up returns the next float64 above x, faster than math.Nextafter; up returns x if x is +∞ or NaN.
func up(x float64) float64 {
	switch {
	case x == 0:
		return math.SmallestNonzeroFloat64
	case !(x <= math.MaxFloat64):
		return x
	}
	bits := math.Float64bits(x)
	return math.Float64frombits(bits + 1 - 2*(bits>>63))
}

// outward returns the interval from low to high, widened by one unit in the last place at each end, or All if
// an end is NaN.
func outward(low, high float64) Interval {
	if low != low || high != high {
		return All
	}
	return Interval{down(low), up(high)}
}

// Contains reports whether x is in the interval a.
func (a Interval) Contains(x float64) bool { return a.Low <= x && x <= a.High }

// Width returns the width High-Low of an interval, rounded up.
func (a Interval) Width() float64 { return up(a.High - a.Low) }

// Neg returns the interval of all -x with x in a.
func (a Interval) Neg() Interval { return Interval{-a.High, -a.Low} }

// Add encloses the sums of numbers in a and in b.
func (a Interval) Add(b Interval) Interval { return outward(a.Low+b.Low, a.High+b.High) }

// Sub encloses the differences of numbers in a and in b.
func (a Interval) Sub(b Interval) Interval { return outward(a.Low-b.High, a.High-b.Low) }

// Mul encloses the products of numbers in a and in b.
func (a Interval) Mul(b Interval) Interval {
	if a.Low >= 0 && b.Low >= 0 {
		return outward(float64(a.Low*b.Low), float64(a.High*b.High))
	}
	p, q := float64(a.Low*b.Low), float64(a.Low*b.High)
	r, s := float64(a.High*b.Low), float64(a.High*b.High)
	return outward(min(p, q, r, s), max(p, q, r, s))
}

// Square encloses the squares of numbers in a, by an interval without negative numbers.
func (a Interval) Square() Interval {
	m := a.Abs()
	return outward(float64(m.Low*m.Low), float64(m.High*m.High)).NotNegative()
}

// Abs returns the interval of the absolute values of numbers in a.
func (a Interval) Abs() Interval {
	switch {
	case a.Low >= 0:
		return a
	case a.High <= 0:
		return a.Neg()
	}
	return Interval{0, max(-a.Low, a.High)}
}

// NotNegative returns the non-negative part of the enclosure a of a quantity that is known not to be
// negative.
func (a Interval) NotNegative() Interval { return Interval{max(0, a.Low), max(0, a.High)} }

// Div encloses the quotients of numbers in a and in b, or returns All if b contains 0.
func (a Interval) Div(b Interval) Interval {
	if !(b.Low > 0 || b.High < 0) {
		return All
	}
	p, q, r, s := a.Low/b.Low, a.Low/b.High, a.High/b.Low, a.High/b.High
	return outward(min(p, q, r, s), max(p, q, r, s))
}

// Scale encloses the products of numbers in a and 2^n.
func (a Interval) Scale(n int) Interval {
	return outward(math.Ldexp(a.Low, n), math.Ldexp(a.High, n))
}

// Hull returns the smallest interval that contains the intervals a and b.
func (a Interval) Hull(b Interval) Interval { return Interval{min(a.Low, b.Low), max(a.High, b.High)} }

// Sqrt encloses the square roots of the non-negative numbers in a.
func (a Interval) Sqrt() Interval {
	a = a.NotNegative()
	return outward(math.Sqrt(a.Low), math.Sqrt(a.High)).NotNegative()
}
