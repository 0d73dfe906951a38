package runtest

import (
	"slices"

	"antipode/sde/internal/linear"
	"antipode/sphere"
)

// Displaced is the unit tokens x + h·v, back on the sphere.
func Displaced(x []float64, h float64, v []float64, d int) []float64 {
	y := slices.Clone(x)
	linear.AddScaled(y, h, v)
	for i := 0; i < len(y); i += d {
		sphere.Normalize(y[i:i+d], y[i:i+d])
	}
	return y
}
