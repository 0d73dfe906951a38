package selfattention

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The coefficients of two vectors in an orthonormal basis are those of their QR decomposition by hand,
// whatever was in their place before: the length of the first, 0, the part of the second along the first,
// and the rest of its length. A vector of length 0, and a rest of rounding errors, have no direction.
func TestCoefficientsOfPairs(t *testing.T) {
	const d = 5
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(15, 16))
		vectors := make([]Vector, 2*d)
		var length, along, rest Vector
		for lane := range 8 {
			var aa, ab, bb float64
			for k := range d {
				a, b := r.NormFloat64(), r.NormFloat64()
				switch lane {
				case 1:
					a = 0
				case 2:
					b = -a
				}
				vectors[k][lane], vectors[d+k][lane] = a, b
				aa, ab, bb = aa+a*a, ab+a*b, bb+b*b
			}
			length[lane] = math.Sqrt(aa)
			if aa > 0 {
				along[lane] = ab / math.Sqrt(aa)
			}
			rest[lane] = math.Sqrt(bb - along[lane]*along[lane])
			if lane == 2 {
				rest[lane] = 0
			}
		}
		coefficients := make([]Vector, 4)
		for k := range coefficients {
			for lane := range 8 {
				coefficients[k][lane] = math.NaN()
			}
		}
		active().pairCoefficients(coefficients, vectors, d)
		for k, want := range []Vector{length, {}, along, rest} {
			for lane := range 8 {
				if got := coefficients[k][lane]; !(math.Abs(got-want[lane]) < 1e-14) {
					t.Errorf("coefficient %d in lane %d is %v, want %v", k, lane, got, want[lane])
				}
			}
		}
	})
}
