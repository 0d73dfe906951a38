package finitedepth

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/interval"
)

// proves reports whether the condition E R^κ ≤ 1 of the hybrid recursion is proved for all distances ζ ≤
// within from an end. proves halves subintervals of ζ until the condition is proved on each subinterval, and
// gives up if a subinterval becomes too narrow.
func (h Hybrid) proves(kappa, within float64, plus bool) bool {
	const narrowest = 1.0 / (1 << 16)
	var on func(part interval.Interval) bool
	on = func(part interval.Interval) bool {
		if h.enclosedMoment(kappa, part, plus).High <= 1 {
			return true
		}
		if part.High-part.Low < float64(narrowest*within) {
			return false
		}
		middle := float64(0.5 * (part.Low + part.High))
		return on(interval.Interval{Low: part.Low, High: middle}) &&
			on(interval.Interval{Low: middle, High: part.High})
	}
	return on(interval.Interval{Low: 0, High: within})
}

// enclosedMoment bounds the moment E R^κ from above for all distances in the interval zeta from an end, and
// encloses E R^κ if a layer cannot take X¹+X² or X¹-X² to 0.
func (h Hybrid) enclosedMoment(kappa float64, zeta interval.Interval, plus bool) interval.Interval {
	below, two, one := zeta, interval.Of(2), interval.Of(1)
	if !plus {
		below = two.Sub(zeta)
	}
	lost := interval.Of(h.Beta).Mul(below).Neg().Expm1()
	sum, difference := one, lost.Neg().Div(two.Add(lost))
	if h.Attention == overlap.Unnormalized {
		half := interval.Of(h.Beta).Exp().Scale(-1)
		sum, difference = half.Mul(two.Add(lost)), half.Mul(lost.Neg())
	}
	short, long := sum, difference
	if plus {
		short, long = difference, sum
	}
	depth := interval.Of(float64(h.Depth))
	p := hybridProof{interval.Of(kappa).Scale(1), short, long, one.Div(depth),
		interval.Of(h.Epsilon).Div(depth.Sqrt())}
	if h.Law != Rademacher {
		return p.mean(h.Law)
	}
	return p.power(one).Add(p.power(one.Neg())).Scale(-1)
}

// A hybridProof encloses moments E R^κ of R = ((1+fs)/(1+fl))² with f = drift + noise·v, s = short, l = long
// and κ = exponent/2.
type hybridProof struct{ exponent, short, long, drift, noise interval.Interval }

// factors encloses the factors 1+fs of the short vector and 1+fl of the long vector for a scalar v.
func (p *hybridProof) factors(v interval.Interval) (across, along interval.Interval) {
	f, one := p.drift.Add(p.noise.Mul(v)), interval.Of(1)
	return one.Add(f.Mul(p.short)), one.Add(f.Mul(p.long))
}

// power bounds R^κ from above for a scalar v, by +Inf if 1+fl can be 0, and encloses R^κ if 1+fs cannot be 0.
func (p *hybridProof) power(v interval.Interval) interval.Interval {
	across, along := p.factors(v)
	across, along = across.Abs(), along.Abs()
	if !(across.Low > 0) {
		across.Low = across.High
	}
	return across.Log().Sub(along.Log()).Mul(p.exponent).Exp()
}

// panelOrder is the order of the Taylor series on a panel of the scalar v. The order must be even.
const panelOrder = 14

// mean bounds the moment E R^κ from above for a law of the scalar v with a density, by Taylor series with
// remainders on panels.
func (p *hybridProof) mean(law ScalarLaw) interval.Interval {
	const panels = 40
	rate := interval.Of(0) // the density of v is proportional to exp(-rate·v²/2)
	switch law {
	case Gaussian:
		rate = interval.Of(1)
	case TruncatedNormal:
		rate = interval.Of(truncatedDeviation).Square()
	}
	half := law.Largest() / panels
	var value, mass interval.Interval
	for k := range panels {
		middle := float64(float64(2*k+1-panels) * half)
		whole := interval.Interval{Low: middle - half, High: middle + half}
		across, along := p.factors(whole)
		near := p.density(interval.Of(middle), rate, false).integral(half, p.density(whole, rate, false))
		mass = mass.Add(near)
		switch {
		case !(along.Low > 0):
			return interval.Interval{Low: 0, High: math.Inf(1)}
		case !(across.Low > 0 || across.High < 0):
			value = value.Add(near.Mul(interval.Interval{Low: 0, High: p.power(whole).High}))
		default:
			rest := p.density(whole, rate, true)
			value = value.Add(p.density(interval.Of(middle), rate, true).integral(half, rest))
		}
	}
	return value.Div(mass)
}

// A panelSeries holds the coefficients of the Taylor series of a function of the scalar v.
type panelSeries [panelOrder + 1]interval.Interval

// density returns the Taylor series at v of F = R^κ exp(-rate·v²/2), without the factor R^κ if moment is
// false. The recursion of the coefficients follows from F' = qF with q = 2κ(a'/a - b'/b) - rate·v, a = 1+fs
// and b = 1+fl.
func (p *hybridProof) density(v, rate interval.Interval, moment bool) (f panelSeries) {
	var q panelSeries
	f[0] = rate.Mul(v.Square()).Scale(-1).Neg().Exp()
	if moment {
		f[0] = f[0].Mul(p.power(v))
		across, along := p.factors(v)
		a, b := p.noise.Mul(p.short).Div(across), p.noise.Mul(p.long).Div(along)
		first, second := p.exponent.Mul(a), p.exponent.Mul(b)
		for k := range q {
			q[k] = first.Sub(second)
			first, second = first.Mul(a).Neg(), second.Mul(b).Neg()
		}
	}
	q[0], q[1] = q[0].Sub(rate.Mul(v)), q[1].Sub(rate)
	for k := range panelOrder {
		var sum interval.Interval
		for i := range k + 1 {
			sum = sum.Add(q[i].Mul(f[k-i]))
		}
		f[k+1] = sum.Div(interval.Of(float64(k + 1)))
	}
	return f
}

// integral returns the integral of the Taylor series from -half to half; the last coefficient is that of
// whole, whose coefficients enclose the derivatives on the whole panel.
func (f panelSeries) integral(half float64, whole panelSeries) (sum interval.Interval) {
	w := interval.Of(half)
	power := w.Scale(1)
	for k := 0; k <= panelOrder; k += 2 {
		if k == panelOrder {
			f[k] = whole[k]
		}
		sum = sum.Add(f[k].Mul(power).Div(interval.Of(float64(k + 1))))
		power = power.Mul(w.Square())
	}
	return sum
}
