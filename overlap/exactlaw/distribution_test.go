package exactlaw

import (
	"math"
	"testing"
)

// The crossings of a function with poles and extrema give the probability that it is below a point, on many
// lattices: some have points next to an extremum.
func TestCrossings(t *testing.T) {
	g := func(u float64) (value, slope float64) {
		return u - 0.8*logAbs(u-1.37) + 0.6*logAbs(u-0.587), 1 - 0.8/(u-0.37) + 0.6/(u+0.413)
	}
	below := func(u float64) float64 { return 0.5 + 0.5*math.Tanh(u) }
	const samples = 100_000
	values, weights := make([]float64, samples), make([]float64, samples)
	for k := range samples {
		u := 30 * (2*(float64(k)+0.5)/samples - 1)
		values[k], _ = g(u)
		weights[k] = below(u+30.0/samples) - below(u-30.0/samples)
	}
	for shift := range 20 {
		l := points{-9 + 0.02*float64(shift), 0.4, 45}
		lists := make([][]crossing, l.count)
		newCurve(l, g, []float64{-0.413, 0.37}).addCrossings(l, 1, lists)
		for i, list := range lists {
			sum := 0.0
			for _, c := range list {
				sum += c.weight * below(c.at)
			}
			want := 0.0
			for k, y := range values {
				if y <= l.at(i) {
					want += weights[k]
				}
			}
			near(t, "P(g < y)", sum, want, 3e-4)
		}
	}
}
