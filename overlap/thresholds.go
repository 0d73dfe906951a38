package overlap

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
)

// Thresholds returns the values of a parameter between low and high, in ascending order, at which the end +1
// or -1 of the overlap begins or ceases to attract; model returns the overlap diffusion for a value of the
// parameter. Thresholds are zeros of the slope h' at the end, found by a scan of 400 equal steps, so two
// zeros within one step are missed. The end -1 has no thresholds if -1 is not invariant. Thresholds returns
// an error if end is not ±1, if low is not below high, or if model returns an error.
func Thresholds(end, low, high float64, model func(x float64) (*Diffusion, error)) ([]float64, error) {
	if math.Abs(end) != 1 || !(low < high) {
		return nil, fmt.Errorf("overlap: thresholds at end %v from %v to %v: the end must be -1 or 1, "+
			"and the first value below the last", end, low, high)
	}
	var failed error
	slope := func(x float64) float64 {
		d, err := model(x)
		if err != nil {
			failed = err
			return 0
		}
		if end > 0 {
			return d.line.Plus.Slope
		}
		if d.line.Minus.Enterable {
			return 0
		}
		return d.line.Slope(line.At(-1))
	}
	const steps = 400
	var found []float64
	before, from := slope(low), low
	for k := 1; k <= steps && failed == nil; k++ {
		to := low + float64((high-low)*float64(k)/steps)
		after := slope(to)
		if crosses(before, after) {
			found = append(found, quadrature.Root(slope, from, to))
		}
		before, from = after, to
	}
	return found, failed
}

// crosses reports whether a continuous function with the values before and after at two points has a zero
// between the points or at the second point. A zero at the first point does not count.
func crosses(before, after float64) bool { return before > 0 && after <= 0 || before < 0 && after >= 0 }
