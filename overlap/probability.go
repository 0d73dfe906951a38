package overlap

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
)

// A Probability is a computed probability with an estimate of its absolute error. The field Error is meant to
// exceed the actual error but is not a proven bound. The estimate Error is derived from the last Legendre
// coefficients on every panel of the integrals, or from several solutions of the Fokker-Planck equation.
type Probability struct {
	Value, Error float64
}

// rounding bounds the relative error of a probability whose integrals are exact.
const rounding = 0x1p-48

// AntipodalFrom returns the probability that two tokens of overlap z0 in [-1, 1] become antipodal, Z → -1. If
// both ends ±1 of the overlap attract, the probability is the complement of (24),
//
//	(S(1) - S(z0)) / (S(1) - S(-1));
//
// if only the end -1 attracts, the probability to become antipodal is 1, and otherwise 0. Coinciding tokens
// stay together, so AntipodalFrom returns 0 at z0 = 1. If the end -1 is invariant, antipodal tokens stay
// antipodal, so AntipodalFrom returns 1 at z0 = -1 even if the end -1 is NonAttracting. Small probabilities
// are computed to full relative accuracy, except for β within 1e-3 of CriticalBeta, and underflow to 0 below
// about 1e-300. AntipodalFrom returns an error if z0 is outside [-1, 1].
func (d *Diffusion) AntipodalFrom(z0 float64) (Probability, error) {
	return d.convergence(z0, -1)
}

// SingleFrom returns the probability that two tokens of overlap z0 in [-1, 1] finally coincide, Z → +1. If an
// end attracts, SingleFrom(z0) is 1 - AntipodalFrom(z0), but small results of SingleFrom have full relative
// accuracy. If neither end attracts, the overlap does not converge.
func (d *Diffusion) SingleFrom(z0 float64) (Probability, error) {
	return d.convergence(z0, 1)
}

// convergence returns the probability that the overlap converges to the end -1 or +1.
func (d *Diffusion) convergence(z0, to float64) (Probability, error) {
	near, far := d.line.Minus, d.line.Plus
	if to > 0 {
		near, far = far, near
	}
	switch {
	case !(z0 >= -1 && z0 <= 1):
		return Probability{}, fmt.Errorf("overlap: z0 = %v is not allowed: it must be from -1 to 1", z0)
	case z0 == to && !near.Enterable:
		return Probability{Value: 1}, nil
	case z0 == -to && !far.Enterable, !near.Attracting:
		return Probability{}, nil
	case !far.Attracting:
		return Probability{Value: 1}, nil
	}
	return d.hit(z0, to, -to), nil
}

// HitFrom returns the probability that the overlap, started at z0, reaches a before b:
// (S(b)-S(z0))/(S(b)-S(a)) with the scale function S. If a or b is an end ±1, to reach this end means to
// converge to this end. HitFrom returns an error unless -1 ≤ a ≤ z0 ≤ b ≤ 1 and a < b, or the same with a and
// b exchanged.
func (d *Diffusion) HitFrom(z0, a, b float64) (Probability, error) {
	if low, high := min(a, b), max(a, b); !(low >= -1 && low <= z0 && z0 <= high && high <= 1 && low < high) {
		return Probability{}, fmt.Errorf("overlap: z0 = %v is not allowed: "+
			"it must be between %v and %v, which must differ and be from -1 to 1", z0, a, b)
	}
	switch {
	case math.Abs(z0) == 1:
		return d.convergence(z0, math.Copysign(1, a-b))
	case z0 == a:
		return Probability{Value: 1}, nil
	case z0 == b || d.repels(a):
		return Probability{}, nil
	case d.repels(b):
		return Probability{Value: 1}, nil
	}
	return d.hit(z0, a, b), nil
}

// repels reports whether the overlap z is an end -1 or +1 that does not attract.
func (d *Diffusion) repels(z float64) bool {
	return z == -1 && !d.line.Minus.Attracting || z == 1 && !d.line.Plus.Attracting
}

// hit returns the probability that the overlap, started at z0, reaches a before b. The scale function must be
// finite at a and at b.
func (d *Diffusion) hit(z0, a, b float64) Probability {
	s, u := d.line.Scale(), line.Atanh(z0)
	near, far := s.Tail(u, line.Atanh(a)), s.Tail(u, line.Atanh(b))
	total := near.Mass + far.Mass
	toNear, toFar := far.Mass/total, near.Mass/total
	integration := float64(toNear * toFar * (near.Uncertainty + far.Uncertainty))
	// The last term is the effect of rounding u: the density of the scale measure at u, normalised, is
	// 1/total.
	return Probability{toNear, integration + float64(rounding*toNear) + float64(rounding*math.Abs(u)/total)}
}
