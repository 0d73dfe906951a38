package runtest

import (
	"slices"

	"antipode/sde/internal/linear"
	"antipode/sphere"
)

// Displaced returns the tokens x (N×d), displaced by h·v and normalised to length 1.
func Displaced(x []float64, h float64, v []float64, d int) []float64 {
	y := slices.Clone(x)
	linear.AddScaled(y, h, v)
	for i := 0; i < len(y); i += d {
		sphere.Normalize(y[i:i+d], y[i:i+d])
	}
	return y
}
