package exactlaw

import (
	"math"
	"strings"
	"testing"

	"antipode/internal/domaintest"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// The domains of all arguments end where the comments say.
func TestDomains(t *testing.T) {
	above, below, nan, inf := domaintest.Above, domaintest.Below, math.NaN(), math.Inf(1)
	of := func(dim int, beta, sigma, m2 float64, depth int) error {
		_, err := Clusters(dim, beta, overlap.Softmax, sigma, 1, m2, depth)
		return err
	}
	domaintest.Check(t, "dimension", func(dim int) error { return of(dim, 1, 1, 1, 9) },
		[]int{2, mostUnequalDim + 1}, []int{1, 0})
	domaintest.Check(t, "dimension of unequal clusters", func(dim int) error { return of(dim, 1, 1, 2, 9) },
		[]int{2, mostUnequalDim}, []int{1, mostUnequalDim + 1})
	domaintest.Check(t, "β", func(x float64) error { return of(3, x, 1, 1, 9) },
		[]float64{0, overlap.MaxBeta}, []float64{domaintest.Below(0), above(overlap.MaxBeta), nan})
	domaintest.Check(t, "mass", func(x float64) error { return of(3, 1, 1, x, 9) },
		[]float64{1e-6, 1e6}, []float64{0, above(1e6), nan})
	domaintest.Check(t, "depth", func(depth int) error {
		return of(3, 1, 1, 1, depth)
	}, []int{1}, []int{0, -1})
	// At β = 0 and depth 1 the variance of the noise at overlap 0 is σ².
	domaintest.Check(t, "σ", func(x float64) error { return of(3, 0, x, 1, 1) },
		[]float64{1.01e-8, 100}, []float64{0.99e-8, above(100), 0, nan, inf})

	hybrid := func(
		beta, epsilon float64, attention overlap.Attention, law finitedepth.ScalarLaw, depth int,
	) error {
		_, err := Hybrid(3, beta, attention, epsilon, law, depth)
		return err
	}
	domaintest.Check(t, "β of the hybrid model", func(x float64) error {
		return hybrid(x, 0, overlap.Unnormalized, finitedepth.Gaussian, 1)
	}, []float64{0, 300}, []float64{domaintest.Below(0), above(300), nan})
	domaintest.Check(t, "β with softmax", func(x float64) error {
		return hybrid(x, 0, overlap.Softmax, finitedepth.Gaussian, 1)
	}, []float64{0, 1000}, []float64{domaintest.Below(0), above(1000), nan})
	domaintest.Check(t, "depth of the hybrid model", func(depth int) error {
		return hybrid(1, 0, overlap.Softmax, finitedepth.Gaussian, depth)
	}, []int{1}, []int{0, -1})
	domaintest.Check(t, "law of the scalar", func(law finitedepth.ScalarLaw) error {
		return hybrid(1, 0, overlap.Softmax, law, 1)
	}, []finitedepth.ScalarLaw{0, 1, 2, 3}, []finitedepth.ScalarLaw{-1, 4})
	// With a uniform scalar, 1 + 1/L - ε√(3/L) must be above 0: at L = 3, ε below 4/3.
	domaintest.Check(t, "ε", func(x float64) error {
		return hybrid(1, x, overlap.Softmax, finitedepth.Uniform, 3)
	}, []float64{0, 4./3 - 1e-9}, []float64{4./3 + 1e-9, -1, nan})
	// With unnormalized attention the least factor is 1 + (1/L - ε√(3/L))e^β.
	domaintest.Check(t, "ε with unnormalized attention", func(x float64) error {
		return hybrid(1, x, overlap.Unnormalized, finitedepth.Uniform, 3)
	}, []float64{0, 1./3 + 1/math.E - 1e-9}, []float64{1./3 + 1/math.E + 1e-9})
	domaintest.Check(t, "ε with a scalar of two values", func(x float64) error {
		return hybrid(1, x, overlap.Softmax, finitedepth.Rademacher, 3)
	}, []float64{0, 2, 1000}, []float64{above(1000)})

	r := recursion(t, 2, 0, overlap.Softmax, 1, 1, 1, 1)
	outside := []float64{below(-1), above(1), nan}
	domaintest.Check(t, "start", func(x float64) error { _, err := r.From(x, 0, 0.1, 0.1); return err },
		[]float64{-1, 1}, outside)
	domaintest.Check(t, "start of a derivative", func(x float64) error {
		_, _, err := r.FromDerivative(x, overlap.ByBeta, 0, 0.1, 0.1)
		return err
	}, []float64{-1, 1}, outside)
	domaintest.Check(t, "tolerance", func(x float64) error { return problem{nil, 1, x}.check() },
		[]float64{5e-324, below(1)}, []float64{0, 1, nan})
	domaintest.Check(t, "layers", func(layers int) error { return problem{nil, layers, 0.1}.check() },
		[]int{0, 1}, []int{-1})
	domaintest.Check(t, "drift", func(x float64) error { _, err := r.WithDrift(x); return err },
		[]float64{0, 1e6}, []float64{domaintest.Below(0), above(1e6), nan})
	noMLP := overlap.MLP{Activation: activation.Tanh, Strength: -1, Variance: 1}
	for _, add := range []func(overlap.MLP) (*Recursion, error){r.WithMLP, r.WithMLPAfter} {
		if _, err := add(noMLP); err == nil || !strings.Contains(err.Error(), "strength -1") {
			t.Errorf("error %v", err)
		}
	}
}

// At the edges of the tolerance an overlap counts as an outcome, and next to them it does not.
func TestOutcomesAtTheEdges(t *testing.T) {
	above, below := domaintest.Above, domaintest.Below
	for _, c := range []struct {
		z                 float64
		antipodal, single float64
	}{
		{-1, 1, 0}, {-0.75, 1, 0}, {above(-0.75), 0, 0}, {below(0.75), 0, 0}, {0.75, 0, 1}, {1, 0, 1},
	} {
		o := must.Get(recursion(t, 3, 1, overlap.Softmax, 1, 1, 1, 5).From(c.z, 0, 0.25, 0.1))(t)
		if o.Antipodal.Value != c.antipodal || o.Single.Value != c.single {
			t.Errorf("from %v: %+v", c.z, o)
		}
	}
}

// Two clusters of equal size and a scalar of two values stay at both ends, even where a start inside has no
// law.
func TestEndsAreKept(t *testing.T) {
	atomic := hybridOf(t, 3, 1, overlap.Softmax, 1, finitedepth.Rademacher, 10)
	for _, z := range []float64{-1, 1} {
		o := must.Get(atomic.From(z, 7, 0.1, 0.1))(t)
		if o.Antipodal.Value != 0.5-0.5*z || o.Single.Value != 0.5+0.5*z {
			t.Errorf("from %v: %+v", z, o)
		}
	}
}
