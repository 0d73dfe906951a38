package overlap_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/overlap"
	"antipode/overlap/internal/diffusions"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/activation"
	"antipode/sphere/elementary"
	"antipode/sphere/must"
)

// record records all that a diffusion computes.
func record(t *testing.T, name string, d *overlap.Diffusion, z float64) overlaptest.Record {
	t.Helper()
	r := overlaptest.Record{Cell: fmt.Sprintf("%s, z=%.3g", name, z)}
	probability := func(p overlap.Probability, err error) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		r.AddKnown(p.Value, p.Error)
	}
	derivative := func(v overlap.Derivative, ok bool) {
		if r.AddBool(ok); ok {
			r.AddKnown(v.Value, v.Error)
		}
	}
	exponent := func(x float64, ok bool) {
		if r.AddBool(ok); ok {
			r.Add(x)
		}
	}
	r.Add(float64(d.PlusOne()), float64(d.MinusOne()))
	for _, at := range []float64{-1, z, 1} {
		r.Add(d.Drift(at), d.Variance(at), d.LogScale(at))
	}
	r.Add(d.LogScaleDensity(z), d.LogScaleDensity(-0.999), d.LogScaleDensity(0.999))
	probability(d.AntipodalFrom(z))
	probability(d.SingleFrom(z))
	probability(d.AntipodalUniform(), nil)
	probability(d.SingleUniform(), nil)
	probability(d.HitFrom(z, -0.97, 0.98))
	probability(d.HitFrom(z, 0.98, -0.97))
	exponent(d.Lyapunov())
	exponent(d.Within())
	exponent(d.HoldingExponent())
	law, ok := d.Stationary()
	if r.AddBool(ok); ok {
		r.Add(law.Mean(), law.Density(z), law.Below(z), law.Expectation(elementary.Exp))
	}
	for by := overlap.ByBeta; by <= overlap.BySigma; by++ {
		value, ok, err := d.AntipodalFromDerivative(z, by)
		must.Do(t, err)
		derivative(value, ok)
		derivative(d.AntipodalUniformDerivative(by))
	}
	for _, end := range []float64{-1, 1} {
		m := overlap.MLP{Activation: activation.Tanh, Strength: 1.5, Variance: 3}
		low, high, err := d.AttractingStrengths(end, m)
		r.AddBool(err == nil)
		r.Add(low, high)
		variances, err := d.CriticalVariances(end, m)
		r.AddBool(err == nil)
		r.Add(variances...)
	}
	return r
}

// quadrature is P(the overlap reaches a before b) from drift and variance alone: the scale density is
// integrated on a fine mesh by Simpson's rule.
func quadrature(d *overlap.Diffusion, z, a, b float64) float64 {
	const steps = 1 << 11
	logarithm, width := diffusions.LogScaleDensity(d, a, b, steps)
	most := slices.Max(logarithm)
	sum := func(from, to int) (sum float64) {
		for k := from; k < to; k += 2 {
			sum += math.Exp(logarithm[k]-most) + 4*math.Exp(logarithm[k+1]-most) +
				math.Exp(logarithm[k+2]-most)
		}
		return sum
	}
	middle := 2 * int(math.Round((math.Atanh(z)-math.Atanh(a))/width/2))
	right := sum(middle, steps)
	return right / (sum(0, middle) + right)
}

// All models, over their whole domain, compute what is recorded. Probabilities of reaching a point first are
// compared with a quadrature that knows drift and variance only.
func TestDiffusionsAreAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(71, 1))
	var records []overlaptest.Record
	for range 28 {
		name, d := diffusions.Draw(random, 6)
		const places = 1 << 10 // half the steps of the quadrature
		first, last := math.Atanh(-0.97), math.Atanh(0.98)
		z := math.Tanh(first + (last-first)*float64(1+random.IntN(places-1))/places)
		records = append(records, record(t, name, d, z))
		if d.Variance(0) == 0 {
			continue
		}
		hit := must.Get(d.HitFrom(z, -0.97, 0.98))(t)
		if want := quadrature(d, z, -0.97, 0.98); !(math.Abs(hit.Value-want) <= 1e-8*want+1e-14) {
			t.Errorf("%s: from %v to -0.97 before 0.98: %v, by quadrature %v", name, z, hit.Value, want)
		}
	}
	overlaptest.CompareRecords(t, "testdata/diffusions.txt", records)
}

// Thresholds and rates over their domains are as recorded.
func TestThresholdsAreAsRecorded(t *testing.T) {
	var records []overlaptest.Record
	covariances := []overlap.Covariance{overlap.Ginibre, {A: 1, B: -0.9}, {A: 0.5, B: 0.5},
		{A: 1, B: 0.3, C: 0.4}}
	for _, dim := range []int{2, 3, 5, 40, 1000} {
		for k, c := range covariances {
			r := overlaptest.Record{Cell: fmt.Sprintf("d=%d covariance %v", dim, c)}
			r.Add(overlap.CriticalBetas(dim, c)...)
			for _, beta := range []float64{0, 0.3, 1.7, 5} {
				r.Add(overlap.CriticalDim(beta, c))
				for attention := range overlap.Unnormalized + 1 {
					spreads, err := overlap.CriticalSpreads(dim, beta, attention, c)
					r.AddBool(err == nil)
					r.Add(spreads...)
				}
				if k == 0 {
					rate, err := overlap.CrowdRate(dim, beta, 1.3)
					r.AddBool(err == nil)
					r.Add(rate)
				}
			}
			records = append(records, r)
		}
	}
	for _, beta := range []float64{0, 0.2, 1, 9} {
		r := overlaptest.Record{Cell: fmt.Sprintf("hybrid β=%g", beta)}
		for attention := range overlap.Unnormalized + 1 {
			single, antipodal := overlap.HybridThresholds(beta, attention)
			r.Add(single, antipodal)
		}
		records = append(records, r)
	}
	r := overlaptest.Record{Cell: "trajectories"}
	for _, p := range [][2]float64{{0, 0.1}, {0.2, 0.25}, {0.5, 0.9}, {0.97, 0.98}, {0.3, 0.3}} {
		r.Add(overlap.Trajectories(p[0], p[1]))
	}
	overlaptest.CompareRecords(t, "testdata/thresholds.txt", append(records, r))
}

// Enclosures are as narrow as recorded, and contain the probability.
func TestEnclosuresAreAsRecorded(t *testing.T) {
	var records []overlaptest.Record
	for _, c := range []struct {
		dim      int
		beta, z0 float64
	}{{2, 0, -0.3}, {2, 3, 0.9}, {3, 0.1, 0}, {4, 0.6584789485, 0.2}, {7, 2, -0.95}} {
		r := overlaptest.Record{Cell: fmt.Sprintf("d=%d β=%g z=%g", c.dim, c.beta, c.z0)}
		d := must.Get(overlap.New(c.dim, c.beta, overlap.Softmax, 1))(t)
		for k, e := range []overlap.Enclosure{
			must.Get(overlap.CertifyUniform(c.dim, c.beta))(t),
			must.Get(overlap.CertifyFrom(c.dim, c.beta, c.z0))(t),
		} {
			p := d.AntipodalUniform()
			if k == 1 {
				p = must.Get(d.AntipodalFrom(c.z0))(t)
			}
			if !(e.Low-1e-12 <= p.Value && p.Value <= e.High+1e-12 && e.Low <= e.High) {
				t.Errorf("%s: %v, enclosed by %v", r.Cell, p.Value, e)
			}
			r.Add(e.Low, e.High)
			r.Errors = append(r.Errors, 1e12*(e.High-e.Low))
		}
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/enclosures.txt", records)
}
