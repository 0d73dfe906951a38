package fma

import "math"

// exactly is the function of the standard library. The exported page has another function in its place.
func exactly(x, y, z float64) float64 { return math.FMA(x, y, z) }
