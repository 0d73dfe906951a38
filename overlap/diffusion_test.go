package overlap

import (
	"math"
	"strings"
	"testing"

	"antipode/sphere/must"
)

func TestNewRefusesByName(t *testing.T) {
	for _, c := range []struct {
		dim         int
		beta        float64
		attention   Attention
		sigma       float64
		name, limit string
	}{
		{1, 1, Softmax, 1, "dimension 1 ", "2 or more"},
		{-3, 1, Softmax, 1, "dimension -3 ", "2 or more"},
		{3, -0.5, Softmax, 1, "beta -0.5 ", "from 0 to 1000"},
		{3, math.NaN(), Softmax, 1, "beta NaN ", "from 0 to 1000"},
		{3, math.Inf(1), Softmax, 1, "beta +Inf ", "from 0 to 1000"},
		{3, 1000.5, Softmax, 1, "beta 1000.5 ", "from 0 to 1000"},
		{3, 1, Attention(2), 1, "Attention(2) ", "softmax or unnormalized"},
		{3, 1, Softmax, 0, "sigma 0 ", "positive and finite"},
		{3, 1, Softmax, -1, "sigma -1 ", "positive and finite"},
		{3, 1, Softmax, math.NaN(), "sigma NaN ", "positive and finite"},
		{3, 1, Softmax, math.Inf(1), "sigma +Inf ", "positive and finite"},
	} {
		d, err := New(c.dim, c.beta, c.attention, c.sigma)
		if err == nil || d != nil {
			t.Errorf("New(%d, %v, %v, %v) = %v, %v", c.dim, c.beta, c.attention, c.sigma, d, err)
		} else if !strings.Contains(err.Error(), c.name) || !strings.Contains(err.Error(), c.limit) {
			t.Errorf("%q does not name %q and %q", err, c.name, c.limit)
		}
	}
	for _, beta := range []float64{0, math.Copysign(0, -1), MaxBeta} {
		if _, err := New(2, beta, Unnormalized, math.MaxFloat64); err != nil {
			t.Error(err)
		}
	}
}

// weights returns the attention weights of a token for itself and for the other one.
func weights(attention Attention, beta, z float64) (p, q float64) {
	p, q = math.Exp(beta), math.Exp(beta*z)
	if attention == Softmax {
		return p / (p + q), q / (p + q)
	}
	return p / 2, q / 2
}

// The formulas before simplification: Itô's formula for <X¹, X²>, and (23).
func TestDriftAndVarianceAgainstIto(t *testing.T) {
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, dim := range []int{2, 3, 4, 17, 1000} {
			for _, beta := range []float64{0, 0.3, 1, 4, 20} {
				for _, sigma := range []float64{1, 0.25} {
					for z := -1.0; z <= 1; z += 1.0 / 16 {
						p, q := weights(attention, beta, z)
						square, product := p*p+q*q+2*p*q*z, (p*p+q*q)*z+2*p*q
						n := float64(dim)
						drift := sigma * sigma * (-(n-1)*z*square + (z*z+n-2)*product)
						variance := 2 * sigma * sigma * (1 - z*z) * (square - z*product)
						d := must.Get(New(dim, beta, attention, sigma))(t)
						size := sigma * sigma * n * (p*p + q*q)
						near(t, "drift", d.Drift(z), drift, 1e-14*size)
						near(t, "variance", d.Variance(z), variance, 1e-14*size)
					}
				}
			}
		}
	}
}

// (20), and (21) as printed, whose variance is half of the variance of this package.
func TestVarianceAgainstThePaper(t *testing.T) {
	const beta, sigma = 1.3, 0.7
	for z := -0.9; z < 1; z += 0.3 {
		p, q := math.Exp(beta), math.Exp(beta*z)
		u, _ := New(5, beta, Unnormalized, sigma)
		s, _ := New(5, beta, Softmax, sigma)
		printed20 := sigma / math.Sqrt2 * (1 - z*z) * math.Sqrt(p*p+q*q)
		printed21 := sigma * (1 - z*z) / (p + q) * math.Sqrt(p*p+q*q)
		near(t, "variance / (20)", u.Variance(z)/(printed20*printed20), 1, 1e-14)
		near(t, "variance / (21)", s.Variance(z)/(printed21*printed21), 2, 1e-14)
		ratio := s.Drift(z) / s.Variance(z)
		near(t, "drift/variance", u.Drift(z)/u.Variance(z), ratio, 1e-13*math.Abs(ratio))
	}
}

// 2 drift/variance = (ψ(z)-z)/(1-z²) with ψ = 2(d-2)pq/(p²+q²).
func TestDriftVarianceRatio(t *testing.T) {
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, dim := range []int{2, 3, 9, 100} {
			for _, beta := range []float64{0, 0.5, 2, 9} {
				d, _ := New(dim, beta, attention, 3)
				for z := -15.0 / 16; z < 1; z += 1.0 / 16 {
					p, q := weights(attention, beta, z)
					psi := 2 * float64(dim-2) * p * q / (p*p + q*q)
					want := (psi - z) / (1 - z*z)
					near(t, "2 drift/variance", 2*d.Drift(z)/d.Variance(z), want, 1e-13*float64(dim)/(1-z*z))
				}
			}
		}
	}
}

func TestDriftAndVarianceAreNeverNaN(t *testing.T) {
	for _, sigma := range []float64{math.SmallestNonzeroFloat64, 1e-200, 1, 1e200, math.MaxFloat64} {
		for _, beta := range []float64{0, 1, 352, 356, 709, 1000} {
			for _, dim := range []int{2, 3, 10000} {
				for _, attention := range []Attention{Softmax, Unnormalized} {
					d := must.Get(New(dim, beta, attention, sigma))(t)
					for _, z := range []float64{
						-1, math.Nextafter(-1, 0), -0.5, 0, 0.5, math.Nextafter(1, 0), 1,
					} {
						if drift, variance := d.Drift(z), d.Variance(z); drift != drift ||
							variance != variance || variance < 0 {
							t.Errorf("dim %d, beta %v, sigma %v at %v: drift %v, variance %v", dim, beta,
								sigma, z, drift, variance)
						} else if math.Abs(z) == 1 && (drift != 0 || variance != 0) {
							t.Errorf("dim %d, beta %v, sigma %v at %v: drift %v, variance %v, want 0", dim,
								beta, sigma, z, drift, variance)
						}
					}
				}
			}
		}
	}
	if d, _ := New(3, 352, Unnormalized, 1); math.IsInf(d.Drift(-0.5), 0) {
		t.Error("overflow at β = 352")
	}
	if d, _ := New(3, 1000, Unnormalized, 1); !math.IsInf(d.Drift(-0.5), 1) || !math.IsInf(d.Drift(0.5), -1) {
		t.Errorf("drift %v, %v at β = 1000", d.Drift(-0.5), d.Drift(0.5))
	}
}

func TestMisusePanics(t *testing.T) {
	d := diffusion(t, 3, 1)
	for name, f := range map[string]func(float64) float64{
		"Drift": d.Drift, "Variance": d.Variance, "LogScale": d.LogScale,
		"LogScaleDensity": d.LogScaleDensity,
	} {
		for _, z := range []float64{-1.5, math.Nextafter(1, 2), math.Inf(1), math.NaN()} {
			func() {
				defer func() {
					if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "overlap: ") {
						t.Errorf("%s(%v) panics with %v", name, z, r)
					}
				}()
				f(z)
			}()
		}
	}
}
