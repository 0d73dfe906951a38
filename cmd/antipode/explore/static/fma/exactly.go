package fma

import "math"

// exactly is the fused multiply-add of the standard library. In the exported page another file replaces
// exactly.
func exactly(x, y, z float64) float64 { return math.FMA(x, y, z) }
