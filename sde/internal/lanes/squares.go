package lanes

import "math"

// squares is the overlap Z of two tokens: |S|² = 2(1+Z) and |D|² = 2(1-Z) of their sum S and their
// difference D, each with full relative precision.
type squares struct{ above, below float64 }

// squaresOf returns the overlap of two unit vectors.
func squaresOf(x, y []float64) (p squares) {
	for k, v := range x {
		sum, difference := v+y[k], v-y[k]
		p.above = math.FMA(sum, sum, p.above)
		p.below = math.FMA(difference, difference, p.below)
	}
	return p
}
