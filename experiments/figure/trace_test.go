package figure

import (
	"math"
	"sync/atomic"
	"testing"
)

// The chords between the points of a trace are close to the function, although it is evaluated at few points
// only: a function with a bend, a step that is 0.02 wide, and a smooth function.
func TestTrace(t *testing.T) {
	const tolerance = 0.004
	for name, f := range map[string]func(x float64) float64{
		"bend":   func(x float64) float64 { return 0.5 * math.Max(0, x-0.66) },
		"step":   func(x float64) float64 { return 1 / (1 + math.Exp((1.3-x)/0.02)) },
		"smooth": func(x float64) float64 { return 0.4 * math.Tanh(x) },
	} {
		calls := 0
		x, y := Trace(func(x float64) float64 { calls++; return f(x) }, 0.3, 3, tolerance)
		if calls > 80 || calls != len(x) || x[0] != 0.3 || x[len(x)-1] != 3 {
			t.Errorf("%s: %d values for %d points from %g to %g", name, calls, len(x), x[0], x[len(x)-1])
		}
		for k := range len(x) - 1 {
			if x[k] >= x[k+1] || y[k] != f(x[k]) {
				t.Fatalf("%s: point %d is (%g, %g), the next at %g", name, k, x[k], y[k], x[k+1])
			}
			for _, share := range []float64{0.25, 0.5, 0.75} {
				at := x[k] + share*(x[k+1]-x[k])
				if off := math.Abs(y[k] + share*(y[k+1]-y[k]) - f(at)); off > tolerance {
					t.Errorf("%s: off by %g at %g", name, off, at)
				}
			}
		}
	}
}

// A function that is nowhere like its chords takes all evaluations that are allowed, the widest pieces first:
// of 48 pieces those on the left are divided once more.
func TestTraceOfARoughFunction(t *testing.T) {
	side := 1.0
	x, _ := Trace(func(float64) float64 { side = -2 * side; return side }, 0, 48, 0.01)
	if len(x) != 80 || x[31]-x[30] != 0.5 || x[62] != 31 || x[63] != 32 || x[79] != 48 {
		t.Errorf("%d points: %v", len(x), x)
	}
}

// Where a function is NaN the trace has a gap, for which few evaluations are spent: 13 points at first, the
// middles of six straight pieces, and one of each of the six halvings of the piece at the edge.
func TestTraceOfNothing(t *testing.T) {
	calls := 0
	x, y := Trace(func(x float64) float64 {
		calls++
		if x > 1 {
			return math.NaN()
		}
		return x
	}, 0, 2, 1e-3)
	if calls != 13+6+6 || len(x) != calls || !math.IsNaN(y[len(y)-1]) || y[0] != 0 {
		t.Errorf("%d values at %v: %v", calls, x, y)
	}
	if x, y := Trace(math.Sin, 2, 2, 1e-3); len(x) != 1 || x[0] != 2 || y[0] != math.Sin(2) {
		t.Errorf("of a point: %v, %v", x, y)
	}
}

func TestParallel(t *testing.T) {
	var sum atomic.Int64
	Parallel(100, func(k int) { sum.Add(int64(k)) })
	if sum.Load() != 4950 {
		t.Errorf("the sum is %d", sum.Load())
	}
}
