package finitedepth

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

// The exponent agrees with the formula in p and q, with the sign implied by the class, and with that of a
// layer at great depth.
func TestLyapunov(t *testing.T) {
	for _, c := range []struct {
		dim  int
		beta float64
	}{{2, 0}, {2, 1}, {3, 0.5}, {4, 0.3}, {4, 1.5}, {10, 1.384}, {10, 3}, {1000, 2}} {
		for _, attention := range []overlap.Attention{overlap.Softmax, overlap.Unnormalized} {
			d := must.Get(overlap.New(c.dim, c.beta, attention, 1.5))(t)
			p := 1 / (1 + math.Exp(-2*c.beta))
			q := 1 - p
			if attention == overlap.Unnormalized {
				p, q = math.Exp(c.beta)/2, math.Exp(-c.beta)/2
			}
			want := 1.5 * 1.5 * (2*float64(c.dim-2)*p*q - p*p - q*q)
			got, ok := d.Lyapunov()
			if !ok || !(math.Abs(got-want) <= 1e-12*(math.Abs(want)+float64(c.dim)*(p*p+q*q))) {
				t.Errorf("d=%d β=%v %v: %v, want %v", c.dim, c.beta, attention, got, want)
			}
			if (got < 0) != (d.MinusOne() == overlap.Attracting) {
				t.Errorf("d=%d β=%v %v: exponent %v of a %v end", c.dim, c.beta, attention, got, d.MinusOne())
			}
			const depth = 1_000_000
			layer := must.Get(Antipodal(c.dim, c.beta, attention, 1.5, depth))(t)
			if limit := depth * layer.Lyapunov(); c.dim < 100 &&
				math.Abs(limit-want) > 3e-3*(1+math.Abs(want)) {
				t.Errorf("d=%d β=%v %v: %v at depth %d, %v in the limit", c.dim, c.beta, attention, limit,
					depth, want)
			}
		}
	}
	unequal := must.Get(overlap.NewMasses(4, 1, overlap.Softmax, 1, 1, 2))(t)
	if _, ok := unequal.Lyapunov(); ok {
		t.Error("an exponent for unequal masses")
	}
	hybrid := must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, 1.2))(t)
	p := 1 / (1 + math.Exp(-2.))
	want := 2 * (1 - p) * (1 - 1.44*p)
	if got, ok := hybrid.Lyapunov(); !ok || !(math.Abs(got-want) <= 1e-14) {
		t.Errorf("hybrid: %v, want %v", got, want)
	}
}
