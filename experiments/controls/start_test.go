package controls

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/sde"
)

// cubeStart draws points uniformly in a cube and normalises them, a common mistake for the uniform law on the
// sphere. The second moments are right.
type cubeStart struct{ sde.UniformStart }

func (cubeStart) Fill(x []float64, d int, _ int64, normal func() float64) error {
	for i := 0; i < len(x); i += d {
		square := 0.0
		for k := range d {
			v := math.Erf(normal() / math.Sqrt2) // uniform in (-1, 1)
			x[i+k] = v
			square += v * v
		}
		for k := range d {
			x[i+k] /= math.Sqrt(square)
		}
	}
	return nil
}

func (cubeStart) String() string { return "cube" }

// uniformOverlap returns the p-value of Neyman's smooth test of the law of the overlap of two uniform tokens,
// whose density is proportional to (1-z²)^((d-3)/2). The scores are the means of the first eight polynomials
// P_n that are orthogonal with this density, Gegenbauer's with P_n(1) = 1, divided by their standard errors.
// The second moment of P_n is 1/h by the addition theorem, where h is the number of spherical harmonics of
// degree n.
//
// For two independent tokens with any common law, E P_n(Z) = Σ (E Y)²/h ≥ 0, where the sum is over the
// harmonics Y of degree n: contributions of a defect cannot cancel. For the cube in dimension 2 it is (π-3)²
// = 0.0201 at n = 4, which with 2·10^5 draws is a score of 0.0201·√(4·10^5) = 12.7. The sum of squares is
// then 8+161 ± 26, and from 42.7 on there is an alarm: power 1-10^-9. In dimensions 3, 4 and 8 it is
// no less. A Kolmogorov-Smirnov distance would be 0.0032 for d = 2, and √n times that only 1.4: no power.
func uniformOverlap(overlaps []float64, d int) float64 {
	const degrees = 8
	var sums [degrees + 1]float64
	for _, z := range overlaps {
		before, p := 1.0, z
		for n := 1; n <= degrees; n++ {
			sums[n] += p
			next := (float64(2*n+d-2)*z*p - float64(n)*before) / float64(n+d-2)
			before, p = p, next
		}
	}
	var scores []float64
	for n := 1; n <= degrees; n++ {
		harmonics := float64(2*n+d-2) / float64(n)
		for k := 1; k < n; k++ { // times the binomial coefficient (n+d-3 choose n-1)
			harmonics *= float64(d-2+k) / float64(k)
		}
		scores = append(scores, sums[n]*math.Sqrt(harmonics/float64(len(overlaps))))
	}
	return chiSquared(scores)
}

func TestUniformStartAgainstItsLaw(t *testing.T) {
	longtest.Only(t)
	notShort(t)
	const detector = "smooth test of Z at the start"
	for _, d := range []int{2, 3, 4, 8} {
		c := transformer(2, d, 1, sde.Softmax, 1)
		mustPass(t, detector, uniformOverlap(engineOverlaps(t, c, 0, 200_000, 46), d))
		c.Start = cubeStart{}
		mustDetect(t, "normalised cube", detector, uniformOverlap(engineOverlaps(t, c, 0, 200_000, 46), d))
	}
}
