package runtest

import (
	"slices"

	"antipode/sde/internal/linear"
	"antipode/sphere"
)

// Displaced returns the unit tokens normalise(x + h·v).
func Displaced(x []float64, h float64, v []float64, d int) []float64 {
	y := slices.Clone(x)
	linear.AddScaled(y, h, v)
	for i := 0; i < len(y); i += d {
		sphere.Normalize(y[i:i+d], y[i:i+d])
	}
	return y
}
