package lanes

import "math"

// squares represents the overlap Z of two tokens by above = |S|² = 2(1+Z) and below = |D|² = 2(1-Z), where S
// and D are the sum and the difference of the tokens. Both |S|² and |D|² have full relative precision.
type squares struct{ above, below float64 }

// squaresOf returns the overlap of two unit vectors x and y.
func squaresOf(x, y []float64) (p squares) {
	for k, v := range x {
		sum, difference := v+y[k], v-y[k]
		p.above = math.FMA(sum, sum, p.above)
		p.below = math.FMA(difference, difference, p.below)
	}
	return p
}
