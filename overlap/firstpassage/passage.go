package firstpassage

import (
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// A Time is a mean passage time or a decay time, in units of time. Value is +Inf where the time is
// infinite or beyond float64; Log, its natural logarithm, is +Inf only where it is infinite.
// Relative errors are about 1e-11, and 1e-8 on steep scales with barriers below e^10; a sum over n
// e-folds adds n roundings.
type Time struct {
	Value, Log float64
}

// timeOf returns mantissa·e^level.
func timeOf(mantissa, level float64) Time {
	log := elementary.Log(mantissa) + level
	if level == 0 {
		return Time{mantissa, log}
	}
	return Time{elementary.Exp(log), log}
}

var infinite = Time{math.Inf(1), math.Inf(1)}

// Between returns the mean time in which the overlap first comes from one point to another,
//
//	∫ s(y) ∫ 2/(Variance(x) s(x)) dx dy,
//
// y between the points and x from the end behind the start to y. It is infinite if the overlap may
// never arrive, as when the end behind attracts or the other point is ±1. From -1 itself it is
// finite for unequal masses only. It is an error if a point is not in [-1, 1], or if the variance
// exceeds float64, as that of unnormalized attention does when e^(2β) overflows.
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
	m := enter(l, behind, side)
	m.to(side * min(side*m.u, side*line.Atanh(from)))
	m.integral = 0
	m.to(line.Atanh(to))
	return timeOf(math.Abs(m.integral), m.level), nil
}

// enter returns a march that starts at an end that does not attract, where flux and
// slopes have their limits: 2/variance is proportional to exp(-u·end.variance).
func enter(d *line.Diffusion, behind line.End, side float64) march {
	u := float64(side * behind.Reach)
	rate := 2 / d.Variance(line.Of(u))
	return march{d: d, u: u, flux: rate / math.Abs(behind.Slope-behind.Variance), source: -side}
}

// reflected returns the mean time in which the overlap first comes from one point to another when
// it is reflected at a wall: -1 < wall ≤ from ≤ to < 1 or the reverse.
func reflected(d *line.Diffusion, wall, from, to float64) (Time, error) {
	if err := check(d, from, to); err != nil {
		return Time{}, err
	}
	if !(math.Abs(wall) < 1 && math.Abs(to) < 1 &&
		(wall <= from && from <= to || wall >= from && from >= to)) {
		return Time{}, fmt.Errorf("firstpassage: wall %v is not allowed: "+
			"the start %v must be between it and %v, all inside (-1, 1)", wall, from, to)
	}
	m := march{d: d, u: line.Atanh(wall), source: math.Copysign(1, to-wall)}
	m.to(line.Atanh(from))
	m.integral = 0
	m.to(line.Atanh(to))
	return timeOf(math.Abs(m.integral), m.level), nil
}

// Exit returns the mean time in which the overlap first comes from z0 to a or b, -1 < a < b < 1 with
// z0 between them. It is P(b before a) times the passage time from z0 to b with a wall at z0, and
// the same with a and b exchanged. Errors are those of Between.
func Exit(d *overlap.Diffusion, z0, a, b float64) (Time, error) {
	if !(-1 < a && a <= z0 && z0 <= b && b < 1 && a < b) {
		return Time{}, fmt.Errorf("firstpassage: z0 = %v is not allowed: "+
			"it must be from %v to %v, and these inside (-1, 1)", z0, a, b)
	}
	l := d.Line()
	up, err := reflected(l, z0, z0, b)
	if err != nil {
		return Time{}, err
	}
	down, _ := reflected(l, z0, z0, a)
	// Next to long times even probabilities below float64 matter, by their logarithms.
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

// Lifetime returns the mean passage time of the overlap from -1, where two clusters of unequal mass
// are antipodal, to 0. It is infinite for equal masses. Errors are those of Between.
func Lifetime(d *overlap.Diffusion) (Time, error) { return Between(d, -1, 0) }
