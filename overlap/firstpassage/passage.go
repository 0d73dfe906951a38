package firstpassage

import (
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// A Time is a mean passage time or a decay time, in units of time. The field Value is +Inf if the time is
// infinite or exceeds float64; the field Log, the natural logarithm of the time, is +Inf only if the time is
// infinite. Relative errors of a Time are about 1e-11; for steep scale functions with barriers below e^10
// relative errors are about 1e-8. A factor e^n in the time adds n rounding errors.
type Time struct {
	Value, Log float64
}

// timeOf returns the Time mantissa·e^level.
func timeOf(mantissa, level float64) Time {
	log := elementary.Log(mantissa) + level
	if level == 0 {
		return Time{mantissa, log}
	}
	return Time{elementary.Exp(log), log}
}

var infinite = Time{math.Inf(1), math.Inf(1)}

// Between returns the mean time at which the overlap of two clusters, started at from, first reaches to,
//
//	∫ s(y) ∫ 2/(Variance(x) s(x)) dx dy,
//
// where y runs from the start to the target, and s is the density of the scale function. If the target lies
// above the start, x runs from the end -1 to y; otherwise x runs from the end +1 to y. The mean passage time
// is infinite if the overlap may never reach the target: if the end from which x runs attracts, or if the
// target is ±1. The mean passage time from the start -1 is infinite if the end -1 is invariant, as for equal
// masses. Between returns an error if from or to is not in [-1, 1], if the variance of the overlap exceeds
// float64, as when e^(2β) overflows for unnormalized attention, or if the drift is more than 5e99 times the
// variance where x runs.
func Between(d *overlap.Diffusion, from, to float64) (Time, error) {
	l := d.Line()
	if err := check(l, from, to); err != nil {
		return Time{}, err
	}
	behind, side := l.Minus, -1.0
	if to < from {
		behind, side = l.Plus, 1.0
	}
	switch {
	case from == to:
		return timeOf(0, 0), nil
	case math.Abs(to) == 1, from == side && !behind.Enterable, !behind.Enterable && side*behind.Slope >= 0:
		return infinite, nil
	}
	if err := l.CheckScale(float64(side*behind.Reach), line.Atanh(to)); err != nil {
		return Time{}, err
	}
	m := fromEnd(l, behind, side)
	m.integrateTo(side * min(side*m.u, side*line.Atanh(from)))
	m.integral = 0
	m.integrateTo(line.Atanh(to))
	return timeOf(math.Abs(m.integral), m.logScale), nil
}

// fromEnd returns an integrator that starts near the end behind, which does not attract. The initial flux is
// the limit of the flux at the end, where 2/variance is proportional to exp(-u·behind.Variance).
func fromEnd(d *line.Diffusion, behind line.End, side float64) integrator {
	u := float64(side * behind.Reach)
	rate := 2 / d.Variance(line.Of(u))
	return integrator{d: d, u: u, flux: rate / math.Abs(behind.Slope-behind.Variance), source: -side}
}

// reflectedPassage returns the mean time at which the overlap, started at from and reflected at wall, first
// reaches to. reflectedPassage returns an error unless -1 < wall ≤ from ≤ to < 1 or 1 > wall ≥ from ≥ to >
// -1.
func reflectedPassage(d *line.Diffusion, wall, from, to float64) (Time, error) {
	if err := check(d, from, to); err != nil {
		return Time{}, err
	}
	if !(math.Abs(wall) < 1 && math.Abs(to) < 1 &&
		(wall <= from && from <= to || wall >= from && from >= to)) {
		return Time{}, fmt.Errorf("firstpassage: wall %v is not allowed: "+
			"the start %v must be between it and %v, all inside (-1, 1)", wall, from, to)
	}
	if err := d.CheckScale(line.Atanh(wall), line.Atanh(to)); err != nil {
		return Time{}, err
	}
	m := integrator{d: d, u: line.Atanh(wall), source: math.Copysign(1, to-wall)}
	m.integrateTo(line.Atanh(from))
	m.integral = 0
	m.integrateTo(line.Atanh(to))
	return timeOf(math.Abs(m.integral), m.logScale), nil
}

// Exit returns the mean time at which the overlap, started at z0, first reaches a or b, where -1 < a ≤ z0 ≤ b
// < 1 and a < b. The mean exit time is P(b before a) times the mean passage time from z0 to b with a
// reflecting wall at z0, plus P(a before b) times the mean passage time from z0 to a with a reflecting wall
// at z0. The errors of Exit are those of Between.
func Exit(d *overlap.Diffusion, z0, a, b float64) (Time, error) {
	if !(-1 < a && a <= z0 && z0 <= b && b < 1 && a < b) {
		return Time{}, fmt.Errorf("firstpassage: z0 = %v is not allowed: "+
			"it must be from %v to %v, and these inside (-1, 1)", z0, a, b)
	}
	l := d.Line()
	up, err := reflectedPassage(l, z0, z0, b)
	if err != nil {
		return Time{}, err
	}
	down, err := reflectedPassage(l, z0, z0, a)
	if err != nil {
		return Time{}, err
	}
	// If passage times are long, even probabilities below float64 matter, so Exit computes with logarithms.
	s, u := l.Scale(), line.Atanh(z0)
	toA, toB := s.LogTail(u, line.Atanh(b)), s.LogTail(u, line.Atanh(a))
	total := line.LogSum(toA, toB)
	first, second := toB-total+up.Log, toA-total+down.Log
	if level := line.LogSum(first, second); !math.IsInf(level, -1) {
		return timeOf(1, level), nil
	}
	return timeOf(0, 0), nil
}

func check(d *line.Diffusion, from, to float64) error {
	for _, z := range []float64{from, to} {
		if !(z >= -1 && z <= 1) {
			return fmt.Errorf("firstpassage: overlap %v is not allowed: it must be from -1 to 1", z)
		}
	}
	return d.CheckClock()
}

// Lifetime returns the mean passage time of the overlap from -1, where two clusters of unequal mass are
// antipodal, to 0. Lifetime is infinite for equal masses. The errors of Lifetime are those of Between.
func Lifetime(d *overlap.Diffusion) (Time, error) { return Between(d, -1, 0) }
