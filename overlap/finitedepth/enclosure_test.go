package finitedepth

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
	"antipode/overlap/internal/interval"
	"antipode/sphere/must"
)

// The exponents of random layers, and β_c, lie in their enclosures, to the accuracy of the quadrature of
// this package. To the left and to the right of the enclosure of β_c the exponent has the expected sign.
func TestEnclosedCriticalBeta(t *testing.T) {
	random := rand.New(rand.NewPCG(40, 2))
	widest := 0.0
	for n := range 24 {
		dim := 3 + random.IntN(12)
		depth := int(math.Round(math.Pow(10, 1+2.5*random.Float64())))
		if n%4 == 0 {
			dim = 3 + random.IntN(98)
			depth = max(depth, dim)
		}
		attention := overlap.Attention(n % 2)
		if attention == overlap.Unnormalized {
			depth = max(depth, dim*dim)
		}
		sigma := 0.6 + 0.8*random.Float64()
		beta := 0.05 + 3*random.Float64()
		layer := must.Get(Antipodal(dim, beta, attention, sigma, depth))(t)
		got := enclosedExponent(dim, enclosedLayerAt(beta, attention, sigma, depth, interval.Of(2), true))
		want, failure := 2*layer.Lyapunov(), 1e-12+4e-11*float64(dim)/layer.short
		if !(got.Low-failure <= want && want <= got.High+failure && got.Width() < 1e-11) {
			t.Errorf("d = %d, β = %v, L = %d, σ = %v, %v: %v, float64 has %v", dim, beta, depth, sigma,
				attention, got, want)
		}
		critical, _, err := CriticalBeta(dim, attention, sigma, depth)
		if err != nil {
			t.Fatal(err)
		}
		e, ok, err := CertifyCriticalBeta(dim, attention, sigma, depth)
		if err != nil || !ok || !(e.Low-1e-9 <= critical && critical <= e.High+1e-9) {
			t.Errorf("d = %d, L = %d, σ = %v, %v: %v, %v, %v, %v in float64", dim, depth, sigma, attention, e,
				ok, err, critical)
			continue
		}
		if dim > 3 {
			widest = max(widest, e.High-e.Low)
		}
		for _, share := range []float64{random.Float64(), 1 + random.Float64()} {
			beta := share * e.High
			if share < 1 {
				beta = share * e.Low
			}
			layer, err := Antipodal(dim, beta, attention, sigma, depth)
			if lambda := layer.Lyapunov(); err != nil || beta > 0 && (lambda > 0) != (share < 1) {
				t.Errorf("d = %d, L = %d: λ = %v at %v of %v, %v", dim, depth, lambda, beta, e, err)
			}
		}
	}
	if t.Logf("at most %.2g wide", widest); widest > 1e-9 {
		t.Error("too wide")
	}
}

// A relative error of 1e-8 in the layer, or an error in the exponent of the size of the enclosure, makes
// the proof fail: at the ends of the enclosure the exponent then no longer has its sign.
func TestEnclosureIsSharp(t *testing.T) {
	for _, c := range []struct{ dim, depth int }{{4, 30}, {8, 100}, {20, 400}, {60, 1000}} {
		e, ok, err := CertifyCriticalBeta(c.dim, overlap.Softmax, 1, c.depth)
		if err != nil || !ok || !(e.High-e.Low < 1e-9) {
			t.Fatalf("%+v: %v, %v, %v", c, e, ok, err)
		}
		at := func(beta, defect float64) interval.Interval {
			layer := enclosedLayerAt(beta, overlap.Softmax, 1, c.depth, interval.Of(2), true)
			layer.long = layer.long.Mul(interval.Of(1 + defect))
			return enclosedExponent(c.dim, layer)
		}
		if low, high := at(e.Low, 0), at(e.High, 0); !(low.Low > 0 && high.High < 0) {
			t.Errorf("%+v: %v and %v", c, low, high)
		}
		if low, high := at(e.Low, 1e-8), at(e.High, -1e-8); low.Low > 0 || high.High < 0 {
			t.Errorf("%+v: a defect is not seen: %v and %v", c, low, high)
		}
	}
}

// In three dimensions β_c is close to 0. On the circle it does not exist, and for a layer with hardly any
// noise there is no proof.
func TestEnclosedCriticalBetaEdges(t *testing.T) {
	if e, ok, err := CertifyCriticalBeta(3, overlap.Softmax, 1, 50); err != nil || !ok || e.Low != 0 ||
		!(e.High > 0 && e.High < 1e-3) {
		t.Errorf("d = 3: %v, %v, %v", e, ok, err)
	}
	if e, ok, err := CertifyCriticalBeta(2, overlap.Softmax, 1, 50); err != nil || ok {
		t.Errorf("d = 2: %v, %v, %v", e, ok, err)
	}
	if e, ok, err := CertifyCriticalBeta(5, overlap.Softmax, 1e-6, 1000); err != nil || ok {
		t.Errorf("σ = 1e-6: %v, %v, %v", e, ok, err)
	}
	if _, _, err := CertifyCriticalBeta(5, overlap.Softmax, -1, 50); err == nil {
		t.Error("σ = -1")
	}
}

// The mean logarithm of a χ² for one layer of moderate noise agrees with an integral over its density: E
// ψ(k/2+J) is the mean logarithm of half of it.
func TestLogarithmOfAPoissonLaw(t *testing.T) {
	for _, c := range []struct {
		mean, a float64
	}{{0.02, 1}, {3, 1.5}, {40, 7}, {500, 2.5}} {
		law, ok := newPoissonLaw(interval.Of(c.mean))
		if !ok {
			t.Fatal("no law")
		}
		want := logMean(append(make([]float64, int(2*c.a)-1), math.Sqrt(2*c.mean)), ones(int(2*c.a))) -
			math.Log(2*c.mean)
		got := law.logarithm(c.a)
		if !(got.Low-1e-12 <= want && want <= got.High+1e-12 && got.Width() < 1e-12) {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
}

func ones(n int) []float64 {
	all := make([]float64, n)
	for k := range all {
		all[k] = 1
	}
	return all
}

// The bisection of a function with known signs ends at neighbouring numbers, and that of a function with a
// known sign nowhere does not begin.
func TestBisectedToTheEnd(t *testing.T) {
	const zero = 1.3
	e := bisected(overlap.Enclosure{Low: 0, High: 3}, func(x float64) interval.Interval {
		if x < zero {
			return interval.Of(1)
		}
		return interval.Of(-1)
	})
	if e != (overlap.Enclosure{Low: math.Nextafter(zero, 0), High: zero}) {
		t.Errorf("%v", e)
	}
	start := overlap.Enclosure{Low: 1, High: 2}
	unknown := func(float64) interval.Interval { return interval.Interval{Low: -1, High: 1} }
	if e := bisected(start, unknown); e != start {
		t.Errorf("%v without known signs", e)
	}
}
