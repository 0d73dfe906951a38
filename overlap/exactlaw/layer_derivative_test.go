package exactlaw

import (
	"math"
	"testing"
)

// The derivative of the prefactor of a density in two dimensions is that of central differences, for traces
// above 2 det N.
func TestPlanarSumDerivative(t *testing.T) {
	const byDet, byQ, byTrace, h = 0.7, -0.4, 1.3, 1e-5
	for _, c := range [][3]float64{{0.3, 0.8, 1.7}, {0.9, 0.35, 2.9}, {0.02, 2.5, 0.6}} {
		det, q, trace := c[0], c[1], c[2]
		at := func(s float64) float64 {
			l := &layer{det: det + s*byDet}
			return l.planarSum(q+s*byQ, trace+s*byTrace)
		}
		l := &layer{det: det, derivative: &layerDerivative{det: byDet}}
		want := (at(h) - at(-h)) / (2 * h)
		got := l.planarSumDerivative(q, trace, byQ, byTrace)
		if !(math.Abs(got-want) <= 1e-8*(1+math.Abs(want))) {
			t.Errorf("%v: %v, by differences %v", c, got, want)
		}
	}
}
