package line

import (
	"fmt"
	"math"

	"antipode/sphere/elementary"
)

// A Position is an overlap z, with u = atanh z and the numbers 1+z and 1-z, whose computation from z would
// suffer cancellation near z = ±1.
type Position struct {
	u, Z         float64 // z = tanh u
	Above, Below float64 // 1+z and 1-z
}

// U returns the coordinate u = atanh z of the overlap z, which is ±Inf for z = ±1.
func (p Position) U() float64 { return p.u }

// Of returns the position of the overlap z = tanh u.
func Of(u float64) Position {
	t := elementary.Exp(-2 * math.Abs(u))
	z, far, near := (1-t)/(1+t), 2/(1+t), 2*t/(1+t)
	if u < 0 {
		return Position{u, -z, near, far}
	}
	return Position{u, z, far, near}
}

// At returns the position of the overlap z in [-1, 1].
func At(z float64) Position {
	return Position{Atanh(z), z, 1 + z, 1 - z}
}

// LogAbove returns log(1+z) for the overlap z, even if 1+z underflows.
func (p Position) LogAbove() float64 {
	if p.u < -20 { // (1+z) / (2 exp(2u)) differs from 1 by exp(-40)
		return float64(2*p.u) + math.Ln2
	}
	return elementary.Log(p.Above)
}

// MustBeOverlap panics if the overlap z is not in [-1, 1].
func MustBeOverlap(z float64) {
	if !(z >= -1 && z <= 1) {
		panic(fmt.Sprintf("overlap: overlap %v is outside [-1, 1]", z))
	}
}
