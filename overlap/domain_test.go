package overlap

import (
	"math"
	"strings"
	"testing"

	"antipode/internal/domaintest"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// errorOf returns the error of a function, without its value.
func errorOf[V any](f func(x float64) (V, error)) func(x float64) error {
	return func(x float64) error { _, err := f(x); return err }
}

// The domains of all parameters end where the comments say, whatever function the parameters are given to.
func TestDomains(t *testing.T) {
	above, below := domaintest.Above, domaintest.Below
	nan, inf := math.NaN(), math.Inf(1)
	domain := func(what string, try func(x float64) error, accepted, refused []float64) {
		t.Helper()
		domaintest.Check(t, what, try, accepted, append(refused, nan, inf, -inf))
	}
	anyBeta := []float64{0, MaxBeta}
	noBeta := []float64{domaintest.Below(0), above(MaxBeta)}
	domain("β", errorOf(func(x float64) (*Diffusion, error) { return New(3, x, Softmax, 1) }), anyBeta,
		noBeta)
	domain("β of the hybrid model", errorOf(func(x float64) (*Diffusion, error) {
		return NewHybrid(3, x, Softmax, 1)
	}), anyBeta, noBeta)
	domain("β of a crowd", errorOf(func(x float64) (float64, error) { return CrowdRate(3, x, 1) }), anyBeta,
		noBeta)
	domain("β of an enclosure", errorOf(func(x float64) (Enclosure, error) { return CertifyFrom(3, x, 0.1) }),
		[]float64{0, LargestCertifiedBeta}, []float64{domaintest.Below(0), above(LargestCertifiedBeta)})
	anySigma := []float64{5e-324, math.MaxFloat64}
	noSigma := []float64{0, domaintest.Below(0)}
	domain("σ", errorOf(func(x float64) (*Diffusion, error) {
		return New(3, 1, Softmax, x)
	}), anySigma, noSigma)
	domain("σ of a kernel", errorOf(func(x float64) (*Diffusion, error) {
		return NewKernel(3, func(z float64) (p, q float64) { return 1, 0.5 }, x)
	}), anySigma, noSigma)
	domain("σ of a crowd", errorOf(func(x float64) (float64, error) { return CrowdRate(3, 1, x) }), anySigma,
		noSigma)
	domain("mass 1", errorOf(func(x float64) (*Diffusion, error) {
		return NewMasses(3, 1, Softmax, 1, x, 1)
	}),
		[]float64{1 / MaxMass, MaxMass}, []float64{0, -1, below(1 / MaxMass), above(MaxMass)})
	domain("mass 2", errorOf(func(x float64) (*Diffusion, error) {
		return NewMasses(3, 1, Softmax, 1, 1, x)
	}),
		[]float64{1 / MaxMass, MaxMass}, []float64{0, -1, below(1 / MaxMass), above(MaxMass)})
	domain("both masses", errorOf(func(x float64) (*Diffusion, error) {
		return NewMasses(3, 1, Softmax, 1, x, x)
	}),
		[]float64{5e-324, math.MaxFloat64}, []float64{0, domaintest.Below(0)})
	domain("ε", errorOf(func(x float64) (*Diffusion, error) { return NewHybrid(3, 1, Softmax, x) }),
		[]float64{0, MaxEpsilon}, []float64{domaintest.Below(0), above(MaxEpsilon)})
	domain("spread", errorOf(func(x float64) (*Diffusion, error) {
		return NewResampled(3, 1, Unnormalized, 1, x, Ginibre)
	}), []float64{0, MaxSpread}, []float64{domaintest.Below(0), above(MaxSpread)})
	domain("drift", errorOf(diffusion(t, 3, 1).WithDrift), []float64{0, MaxDrift},
		[]float64{domaintest.Below(0), above(MaxDrift)})
	domain("strength", errorOf(func(x float64) (*Diffusion, error) {
		return diffusion(t, 3, 1).WithMLP(MLP{activation.Tanh, x, 1})
	}), []float64{0, MaxStrength}, []float64{domaintest.Below(0), above(MaxStrength)})
	for _, from := range []struct {
		what string
		try  func(z0 float64) (Probability, error)
	}{{"antipodal", diffusion(t, 3, 1).AntipodalFrom}, {"single", diffusion(t, 3, 1).SingleFrom}} {
		domain("start of "+from.what, errorOf(from.try), []float64{-1, 1}, []float64{below(-1), above(1)})
	}
	domain("start of a derivative", func(z0 float64) error {
		_, _, err := diffusion(t, 3, 1).AntipodalFromDerivative(z0, ByBeta)
		return err
	}, []float64{-1, 1}, []float64{below(-1), above(1)})
	domain("start of an enclosure", errorOf(func(x float64) (Enclosure, error) {
		return CertifyFrom(3, 1, x)
	}),
		[]float64{above(-1), below(1)}, []float64{-1, 1})
	domain("start of a hit", errorOf(func(x float64) (Probability, error) {
		return diffusion(t, 3, 1).HitFrom(x, -0.5, 0.5)
	}), []float64{-0.5, 0.5}, []float64{below(-0.5), above(0.5)})
	domain("target of a hit", errorOf(func(x float64) (Probability, error) {
		return diffusion(t, 3, 1).HitFrom(0.5, x, 0.5)
	}), []float64{-1, 1, below(0.5), above(0.5)}, []float64{0.5, below(-1), above(1)})
	domain("end of strengths", func(x float64) error {
		_, _, err := diffusion(t, 3, 1).AttractingStrengths(x, MLP{activation.Tanh, 0, 1})
		return err
	}, []float64{-1, 1}, []float64{0, below(-1), above(-1), below(1), above(1)})
	domain("end of thresholds", errorOf(func(x float64) ([]float64, error) {
		return Thresholds(x, 0, 1, func(float64) (*Diffusion, error) { return diffusion(t, 3, 1), nil })
	}), []float64{-1, 1}, []float64{0, below(-1), above(1)})
	domaintest.Check(t, "last value of thresholds", errorOf(func(x float64) ([]float64, error) {
		return Thresholds(1, 2, x, func(float64) (*Diffusion, error) { return diffusion(t, 3, 1), nil })
	}), []float64{above(2)}, []float64{2, below(2), nan})
}

// The least dimension is 2. Attention is one of two. Functions that build on New pass its errors on.
func TestDomainsOfDimensions(t *testing.T) {
	calls := map[string]func(dim int) error{
		"New": func(dim int) error { _, err := New(dim, 1, Softmax, 1); return err },
		"NewIsotropic": func(dim int) error {
			_, err := NewIsotropic(dim, 1, Softmax, 1, Scalar, 1, 1)
			return err
		},
		"NewHybrid": func(dim int) error { _, err := NewHybrid(dim, 1, Softmax, 1); return err },
		"NewResampled": func(dim int) error {
			_, err := NewResampled(dim, 1, Softmax, 1, 1, Ginibre)
			return err
		},
		"NewKernel": func(dim int) error {
			_, err := NewKernel(dim, func(z float64) (p, q float64) { return 1, 0.5 }, 1)
			return err
		},
		"CrowdRate":      func(dim int) error { _, err := CrowdRate(dim, 1, 1); return err },
		"CertifyUniform": func(dim int) error { _, err := CertifyUniform(dim, 0); return err },
		"CriticalSpreads": func(dim int) error {
			_, err := CriticalSpreads(dim, 1, Unnormalized, Ginibre)
			return err
		},
	}
	for what, call := range calls {
		domaintest.Check(t, "dimension of "+what, call, []int{2}, []int{1, 0, -3})
	}
	domaintest.Check(t, "dimension of an enclosure", calls["CertifyUniform"],
		[]int{LargestCertifiedDim}, []int{LargestCertifiedDim + 1})
	domaintest.Check(t, "attention", func(a Attention) error { _, err := New(3, 1, a, 1); return err },
		[]Attention{Softmax, Unnormalized}, []Attention{2, 255})
}

// The noise may vanish entirely or be at least a millionth of A·d, which is 1 here, but not lie in between.
// Antisymmetric matrices are refused for unequal masses and with random queries and keys.
func TestDomainsOfCovariances(t *testing.T) {
	const dim = 1_000_000
	isotropic := func(v Covariance) error { _, err := NewIsotropic(dim, 1, Softmax, 1, v, 1, 1); return err }
	domaintest.Check(t, "covariance", isotropic, []Covariance{
		{A: 1, B: 0, C: 1e-9}, {A: 1, B: -1}, {A: 1, B: -1, C: 1},
	}, []Covariance{{A: 1, B: -1e-9}, {A: 1, B: -1, C: domaintest.Below(1)}, {A: -1}, {A: 1, B: 2}})
	domaintest.Check(t, "antisymmetric matrices and a mass", func(mass float64) error {
		_, err := NewIsotropic(dim, 1, Softmax, 1, Antisymmetric, 1, mass)
		return err
	}, []float64{1}, []float64{domaintest.Above(1), 2})
	domaintest.Check(t, "antisymmetric matrices and a spread", func(spread float64) error {
		_, err := NewResampled(dim, 1, Softmax, 1, spread, Antisymmetric)
		return err
	}, []float64{0}, []float64{5e-324, 1})
}

// Errors of the model that Thresholds scans, and of the parts of a block, are passed on.
func TestErrorsArePassedOn(t *testing.T) {
	d := diffusion(t, 4, 1)
	refused := MLP{activation.Tanh, -1, 1}
	huge := must.Get(New(4, 500, Unnormalized, 1))(t)
	for _, c := range []struct {
		want string
		call func() error
	}{
		{"strength -1", func() error { _, _, err := d.AttractingStrengths(1, refused); return err }},
		{"strength -1", func() error { _, err := d.CriticalVariances(1, refused); return err }},
		{"times are not available", func() error { _, err := huge.WithDrift(1); return err }},
		{"times are not available", func() error {
			_, _, err := huge.AttractingStrengths(1, MLP{activation.Tanh, 1, 1})
			return err
		}},
		{"beta 1001", func() error {
			_, err := Thresholds(1, 0, 1001, func(x float64) (*Diffusion, error) {
				return New(3, x, Softmax, 1)
			})
			return err
		}},
		{"beta -1", func() error {
			_, err := Thresholds(1, -1, 0, func(x float64) (*Diffusion, error) {
				return New(3, x, Softmax, 1)
			})
			return err
		}},
		{"rate of a crowd: overlap: sigma 0", func() error { _, err := CrowdRate(3, 1, 0); return err }},
	} {
		if err := c.call(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Exactly at a threshold an end does not attract: the scale function is infinite there, the exponent is 0, no
// probability and no derivative belongs to the end, and there is no stationary law.
func TestExactlyAtThresholds(t *testing.T) {
	for _, dim := range []int{3, 4, 7, 100} {
		critical, _ := CriticalBeta(dim)
		d := diffusion(t, dim, critical)
		exponent, ok := d.Lyapunov()
		if d.MinusOne() != NonAttracting || d.PlusOne() != Attracting || exponent != 0 || !ok {
			t.Errorf("dimension %d: ends %v and %v, exponent %v", dim, d.MinusOne(), d.PlusOne(), exponent)
		}
		if !math.IsInf(d.LogScale(-1), 1) || !math.IsInf(d.LogScale(1), -1) || math.IsInf(d.LogScale(0), 0) {
			t.Errorf("dimension %d: scale function %v, %v, %v", dim, d.LogScale(-1),
				d.LogScale(0), d.LogScale(1))
		}
		p, by := from(t, d, -0.9), must.Get(antipodalBy(d, -0.9))(t)
		if p.Value != 0 || by.Value != 0 || d.AntipodalUniform().Value != 0 || d.SingleUniform().Value != 1 {
			t.Errorf("dimension %d: antipodal %v, by β %v", dim, p, by)
		}
		if _, ok := d.HoldingExponent(); ok {
			t.Errorf("dimension %d: opposite tokens are held", dim)
		}
	}
	for _, beta := range []float64{0, 0.7, 3} {
		threshold, same := HybridThresholds(beta, Unnormalized)
		d := must.Get(NewHybrid(3, beta, Unnormalized, threshold))(t)
		if threshold != same || d.MinusOne() != NonAttracting || d.PlusOne() != NonAttracting {
			t.Errorf("β = %v: ends %v and %v", beta, d.MinusOne(), d.PlusOne())
		}
		if _, ok := d.Stationary(); ok || !math.IsInf(d.LogScale(0.5), 1) {
			t.Errorf("β = %v: a stationary law, scale function %v", beta, d.LogScale(0.5))
		}
	}
}

// For unequal clusters -1 is an entrance. If +1 is at its threshold, A(d-1) = B+C, there is no stationary
// law, but there is one if +1 repels.
func TestStationaryLawFromAnEntrance(t *testing.T) {
	for c, want := range map[float64]bool{1.5: false, 2: false, 2.5: true} {
		d := must.Get(NewIsotropic(3, 1, Softmax, 1, Covariance{A: 1, C: c}, 1, 2))(t)
		if _, ok := d.Stationary(); ok != want || d.MinusOne() != Entrance ||
			(d.PlusOne() == Attracting) != (c < 2) {
			t.Errorf("C = %v: stationary %v, ends %v and %v", c, ok, d.MinusOne(), d.PlusOne())
		}
		if _, ok := d.Lyapunov(); ok {
			t.Errorf("C = %v: an exponent at an entrance", c)
		}
	}
}

// antipodalBy returns the derivative of AntipodalFrom with respect to β.
func antipodalBy(d *Diffusion, z0 float64) (Derivative, error) {
	value, _, err := d.AntipodalFromDerivative(z0, ByBeta)
	return value, err
}
