package exactlaw

import (
	"math"
	"testing"

	"antipode/overlap"
)

// The densities of a row agree with those computed from nodes four times as close, relative to the
// greatest one: for strong noise, in high dimensions, and where densities between those of a coarser
// lattice are interpolated.
func TestDensitiesOfSteps(t *testing.T) {
	for _, c := range []struct {
		dim       int
		beta      float64
		attention overlap.Attention
		m1        float64
		depth     int
		u         float64
	}{
		{20, 1.5, overlap.Softmax, 3, 5, -10},
		{6, 1.5, overlap.Softmax, 3, 5, -5},
		{2, 1.7, overlap.Unnormalized, 1.2, 6, -4},
		{2, 4.5, overlap.Unnormalized, 3, 120, -3},
		{2, 2, overlap.Softmax, 3, 700, -6},
	} {
		chain := recursion(t, c.dim, c.beta, c.attention, 1, c.m1, 1, c.depth).solver.(*clusters)
		const width, enough = 0.03, 1e-9
		l := chain.layer(c.u, efforts[4])
		s := l.steps(width)
		closer := chain.layer(c.u, efforts[4])
		closer.summit(width)
		closer.levels += 2
		closer.step /= 4
		top := 0.0
		for _, p := range s.p {
			top = max(top, p)
		}
		for k := 0; k < len(s.p); k += 7 {
			want := closer.density(width*float64(s.first+k), 4e-14*top) / 4
			if off := math.Abs(s.p[k] - want); off > enough*top {
				t.Errorf("%+v: the density of a step of %.2f is off by %.2g of the greatest one", c,
					width*float64(s.first+k), off/top)
				break
			}
		}
	}
}
