package fma

import "math"

// exactly is the standard library's function. The exported page has another one in its place.
func exactly(x, y, z float64) float64 { return math.FMA(x, y, z) }
