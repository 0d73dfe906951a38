package lanes

import (
	"math"
	"testing"
)

// A number m stands for m·2^(-512·scale): scaling it up or down leaves its logarithm as it is, and brings
// it back to between 2^-640 and 2^-64, or to where nothing is scaled.
func TestRescaledPairsKeepTheirLogarithms(t *testing.T) {
	for _, exponent := range []int{-1000, -700, -641, -640, -300, -65, -64, -63, -10, 0} {
		for _, scale := range []int64{0, 1, 3} {
			small := math.Ldexp(0.75, exponent)
			want := math.Log(0.375) + float64(exponent-512*int(scale))*math.Ln2
			for _, p := range []scaledSquares{{above: small, below: 4, scale: scale},
				{above: 4, below: small, scale: scale}} {
				for range 2 {
					above, below := p.logarithms()
					if !(math.Abs(min(above, below)/want-1) <= 1e-15) || max(above, below) != math.Ln2 {
						t.Errorf("%+v: logarithms %v and %v, want %v and ln 2", p, above, below, want)
					}
					if (p.above < p.below) != (above < below) {
						t.Errorf("%+v: logarithms %v and %v of the other ends", p, above, below)
					}
					p.rescale()
				}
				if m := min(p.above, p.below); m < 0x1p-640 || p.scale < 0 || p.scale > 0 && m > 0x1p-64 {
					t.Errorf("%+v is left so", p)
				}
			}
		}
	}
	ends := scaledSquares{above: 0, below: 4, scale: 2}
	ends.rescale()
	if above, below := ends.logarithms(); !math.IsInf(above, -1) || below != math.Ln2 || ends.scale != 2 {
		t.Errorf("an end: %v and %v, scale %d", above, below, ends.scale)
	}
}
