package lanes

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
)

// Below the range of float64 a pair behaves as above it: the logarithm falls by the same
// steps, and comes back.
func TestChainBeyondUnderflow(t *testing.T) {
	for _, start := range []float64{1e-150, 1e-30} {
		c := Clusters{Process: gaussian(2, 4, 1.5, 1, 100, 3).Process, Masses: [2]float64{1, 1}}
		lanes := newChain(c, func(trajectory, layer int64) float64 {
			var v [1]float64
			c.Stream.Normals(v[:], 0.1, kernels.Increments, trajectory, layer)
			return 0.01 + v[0]
		}, 2)
		near, far := &lanes.pairs[0], &lanes.pairs[1]
		*near, *far = squares{4, start, 0}, squares{4, start, 3}
		_, offset := near.logarithms()
		_, other := far.logarithms()
		offset -= other
		for layer := range int64(300) {
			lanes.Advance([]Lane{{Layer: layer}, {Layer: layer}}, 1)
			_, one := near.logarithms()
			_, two := far.logarithms()
			if math.Abs(one-two-offset) > 1e-9 {
				t.Fatalf("layer %d: %v and %v, at first %v apart", layer, one, two, offset)
			}
		}
	}
	p := squares{above: 0x1p-600, below: 4, scale: 1}
	before, _ := p.logarithms()
	p.above *= 0x1p550
	p.rescale()
	if after, _ := p.logarithms(); math.Abs(after-before-550*math.Ln2) > 1e-9 || p.scale != 0 {
		t.Errorf("%v after %v: %+v", after, before, p)
	}
}
