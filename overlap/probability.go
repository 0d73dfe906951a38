package overlap

import (
	"fmt"
	"math"
)

// A Probability is a computed probability, and a bound of its absolute error.
type Probability struct {
	Value, Error float64
}

// rounding bounds the relative error that remains when all integrals are exact.
const rounding = 0x1p-48

// AntipodalFrom returns the probability that two tokens of overlap z0 in [-1, 1]
// become antipodal, Z → -1, the complement of (24):
//
//	(S(1) - S(z0)) / (S(1) - S(-1)) if -1 attracts, otherwise 0.
//
// If they do not, they coincide in the end, Z → +1. Tokens that are antipodal or
// coincide stay so: the result is 1 at z0 = -1, even if that end attracts no other
// start, and 0 at z0 = 1. Small probabilities keep their relative accuracy, except
// for β within 1e-3 of CriticalBeta, and are 0 below 1e-300 or so. It is an error if
// z0 is outside [-1, 1].
func (d *Diffusion) AntipodalFrom(z0 float64) (Probability, error) {
	switch {
	case !(z0 >= -1 && z0 <= 1):
		return Probability{}, fmt.Errorf("overlap: z0 = %v is not allowed: it must be from -1 to 1", z0)
	case z0 == -1:
		return Probability{Value: 1}, nil
	case z0 == 1 || d.MinusOne() != Attracting:
		return Probability{}, nil
	}
	s, u := d.scale(), atanh(z0)
	left, right := s.tail(u, -1), s.tail(u, 1)
	total := left.mass + right.mass
	toMinusOne, toPlusOne := right.mass/total, left.mass/total
	integration := float64(toMinusOne * toPlusOne * (left.uncertainty + right.uncertainty))
	// The density at u is 1/total, and u is rounded.
	return Probability{toMinusOne, integration + float64(rounding*toMinusOne) + float64(rounding*math.Abs(u)/total)}, nil
}
