//go:build long

package sde

import (
	"math"
	"testing"
)

// 10^6 steps of every scheme on the sphere, with common noise and with independent
// noise.
func TestNormBoundOverAMillionSteps(t *testing.T) {
	const d = 4
	for _, c := range schemes(2, d) {
		for _, noise := range c.Model.Noises() {
			c.Model = withNoise(c.Model, noise)
			worst := 0.0
			follow(t, c, 1_000_000, func(_ int64, x []float64) {
				worst = max(worst, math.Abs(normError(x[:d])), math.Abs(normError(x[d:])))
			})
			if bound := 4 + math.Sqrt(d); worst > bound {
				t.Errorf("%s: norm off by %.2f·2^-53, more than %.2f", limitName(c), worst, bound)
			}
		}
	}
}
