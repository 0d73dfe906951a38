package sde

import (
	"math"
	"testing"
)

// The entries have the mean, variance and fourth moment of a normal law. Of n = 10^6
// entries these have standard errors 1/√n, √(2/n) and √(96/n); 5 of them give a false
// alarm in 6·10^5 matrices, but the matrix is always the same.
func TestGaussianInteraction(t *testing.T) {
	const d, scale = 1000, 3
	var moments [5]float64
	for _, v := range GaussianInteraction(d, scale) {
		for k := range moments {
			moments[k] += math.Pow(v/scale, float64(k)) / (d * d)
		}
	}
	for k, want := range map[int]float64{1: 0, 2: 1, 4: 3} {
		deviation := map[int]float64{1: 1, 2: math.Sqrt2, 4: math.Sqrt(96)}[k] / d
		if !(math.Abs(moments[k]-want) <= 5*deviation) {
			t.Errorf("moment %d is %v, want %v ± %v", k, moments[k], want, deviation)
		}
	}
}
