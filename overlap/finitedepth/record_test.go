package finitedepth_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/internal/overlaptest"
)

// Exponents, returns and thresholds at finite depth, over the whole domain, are as recorded.
func TestExponentsAreAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(74, 1))
	var records []overlaptest.Record
	for range 26 {
		dim := []int{2, 3, 4, 5, 8, 20, 300}[random.IntN(7)]
		attention := overlap.Attention(random.IntN(2))
		beta := overlaptest.Logarithmic(random, 0.03, 4)
		sigma := overlaptest.Logarithmic(random, 0.2, 3)
		if random.IntN(6) == 0 {
			beta = 0
		}
		depth := int(overlaptest.Logarithmic(random, 1, 3000))
		within := []float64{0.01, 1e-4, 1e-9}[random.IntN(3)]
		r := overlaptest.Record{Cell: fmt.Sprintf("d=%d β=%.3g %v σ=%.3g L=%d within %g", dim, beta,
			attention, sigma, depth, within)}
		add := func(value float64, ok bool, err error) {
			r.AddBool(err == nil)
			if r.AddBool(ok); ok && err == nil {
				r.Add(value)
			}
		}
		for _, layer := range []func(
			int, float64, overlap.Attention, float64, int,
		) (finitedepth.Layer, error){finitedepth.Antipodal, finitedepth.Single, finitedepth.Within} {
			l, err := layer(dim, beta, attention, sigma, depth)
			if r.AddBool(err == nil); err == nil {
				r.Add(l.Lyapunov())
				exponent, ok := l.Lundberg()
				add(exponent, ok, nil)
			}
		}
		add(finitedepth.AntipodalReturn(dim, beta, attention, sigma, depth, within))
		add(finitedepth.SingleReturn(dim, beta, attention, sigma, depth, within))
		add(finitedepth.CriticalBeta(dim, attention, sigma, depth))
		add(finitedepth.ExpandedCriticalBeta(dim, attention, sigma, depth))
		add(finitedepth.LimitDepth(dim, attention, sigma, 10*within))
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/exponents.txt", records)
}

// Growths under isotropic noise and random scores are as recorded.
func TestGrowthsAreAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(74, 2))
	var records []overlaptest.Record
	for range 7 {
		c := finitedepth.Isotropic{
			Dim: []int{2, 3, 5, 9, 40}[random.IntN(5)], Beta: overlaptest.Logarithmic(random, 0.1, 3),
			Attention: overlap.Attention(random.IntN(2)), Sigma: overlaptest.Logarithmic(random, 0.3, 1.5),
			Covariance: []overlap.Covariance{overlap.Ginibre, {A: 0.5, B: 0.5}, {A: 0.7, B: 0.6, C: 0.3},
				{A: 1, B: -0.4, C: 0.2}, {A: 0.5, B: -0.5}}[random.IntN(5)],
			Depth: int(overlaptest.Logarithmic(random, 4, 1000)),
		}
		if random.IntN(3) == 0 {
			c.Spread = overlaptest.Logarithmic(random, 0.1, 2)
		}
		r := overlaptest.Record{Cell: fmt.Sprintf("%+v", c)}
		for _, end := range []func() (*finitedepth.Growth, error){c.Antipodal, c.Single} {
			g, err := end()
			if r.AddBool(err == nil); err == nil {
				r.AddKnown(g.Lyapunov())
			}
		}
		beta, ok, err := c.CriticalBeta()
		r.AddBool(err == nil)
		if r.AddBool(ok); ok {
			r.Add(beta)
		}
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/growths.txt", records)
}

// Returns of the hybrid recursion are as recorded.
func TestReturnsOfHybridAreAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(74, 3))
	var records []overlaptest.Record
	for range 40 {
		h := finitedepth.Hybrid{
			Beta: overlaptest.Logarithmic(random, 0.05, 4), Attention: overlap.Attention(random.IntN(2)),
			Epsilon: overlaptest.Logarithmic(random, 0.1, 3), Law: finitedepth.ScalarLaw(random.IntN(4)),
			Depth: int(overlaptest.Logarithmic(random, 3, 3000)),
		}
		within := []float64{0.01, 1e-4, 1e-9}[random.IntN(3)]
		r := overlaptest.Record{Cell: fmt.Sprintf("%+v within %g", h, within)}
		for _, f := range []func(float64) (float64, bool, error){h.AntipodalReturn, h.SingleReturn} {
			exponent, ok, err := f(within)
			r.AddBool(err == nil)
			if r.AddBool(ok); ok {
				r.Add(exponent)
			}
		}
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/hybrid.txt", records)
}

// Enclosures of critical temperatures are as wide as recorded, and contain them.
func TestEnclosuresAreAsRecorded(t *testing.T) {
	var records []overlaptest.Record
	for _, c := range []struct {
		dim, depth int
		attention  overlap.Attention
		sigma      float64
	}{{3, 20, overlap.Softmax, 1}, {4, 7, overlap.Unnormalized, 0.8}, {9, 300, overlap.Softmax, 1.4}} {
		r := overlaptest.Record{Cell: fmt.Sprintf("%+v", c)}
		e, ok, err := finitedepth.CertifyCriticalBeta(c.dim, c.attention, c.sigma, c.depth)
		beta, _, betaErr := finitedepth.CriticalBeta(c.dim, c.attention, c.sigma, c.depth)
		if !ok || err != nil || betaErr != nil || !(e.Low <= beta && beta <= e.High) {
			t.Errorf("%s: %v in %v, %t, errors %v, %v", r.Cell, beta, e, ok, err, betaErr)
		}
		r.Add(e.Low, e.High)
		r.Errors = append(r.Errors, e.High-e.Low)
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/enclosures.txt", records)
}
