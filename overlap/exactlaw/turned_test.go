package exactlaw

import (
	"math"
	"testing"

	"antipode/overlap"
)

// Densities by logarithms are those by sums of densities, where these do not overflow, up to a factor.
func TestTurnedDensities(t *testing.T) {
	for _, c := range []struct {
		dim       int
		beta      float64
		attention overlap.Attention
		m1        float64
		depth     int
		u         float64
	}{
		{100, 1.5, overlap.Softmax, 3, 5, -8},
		{250, 4, overlap.Softmax, 1.7, 2, -12},
		{70, 1.2, overlap.Unnormalized, 1.2, 6, -4},
		{90, 2, overlap.Softmax, 3, 700, 0.7},
	} {
		l := recursion(t, c.dim, c.beta, c.attention, 1, c.m1, 1, c.depth).solver.(*clusters).layer(c.u, efforts[5])
		const width = 0.03
		s := l.steps(width)
		most := 0
		for k, p := range s.p {
			if p > s.p[most] {
				most = k
			}
		}
		if got := l.turn(s.first, width); got != s.first+most {
			t.Errorf("%+v: greatest at %d, not %d", c, got, s.first+most)
		}
		for k := 0; k < len(s.p); k += 5 {
			got, want := l.turnedDensity(width*float64(s.first+k)), s.p[k]/s.p[most]
			if !(math.Abs(got-want) < 1e-10) {
				t.Errorf("%+v: the density of a step of %.2f is %v, not %v", c, width*float64(s.first+k), got, want)
			}
		}
	}
}

// Where densities are beyond float64 the law is an error, not a number; where their logarithms are not, it is.
func TestDensitiesBeyondFloat64(t *testing.T) {
	r := recursion(t, 300, 5, overlap.Softmax, 1, 1, 2.1, 2)
	if o, err := r.Uniform(6, 0.1, 1e-2); err != nil || !(o.Single.Value > 0.003 && o.Single.Value < 0.006) {
		t.Errorf("%v, %v", o, err)
	}
	r = recursion(t, 1000, 7, overlap.Unnormalized, 1, 1, 1.02, 50)
	if o, err := r.Uniform(3, 1e-3, 1e-2); err == nil {
		t.Errorf("%v", o)
	}
}
