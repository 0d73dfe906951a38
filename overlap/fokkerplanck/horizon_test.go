package fokkerplanck

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sphere/must"
)

// atHorizon returns the probabilities of both outcomes at a time, from uniform tokens.
func atHorizon(
	t *testing.T, d *overlap.Diffusion, horizon, tolerance float64,
) (antipodal, single overlap.Probability) {
	t.Helper()
	laws := must.Get(Uniform(d, []float64{horizon}, 1e-5))(t)
	return laws[0].Antipodal(tolerance), laws[0].Single(tolerance)
}

// Laws that were wrong in earlier versions. For long times the value is the limit, whose ten digits are
// those of the scale function. The other values are from a second solver (plainPair) with 12,000 cells.
func TestHardHorizons(t *testing.T) {
	hybrid := func(dim int, epsilon float64) *overlap.Diffusion {
		return must.Get(overlap.NewHybrid(dim, 2, overlap.Softmax, epsilon))(t)
	}
	unnormalized := func(dim int, beta float64) *overlap.Diffusion {
		return must.Get(overlap.New(dim, beta, overlap.Unnormalized, 1))(t)
	}
	for _, c := range []struct {
		name          string
		d             *overlap.Diffusion
		horizon, want float64
	}{
		{"hybrid d=2, T=300", hybrid(2, 1.305945899211227), 300, 0.924693},
		{"hybrid d=2, T=600", hybrid(2, 1.305945899211227), 600, 0.926135},
		{"hybrid d=2, T=1800", hybrid(2, 1.305945899211227), 1800, 0.926201},
		{"hybrid d=3, T=1403", hybrid(3, 1.220509116684581), 1403, 0.900953},
		{"unnormalized β=32, T=100", unnormalized(4, 32), 100, 0.463017},
		{"unnormalized β=36, T=10", unnormalized(4, 36), 10, 0.465315},
		{"unnormalized β=60, T=0.1", unnormalized(4, 60), 0.1, 0.473638},
		{"unnormalized β=300, T=10⁶", unnormalized(2, 300), 1e6, 0.5},
		{"d=2, T=200", diffusion(t, 2, 0.3), 200, 0.5},
		{"d=2, T=300", diffusion(t, 2, 0.3), 300, 0.5},
		{"d=2, T=10¹²", diffusion(t, 2, 0.3), 1e12, 0.5},
	} {
		antipodal, single := atHorizon(t, c.d, c.horizon, 1e-3)
		t.Logf("%s: %v %v", c.name, antipodal, single)
		near(t, c.name, antipodal.Value, c.want, 3e-6)
		if antipodal.Error > 1e-5 || c.horizon > 1000 && !(math.Abs(antipodal.Value+single.Value-1) <= 1e-5) {
			t.Errorf("%s: antipodal %v, single %v", c.name, antipodal, single)
		}
	}
}

// Long horizons of the hybrid model below, above and between its thresholds: at most one law in twenty is
// not known to 1e-3.
func TestHybridHorizonsAreKnown(t *testing.T) {
	longtest.Only(t)
	unknown, cells := 0, 0
	for _, attention := range []overlap.Attention{overlap.Softmax, overlap.Unnormalized} {
		for _, beta := range []float64{0, 4} {
			single, antipodal := overlap.HybridThresholds(beta, attention)
			for _, epsilon := range []float64{0.6 * antipodal, 0.95 * antipodal, 0.5 * (single + antipodal),
				1.05 * single, 1.7 * single} {
				a, s := atHorizon(t, must.Get(overlap.NewHybrid(3, beta, attention, epsilon))(t), 1000, 1e-3)
				cells++
				if max(a.Error, s.Error) > 1e-3 {
					t.Logf("%v β=%v ε=%v: %v, %v", attention, beta, epsilon, a, s)
					unknown++
				}
			}
		}
	}
	if unknown*20 > cells {
		t.Errorf("%d of %d cells are not known to 1e-3", unknown, cells)
	}
}

// r(z) = Σ weight/(θ-z) + conjugate has the derivatives of e^z at 0 up to the tenth, which together with
// its three poles determine it, and its modulus is at most 1 where Re z ≤ 0.
func TestPolesStandForTheExponential(t *testing.T) {
	r := func(z complex128) complex128 {
		sum := complex128(0)
		for _, p := range poles {
			conjugate := func(c complex128) complex128 { return complex(real(c), -imag(c)) }
			sum += p.weight/(p.theta-z) + conjugate(p.weight)/(conjugate(p.theta)-z)
		}
		return sum
	}
	factorial := 1.0
	for k := range 11 {
		sum := 0.0
		for _, p := range poles {
			term := p.weight / p.theta
			for range k {
				term /= p.theta
			}
			sum += 2 * real(term)
		}
		near(t, "coefficient", sum*factorial, 1, 1e-12*math.Pow(3, float64(k)))
		factorial *= float64(k + 1)
	}
	for y := -1e3; y <= 1e3; y += 0.37 {
		v := r(complex(0, y))
		if size := math.Hypot(real(v), imag(v)); size > 1+1e-12 {
			t.Errorf("|r(%vi)| = %v", y, size)
		}
	}
	near(t, "r(-10⁶)", real(r(-1e6)), 0, 1e-4)
}

// After a negligible time the overlap is where it started, even near an end.
func TestShortestHorizons(t *testing.T) {
	longtest.Only(t)
	times := []float64{1e-300, 1e-30}
	for i, z0 := range []float64{-1 + 0x1p-52, -0.3, 0.5, 1 - 0x1p-52} {
		for k, d := range []*overlap.Diffusion{diffusion(t, 4, 1.5),
			must.Get(overlap.NewMasses(5, 2, overlap.Unnormalized, 1, 1, 3))(t),
			must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, 1.2))(t)} {
			if (i+k)%3 == 0 { // two of each three
				continue
			}
			laws := must.Get(From(d, z0, times[i/2:][:1], 1e-3))(t)
			low, high := laws[0].Below(max(-1, z0-1e-3)), laws[0].Below(min(1, z0+1e-3))
			if math.Abs(z0) < 0.9 && (low.Value != 0 || high.Value != 1) {
				t.Errorf("from %v: %v below, %v above", z0, low, high)
			}
		}
	}
}

// The coordinate of grids equals u near 0, and the transformation is invertible everywhere.
func TestStretching(t *testing.T) {
	for _, u := range []float64{0, 1e-300, 1e-9, 0.3, 8, 19, 1e5, 1e11, 1e150} {
		for _, side := range []float64{-1, 1} {
			near(t, "there and back", sinhMap(inverseSinhMap(side*u)), side*u, 1e-13*u)
		}
	}
	near(t, "x at 8", inverseSinhMap(8), 8*math.Asinh(1), 1e-14)
	near(t, "du/dx at x of 8", sinhMapSlope(inverseSinhMap(8)), math.Sqrt2, 1e-14)
}
