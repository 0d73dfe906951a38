package interval

import (
	"math"

	"antipode/sphere/elementary"
)

// Enclosures of log 2 and π, by adjacent float64 values.
var (
	ln2 = Interval{0.693147180559945286, math.Nextafter(0.693147180559945286, 1)}
	// Pi contains π.
	Pi = Interval{3.14159265358979311600, math.Nextafter(3.14159265358979311600, 4)}
)

// reciprocals encloses the reciprocals of the factorials n!.
var reciprocals = func() (table [24]Interval) {
	table[0] = Of(1)
	for n := 1; n < len(table); n++ {
		table[n] = table[n-1].Div(Of(float64(n)))
	}
	return table
}()

// Exp encloses e^x for all x in the interval a.
func (a Interval) Exp() Interval {
	return Interval{exponential(a.Low).Low, exponential(a.High).High}
}

// exponential encloses e^x. With x = k log 2 + r and |r| < 0.4, the enclosure of e^r is the Taylor polynomial
// of degree 19, whose remainder is below 2r^20/20!.
func exponential(x float64) Interval {
	switch {
	case x != x:
		return Interval{0, math.Inf(1)}
	case x < -740:
		return Interval{0, 0x1p-1060}
	case x > 709:
		return Interval{math.MaxFloat64 / 8, math.Inf(1)}
	}
	const degree = 19
	k := math.Round(x / math.Ln2)
	r := Of(x).Sub(Of(k).Mul(ln2))
	sum := reciprocals[degree]
	for n := degree - 1; n >= 0; n-- {
		sum = sum.Mul(r).Add(reciprocals[n])
	}
	rest := 0x1p-86 // 2·0.4^20/20! = 9e-27
	sum = sum.Add(Interval{-rest, rest})
	return sum.Scale(int(k)).NotNegative()
}

// Expm1 encloses e^x - 1 for all x in the interval a, tightly even for x near 0.
func (a Interval) Expm1() Interval {
	if a.Abs().High > 0.3 {
		return a.Exp().Sub(Of(1))
	}
	return Interval{expm1(a.Low).Low, expm1(a.High).High}
}

// expm1 encloses e^x - 1 for |x| < 0.4 by the Taylor polynomial of degree 18; the remainder is below
// 2|x|^19/19!.
func expm1(x float64) Interval {
	sum := reciprocals[18]
	for n := 17; n >= 1; n-- {
		sum = sum.Mul(Of(x)).Add(reciprocals[n])
	}
	rest := 0x1p-78 // 2·0.4^18/19! = 1e-24
	return sum.Add(Interval{-rest, rest}).Mul(Of(x))
}

// Log encloses the natural logarithms of the positive numbers in the interval a.
func (a Interval) Log() Interval { return Interval{logarithm(a.Low).Low, logarithm(a.High).High} }

// logarithm encloses log x: for any y, log x = y + log w with w = x e^-y, and 1-1/w ≤ log w ≤ w-1.
func logarithm(x float64) Interval {
	switch {
	case !(x > 0):
		return All
	case x > math.MaxFloat64:
		return Interval{709, math.Inf(1)}
	}
	fraction, n := math.Frexp(x)
	y := elementary.Log(fraction)
	w := Of(fraction).Mul(Of(-y).Exp())
	rest := Interval{Of(1).Sub(Of(1).Div(w)).Low, w.Sub(Of(1)).High}
	return Of(y).Add(rest).Add(Of(float64(n)).Mul(ln2))
}

// Log1p encloses log(1+x) for all x in the interval a, tightly even for x near 0.
func (a Interval) Log1p() Interval {
	if a.Abs().High > 0.25 {
		return a.Add(Of(1)).Log()
	}
	return Interval{log1p(a.Low).Low, log1p(a.High).High}
}

// log1p encloses log(1+x) = 2 artanh s with s = x/(2+x), for |s| ≤ 1/7. The rest of the power series of
// log(1+x) in s after 12 terms is below 2|s|^25/25/(1-s²).
func log1p(x float64) Interval {
	s := Of(x).Div(Of(2).Add(Of(x)))
	square := s.Square()
	sum := Of(1).Div(Of(23))
	for n := 21; n >= 1; n -= 2 {
		sum = sum.Mul(square).Add(Of(1).Div(Of(float64(n))))
	}
	rest := 0x1p-70 // (1/7)^24/25/(1-1/49) = 2e-22
	return sum.Add(Interval{-rest, rest}).Mul(s).Scale(1)
}

// Sech encloses 1/cosh x for all x in the interval a.
func (a Interval) Sech() Interval {
	m := a.Abs()
	of := func(x float64) Interval {
		e := exponential(-x)
		return e.Scale(1).Div(Of(1).Add(e.Square()))
	}
	return Interval{max(0, of(m.High).Low), min(1, of(m.Low).High)}
}

// Tanh encloses tanh x for all x in the interval a.
func (a Interval) Tanh() Interval {
	of := func(x float64) Interval {
		if x < -300 {
			return Interval{-1, -1 + 0x1p-50}
		}
		if x > 300 {
			return Interval{1 - 0x1p-50, 1}
		}
		e := Of(2 * x).Expm1()
		return e.Div(e.Add(Of(2)))
	}
	return Interval{max(-1, of(a.Low).Low), min(1, of(a.High).High)}
}
