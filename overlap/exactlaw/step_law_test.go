package exactlaw

import (
	"math"
	"testing"

	"antipode/overlap"
)

// plainDensity is the density of a step by nodes that are equally far apart along t.
func plainDensity(l *layer, delta float64) float64 {
	const spacing = 1.0 / 256
	c, sum := l.integrand(delta), 0.0
	for t := -64.0; t <= 64; t += spacing {
		factor, over, under, b, apart := c.shape(nodeAt(t))
		sum += spacing * factor * c.shapeDensity(over, under, b, 2*c.quotient(over, under, b)*apart)
	}
	return sum
}

// The densities of a row are those with nodes four times as close, up to a part of the greatest one: where
// noise is much, in high dimensions, and where densities between those of a sparser lattice are interpolated.
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
		{2, 1, overlap.Softmax, 1.02, 3, -9},
		{3, 4.5, overlap.Unnormalized, 2, 92, -8},
		{3, 5, overlap.Unnormalized, 2, 92, 2},
		{10, 5, overlap.Unnormalized, 1.5, 20, -3},
		{40, 4, overlap.Unnormalized, 1.5, 90, -5},
		{3, 7, overlap.Unnormalized, 2, 60, -3},
		{10, 7, overlap.Unnormalized, 1.02, 40, 2},
	} {
		chain := recursion(t, c.dim, c.beta, c.attention, 1, c.m1, 1, c.depth).solver.(*clusters)
		const width, enough = 0.03, 1e-9
		l := chain.layer(c.u, efforts[4])
		s := l.stepLaw(width)
		closer := chain.layer(c.u, efforts[4])
		closer.top = l.top
		closer.levels += 2
		closer.step /= 4
		density := func(delta, least float64) float64 { return closer.density(delta, least) / 4 }
		if l.strongNoise {
			density = func(delta, _ float64) float64 { return plainDensity(closer, delta) }
		}
		top := 0.0
		for _, p := range s.p {
			top = max(top, p)
		}
		for k := 0; k < len(s.p); k += 1 + len(s.p)/8 {
			want := density(width*float64(s.first+k), 4e-14*top)
			if off := math.Abs(s.p[k] - want); off > enough*top {
				t.Errorf("%+v: the density of a step of %.2f is off by %.2g of the greatest one", c,
					width*float64(s.first+k), off/top)
				break
			}
		}
	}
}
