package interval

// stirlingFrom is the argument z from which the enclosures of gamma and digamma functions use Stirling's
// series.
const stirlingFrom = 24

// stirling encloses log Γ(z) - (z-½)log z + z - ½log 2π for z ≥ stirlingFrom. For positive z the terms of
// Stirling's series alternate in sign, and the series is enveloping (Whittaker and Watson, §12.33). So the
// sum of Stirling's series lies between two successive partial sums.
func stirling(z Interval) Interval {
	y := Of(1).Div(z)
	square := y.Square()
	// Bernoulli numbers divided by 2n(2n-1).
	terms := []Interval{Ratio(1, 12), Ratio(-1, 360), Ratio(1, 1260), Ratio(-1, 1680), Ratio(1, 1188),
		Ratio(-691, 360360), Ratio(1, 156)}
	return enveloped(Of(0), y, square, terms)
}

// enveloped encloses the sum of an enveloping series, whose terms after sum are terms[k] times power times
// square^k. The sum of the series lies between the last two of the partial sums.
func enveloped(sum, power, square Interval, terms []Interval) Interval {
	last := len(terms) - 1
	for _, c := range terms[:last] {
		sum = sum.Add(c.Mul(power))
		power = power.Mul(square)
	}
	return sum.Hull(sum.Add(terms[last].Mul(power)))
}

// LogGammaRatio encloses log(Γ(z+a)/Γ(z)) for z > 0 and z+a > 0, without the cancellation of the
// difference of two logarithms.
func LogGammaRatio(z, a Interval) Interval {
	product := Of(1)
	for low := min(z.Low, z.Low+a.Low); low < stirlingFrom; low++ {
		product = product.Mul(z).Div(z.Add(a))
		z = z.Add(Of(1))
	}
	w := z.Add(a)
	sum := w.Sub(Ratio(1, 2)).Mul(a.Div(z).Log1p()).Add(a.Mul(z.Log())).Sub(a)
	sum = sum.Add(stirling(w)).Sub(stirling(z))
	return sum.Add(product.Log())
}

// DigammaLessLog encloses ψ(z) - log z for z ≥ 1. The digamma function ψ is reduced by ψ(z) = ψ(z+1) - 1/z to
// arguments at which Stirling's series, which alternates and is enveloping, is accurate.
func DigammaLessLog(z Interval) Interval {
	start := z
	var below Interval
	for z.Low < stirlingFrom {
		below = below.Add(Of(1).Div(z))
		z = z.Add(Of(1))
	}
	square := Of(1).Div(z.Square())
	// Bernoulli numbers divided by 2n.
	terms := []Interval{Ratio(-1, 12), Ratio(1, 120), Ratio(-1, 252), Ratio(1, 240), Ratio(-1, 132),
		Ratio(691, 32760), Ratio(-1, 12)}
	sum := enveloped(Of(-1).Div(z.Scale(1)), square, square, terms)
	return sum.Add(z.Sub(start).Div(start).Log1p()).Sub(below)
}
