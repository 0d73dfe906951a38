package figure

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// logScale is the scale of a logarithmic axis. If the axis shows a single value, this value is in the middle.
// A value that is not positive lies below the axis. Package plot gives the axis of a single value c the range
// from c-1 to c+1, and an axis without values the range from -1 to 1.
type logScale struct{}

// Normalize implements plot.Normalizer.
func (logScale) Normalize(low, high, x float64) float64 {
	switch {
	case !(low > 0):
		return 0.5
	case !(x > 0):
		return -1
	}
	return (math.Log(x) - math.Log(low)) / (math.Log(high) - math.Log(low))
}

// isLogarithmic reports whether an axis has a logarithmic scale.
func isLogarithmic(a plot.Axis) bool {
	_, logarithmic := a.Scale.(logScale)
	return logarithmic && a.Min > 0
}

// singleTick returns the tick of a logarithmic axis with a single positive value. The value is the middle of
// the range.
func singleTick(low, high float64) []plot.Tick {
	const digits = 3 // of the middle; correct for values above 1e-12
	value, err := strconv.ParseFloat(strconv.FormatFloat((low+high)/2, 'g', digits, 64), 64)
	if err != nil || !(value > 1e-12) {
		return nil
	}
	return []plot.Tick{{Value: value, Label: shortLabel(value)}}
}
