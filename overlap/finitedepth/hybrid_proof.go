package finitedepth

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/interval"
)

// proves reports whether E R^κ ≤ 1 is proved for signs v in all of a neighbourhood of an end: on parts of
// it, each of which is halved until it is, or too narrow.
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

// enclosedMoment encloses E R^κ of signs at distances ζ from an end.
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
	drift, noise := one.Div(depth), interval.Of(h.Epsilon).Div(depth.Sqrt())
	moment := interval.Of(0)
	for _, f := range []interval.Interval{drift.Add(noise), drift.Sub(noise)} {
		across, along := one.Add(f.Mul(short)).Abs(), one.Add(f.Mul(long)).Abs()
		if !(along.Low > 0) {
			return interval.Interval{Low: 0, High: math.Inf(1)}
		}
		ratio := across.Log().Sub(along.Log())
		moment = moment.Add(ratio.Mul(interval.Of(kappa).Scale(1)).Exp().Scale(-1))
	}
	return moment
}
