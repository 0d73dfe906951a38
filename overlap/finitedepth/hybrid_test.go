package finitedepth

import (
	"math"
	"strings"
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/integrate/quad"
)

// hybridRatio returns ρ'/ρ for a layer applied to two vectors at distance ζ from an end, ρ = ζ/(2-ζ), for
// a given v, computed from recursion (7) itself.
func hybridRatio(h Hybrid, zeta, v float64, plus bool) float64 {
	z := -1 + zeta
	if plus {
		z = 1 - zeta
	}
	half := math.Acos(z) / 2
	if plus {
		half = math.Asin(math.Sqrt(zeta / 2))
	}
	x, y := [2]float64{math.Cos(half), math.Sin(half)}, [2]float64{math.Cos(half), -math.Sin(half)}
	p, q := math.Exp(h.Beta)/2, math.Exp(h.Beta*z)/2
	if h.Attention == overlap.Softmax {
		p, q = p/(p+q), q/(p+q)
	}
	f := 1/float64(h.Depth) + h.Epsilon*v/math.Sqrt(float64(h.Depth))
	var sum, difference float64
	for k := range x {
		a, b := x[k]+f*(p*x[k]+q*y[k]), y[k]+f*(p*y[k]+q*x[k])
		sum, difference = sum+(a+b)*(a+b), difference+(a-b)*(a-b)
	}
	if plus {
		return difference / sum / (zeta / (2 - zeta))
	}
	return sum / difference / (zeta / (2 - zeta))
}

// hybridMean returns the expectation over v, by a quadrature rule with other nodes.
func hybridMean(h Hybrid, zeta, kappa float64, plus bool) float64 {
	power := func(v float64) float64 { return math.Pow(hybridRatio(h, zeta, v, plus), kappa) }
	density, bound := func(float64) float64 { return 1 }, math.Sqrt(3)
	switch h.Law {
	case Rademacher:
		return (power(-1) + power(1)) / 2
	case Gaussian:
		density, bound = func(v float64) float64 { return math.Exp(-v * v / 2) }, 8.6
	case TruncatedNormal:
		scale := math.Sqrt(1 - 4*math.Exp(-2)/math.Sqrt(2*math.Pi)/math.Erf(math.Sqrt2))
		density, bound = func(v float64) float64 { return math.Exp(-v * v * scale * scale / 2) }, 2/scale
	}
	integral := func(f func(v float64) float64) float64 {
		return quad.Fixed(func(v float64) float64 { return f(v) * density(v) }, -bound, bound, 200, nil, 1)
	}
	return integral(power) / integral(func(float64) float64 { return 1 })
}

// The exponents give a supermartingale of the recursion on vectors, at every distance. An exponent half a
// per cent above that of the linear recursion does not, at the end.
func TestHybridReturnIsASupermartingale(t *testing.T) {
	const within = 1e-2
	for _, h := range []Hybrid{
		{1, overlap.Unnormalized, 0.5, Rademacher, 50}, {1, overlap.Unnormalized, 1.5, Rademacher, 50},
		{2, overlap.Unnormalized, 0.2, Uniform, 100}, {0.7, overlap.Unnormalized, 1.6, TruncatedNormal, 100},
		{1, overlap.Softmax, 1.2, Rademacher, 100}, {1, overlap.Softmax, 0.8, Gaussian, 100},
		{1.3, overlap.Softmax, 2, TruncatedNormal, 50}, {0.4, overlap.Softmax, 0.3, Uniform, 10},
		{1, overlap.Softmax, 9, Rademacher, 20},
	} {
		ends := 0
		for _, plus := range []bool{false, true} {
			bound := h.AntipodalReturn
			if plus {
				bound = h.SingleReturn
			}
			kappa, ok, err := bound(within)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			ends++
			for _, zeta := range []float64{1e-6, 1e-3, 5e-3, within} {
				if mean := hybridMean(h, zeta, kappa, plus); !(mean <= 1) {
					t.Errorf("%+v, +1 %v, ζ = %g: E R^%.4f = 1%+.2g", h, plus, zeta, kappa, mean-1)
				}
			}
			near, _, _ := h.AntipodalReturn(1e-8)
			if plus {
				near, _, _ = h.SingleReturn(1e-8)
			}
			if mean := hybridMean(h, 1e-8, 1.005*near/0.999,
				plus); !(mean > 1 || near > 0.998*largestExponent) {
				t.Errorf("%+v, +1 %v: %v has no power, κ = %v", h, plus, mean, near)
			}
		}
		if ends == 0 {
			t.Errorf("%+v: no bound", h)
		}
	}
}

