package lanes

import (
	"math"
	"testing"
)

// The square that is scaled is the smaller one, and each unit of the scale is a factor 2^-512 in 1±Z.
func TestLogarithmsOfAScaledPair(t *testing.T) {
	for _, c := range []struct {
		pair         squares
		above, below float64
	}{
		{squares{above: 4, below: 0x1p-200, scale: 3}, math.Ln2, -(1 + 200 + 3*512) * math.Ln2},
		{squares{above: 0x1p-200, below: 4, scale: 2}, -(1 + 200 + 2*512) * math.Ln2, math.Ln2},
		{squares{above: 3, below: 1}, math.Log(1.5), math.Log(0.5)},
		{squares{above: 4, below: 0, scale: 1}, math.Ln2, math.Inf(-1)},
	} {
		above, below := c.pair.logarithms()
		if !(above == c.above || math.Abs(above-c.above) < 1e-12*math.Abs(c.above)) ||
			!(below == c.below || math.Abs(below-c.below) < 1e-12*math.Abs(c.below)) {
			t.Errorf("%+v: %v and %v, want %v and %v", c.pair, above, below, c.above, c.below)
		}
	}
}
