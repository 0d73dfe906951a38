package line

import (
	"math"
	"testing"
)

func TestStraight(t *testing.T) {
	near(t, "constant", exponential(0, 3), 3, 0)
	near(t, "falling", exponential(2, math.Inf(1)), 0.5, 0)
	near(t, "rising", exponential(-1, 2), math.Expm1(2), 1e-14)
	near(t, "nothing", exponential(1, -1), 0, 0)
}

// A tail towards an end at which the scale density does not fall is infinite.
func TestInfiniteLogTail(t *testing.T) {
	for _, limit := range []float64{0, -1} {
		s := Scale{Slope: func(float64) float64 { return limit }, Minus: Converging(-1, -1, Asymptote),
			Plus: Converging(1, limit, Asymptote)}
		if got := s.LogTail(0, math.Inf(1)); !math.IsInf(got, 1) {
			t.Errorf("slope %v: %v", limit, got)
		}
	}
}

// A tail that exceeds float64 has a logarithm, towards both ends: here ∫ e^(300(10-u)) du up to 0, and e^3000
// beyond.
func TestLogTailBeyondFloat64(t *testing.T) {
	s := Scale{Minus: Converging(-1, -1, Asymptote), Plus: Converging(1, 1, Asymptote)}
	for _, direction := range []float64{-1, 1} {
		s.Slope = func(u float64) float64 {
			if direction*u < 0 {
				return -300 * direction
			}
			return direction
		}
		near(t, "log tail", s.LogTail(-10*direction, math.Inf(int(direction))), 3000+math.Log1p(1./300), 1e-9)
	}
}

// The function h falls everywhere below a point, unless the slope is not negative somewhere above the reach
// of the end -1. The slope of a convex h is not asked.
func TestFallsBelow(t *testing.T) {
	for _, c := range []struct {
		low, high float64 // h rises between low and high
		convex    bool
		want      bool
	}{
		{0, 0, false, true}, {-5, -4, false, false}, {-23.9, -23.5, false, false}, {-30, -24.2, false, true},
		{-5, -4, true, true}, {1, 4, false, true}, {-0.1, 4, false, false},
	} {
		s := Scale{Minus: Converging(-1, -1, Asymptote), Convex: c.convex, Slope: func(u float64) float64 {
			if c.low < u && u < c.high {
				return 0
			}
			return -1
		}}
		if got := s.FallsBelow(0); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