// As L → ∞, κ tends to half the slope of the scale at the end for every law. If the end does not attract,
// there is no κ.
func TestHybridReturnTendsToTheScale(t *testing.T) {
	for _, law := range []ScalarLaw{Gaussian, Uniform, TruncatedNormal, Rademacher} {
		for _, c := range []struct {
			beta, epsilon float64
			attention     overlap.Attention
		}{{1, 1.2, overlap.Softmax}, {1, 1.3, overlap.Softmax}, {0.5, 0.9, overlap.Unnormalized},
			{0.5, 1.7, overlap.Unnormalized}, {1, 1, overlap.Softmax}, {1, 1.6, overlap.Softmax}} {
			h := Hybrid{c.beta, c.attention, c.epsilon, law, 1_000_000}
			d := must.Get(overlap.NewHybrid(3, c.beta, c.attention, c.epsilon))(t)
			minus, antipodal, _ := h.AntipodalReturn(1e-8)
			plus, single, _ := h.SingleReturn(1e-8)
			line := d.Line()
			if antipodal != line.Minus.Attracting || single != line.Plus.Attracting {
				t.Errorf("%+v: bounds %v and %v, attracting %v and %v", h, antipodal, single,
					line.Minus.Attracting, line.Plus.Attracting)
			}
			if want := -line.Minus.Slope / 2; antipodal && !(math.Abs(minus/want-0.999) <= 1e-3) {
				t.Errorf("%+v: κ = %v at -1, want %v", h, minus, want)
			}
			if want := line.Plus.Slope / 2; single && !(math.Abs(plus/want-0.999) <= 1e-3) {
				t.Errorf("%+v: κ = %v at +1, want %v", h, plus, want)
			}
		}
	}
}

// Without noise tokens only approach each other. If a layer may take S to 0, there is no bound at +1.
func TestHybridReturnAtTheExtremes(t *testing.T) {
	still := Hybrid{2, overlap.Softmax, 0, Rademacher, 10}
	if kappa, ok, err := still.SingleReturn(1e-3); !ok || err != nil || kappa < 60 {
		t.Errorf("without noise: %v, %v, %v", kappa, ok, err)
	}
	if _, ok, _ := still.AntipodalReturn(1e-3); ok {
		t.Error("without noise -1 does not attract")
	}
	for _, c := range []struct {
		h    Hybrid
		want bool
	}{
		{Hybrid{1, overlap.Softmax, 1, Gaussian, 100}, true}, {Hybrid{1, overlap.Softmax, 1, Gaussian, 70},
			false},
		{Hybrid{1, overlap.Softmax, 1, Rademacher, 1}, true}, {Hybrid{1, overlap.Softmax, 2, Rademacher, 1},
			false},
		{Hybrid{1, overlap.Softmax, 1.3, Uniform, 2}, false},
		{Hybrid{700, overlap.Unnormalized, 0, Rademacher, 2}, true},
	} {
		if _, ok, err := c.h.SingleReturn(1e-3); ok != c.want || err != nil {
			t.Errorf("%+v: %v, %v", c.h, ok, err)
		}
	}
	for want, h := range map[string]Hybrid{
		"depth": {1, overlap.Softmax, 1, Rademacher, 0}, "law": {1, overlap.Softmax, 1, 4, 1},
		"epsilon": {1, overlap.Softmax, -1, Rademacher, 1}, "e^β": {800, overlap.Unnormalized, 1, Rademacher,
			1},
	} {
		if _, _, err := h.SingleReturn(1e-3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", h, err)
		}
	}
	if _, _, err := still.SingleReturn(0.02); err == nil || !strings.Contains(err.Error(), "neighbourhood") {
		t.Error(err)
	}
}
