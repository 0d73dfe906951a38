package exactlaw

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
)

// Densities computed from logarithms agree, up to a factor, with those from sums of densities where these
// do not overflow.
func TestNarrowDensities(t *testing.T) {
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
		chain := recursion(t, c.dim, c.beta, c.attention, 1, c.m1, 1, c.depth).solver.(*clusters)
		l := chain.layer(c.u, efforts[5])
		const width = 0.03
		s := l.stepLaw(width)
		most := 0
		for k, p := range s.p {
			if p > s.p[most] {
				most = k
			}
		}
		if got := l.hillClimb(s.first, width, l.logPeak); !(math.Abs(float64(got-s.first-most)) <= 20) {
			t.Errorf("%+v: greatest at %d, not near %d", c, got, s.first+most)
		}
		top := l.logDensity(width * float64(s.first+most))
		for k := 0; k < len(s.p); k += 5 {
			delta := width * float64(s.first+k)
			got, want := math.Exp(l.logDensity(delta)-top), s.p[k]/s.p[most]
			if !(math.Abs(got-want) < 1e-10) {
				t.Errorf("%+v: the density of a step of %.2f is %v, not %v", c, delta, got, want)
			}
		}
	}
}

// If densities exceed float64 but their logarithms do not, the law is available. If the noise is too strong,
// it is an error.
func TestDensitiesBeyondFloat64(t *testing.T) {
	r := recursion(t, 300, 5, overlap.Softmax, 1, 1, 2.1, 2)
	if o, err := r.Uniform(6, 0.1, 1e-2); err != nil || !(o.Single.Value > 0.003 && o.Single.Value < 0.006) {
		t.Errorf("%v, %v", o, err)
	}
	for _, c := range []struct {
		m1    float64
		depth int // the variance of the noise is 300,651/depth
		known bool
	}{{1.02, 31, true}, {1.02, 29, false}, {1, 31, true}, {1, 29, false}} {
		if _, err := Clusters(1000, 7, overlap.Unnormalized, 1, c.m1, 1, c.depth); (err == nil) != c.known {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// afterAntipodal returns u = atanh Z after a layer from antipodal clusters, from its definition:
// X¹ = x + a v and X² = -(x + b v) with normal v. It draws the component of v along x and the length of
// the orthogonal part.
func afterAntipodal(c *clusters, r *rand.Rand) float64 {
	other := math.Exp(-2 * c.beta)
	a, b := c.m1-c.m2*other, c.m2-c.m1*other
	if c.attention == overlap.Softmax {
		a, b = a/(c.m1+c.m2*other), b/(c.m2+c.m1*other)
	} else {
		a, b = a*math.Exp(c.beta), b*math.Exp(c.beta)
	}
	a, b = a*c.scale, b*c.scale
	along, across := r.NormFloat64(), 0.0
	for range c.dim - 1 {
		v := r.NormFloat64()
		across += v * v
	}
	across = math.Sqrt(across)
	angle := math.Atan2((a-b)*across, (1+a*along)*(1+b*along)+a*b*across*across) // between X¹ and -X²
	return math.Log(math.Tan(math.Abs(angle) / 2))
}

// The law of a step from nearly antipodal clusters has the mean and variance of 10,000 such steps, however
// strong the noise: within 5 standard errors, which one of the 30 comparisons exceeds by chance for one seed
// in 50,000. The exact starting overlap does not matter if it is close enough to -1.
func TestStepsFromAntipodalClusters(t *testing.T) {
	for _, c := range []struct {
		dim       int
		beta      float64
		attention overlap.Attention
		m1        float64
		depth     int
	}{
		{3, 1.5, overlap.Softmax, 3, 5},
		{3, 3, overlap.Unnormalized, 1.02, 4},
		{6, 7, overlap.Unnormalized, 1.02, 11_000},
		{10, 4, overlap.Unnormalized, 1.5, 30},
		{30, 4, overlap.Unnormalized, 2, 50},
		{60, 7, overlap.Unnormalized, 10, 20_000},
		{2, 5, overlap.Unnormalized, 1.5, 1},
		{3, 5, overlap.Unnormalized, 2, 92},
		{10, 5, overlap.Unnormalized, 1.02, 20},
		{10, 7, overlap.Unnormalized, 2, 3000},
		{40, 7, overlap.Unnormalized, 1.5, 300},
		{80, 7, overlap.Unnormalized, 4, 60},
		{600, 7, overlap.Unnormalized, 2, 300},
		{70, 7, overlap.Unnormalized, 2, 13_000},
		{300, 5, overlap.Softmax, 2, 1},
	} {
		chain := recursion(t, c.dim, c.beta, c.attention, 1, c.m1, 1, c.depth).solver.(*clusters)
		const width, u, count = 1.0 / 64, -24, 10_000
		after := func(u float64) (s span, mean float64) {
			s = chain.stepLaw(u, width, efforts[4])
			scaleToSum(1, s.p)
			for k, p := range s.p {
				mean += p * (u + width*float64(s.first+k))
			}
			return s, mean
		}
		s, mean := after(u)
		if _, farther := after(u - 1.7); !(math.Abs(farther-mean) < 1e-9) {
			t.Errorf("%+v: the mean is %v, from farther %v", c, mean, farther)
		}
		variance, fourth := 0.0, 0.0
		for k, p := range s.p {
			off := u + width*float64(s.first+k) - mean
			variance += p * off * off
			fourth += p * off * off * off * off
		}
		random := rand.New(rand.NewPCG(uint64(c.dim), 11))
		var first, second float64
		for range count {
			off := afterAntipodal(chain, random) - mean
			first += off / count
			second += off * off / count
		}
		if off := first / math.Sqrt(variance/count); !(math.Abs(off) < 5) {
			t.Errorf("%+v: the mean, %v, is off by %.3g standard errors", c, mean, off)
		}
		if off := (second - variance) / math.Sqrt((fourth-variance*variance)/count); !(math.Abs(off) < 5) {
			t.Errorf("%+v: the variance, %v, is off by %.3g standard errors", c, variance, off)
		}
	}
}
