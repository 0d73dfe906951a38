package fma

import "math"

// exactly is the standard library's.
func exactly(x, y, z float64) float64 { return math.FMA(x, y, z) }
