package lanes

import (
	"math"
	"testing"
)

// A layer's weights are those of the attention of two clusters: S' = x₁ + x₂ + A₁ + A₂ and D' = x₁ - x₂ +
// A₁ - A₂ in the basis of S and D, for masses, β and overlaps over the whole range.
func TestWeightsOfMasses(t *testing.T) {
	for _, masses := range [][2]float64{{1, 2}, {5, 2}, {1, 1}, {1, 1000}} {
		for _, beta := range []float64{0, 0.3, 2, 9} {
			for _, below := range []float64{0, 1e-9, 0.3, 2, 4} {
				for _, softmax := range []bool{true, false} {
					l := newMassesLayer(Clusters{Masses: masses,
						Process: Process{Beta: beta, Softmax: softmax}})
					near, far := math.Exp(beta), math.Exp(beta*(1-below/2))
					m1, m2 := masses[0], masses[1]
					sum1, sum2 := m1+m2, m1+m2
					if softmax {
						sum1, sum2 = m1*near+m2*far, m2*near+m1*far
					}
					p1, q1, p2, q2 := m1*near/sum1, m2*far/sum1, m2*near/sum2, m1*far/sum2
					// A₁ = p₁x₁ + q₁x₂ and x = (S±D)/2.
					want := [4]float64{(p1 + q1 + p2 + q2) / 2, (p1 - q1 - p2 + q2) / 2,
						(p1 + q1 - p2 - q2) / 2, (p1 - q1 + p2 - q2) / 2}
					// Rounding of e^{βZ-β} is amplified where the greater mass is the farther one.
					allowed := 1e-16 * (10 + m2/m1) * (p1 + p2 + q1 + q2)
					a, b, c, e := l.weights(below)
					for k, got := range [4]float64{a, b, c, e} {
						if !(math.Abs(got-want[k]) <= allowed) {
							t.Errorf("masses %v, β = %g, |D|² = %g, softmax %v: weight %d is %v, want %v",
								masses, beta, below, softmax, k, got, want[k])
						}
					}
				}
			}
		}
	}
}
