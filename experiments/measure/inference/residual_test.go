package inference

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"antipode/internal/lists"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// Chains that follow the model are rejected about as often as the level says, or less: with 40 chains at a
// level of 1 %, more than 4 rejections have probability below 1e-4. Chains whose layers share a matrix, and
// chains whose layers have very different sizes, are rejected.
func TestCheck(t *testing.T) {
	longtest.Only(t)
	c := chain{tokens: 3, dim: 5, depth: 20, sequences: 25, sigma2: 1. / 20, beta: 1.2}
	rejected := 0
	for trial := range 40 {
		if check(t, c, uint64(trial)).Rejected() {
			rejected++
		}
	}
	t.Logf("%d of 40 true chains are rejected", rejected)
	if rejected > 4 {
		t.Errorf("%d of 40 chains are rejected at the level of 1 %%", rejected)
	}
	gaussian := func(random *rand.Rand, deviation float64) *mat.Dense {
		v := mat.NewDense(c.dim, c.dim, nil)
		v.Apply(func(int, int, float64) float64 { return deviation * random.NormFloat64() }, v)
		return v
	}
	shared := map[*rand.Rand]*mat.Dense{}
	c.layer = func(random *rand.Rand, layer int) *mat.Dense {
		if layer == 0 {
			shared[random] = gaussian(random, 0.22)
		}
		return shared[random]
	}
	if got := check(t, c, 1); !got.Rejected() || got.PMemory > 1e-3 {
		t.Errorf("layers that share their matrix: %v", got.P())
	}
	c.layer = func(random *rand.Rand, layer int) *mat.Dense {
		return gaussian(random, 0.05+0.5*math.Floor(1.3*random.Float64()))
	}
	if got := check(t, c, 1); !got.Rejected() {
		t.Errorf("layers of different sizes: %v", got.P())
	}
}

func check(t *testing.T, c chain, seed uint64) *Check {
	t.Helper()
	d := c.data(rand.New(rand.NewPCG(seed, 9)))
	fit := must.Get(d.Fit(c.correlation))(t)
	return d.Check(fit, seed)
}

// At the true parameters, the ranks of the overlaps and lengths among simulated ones are uniform: their means
// are ½, in every dimension. A mean of 3,000 uniform numbers differs from ½ by more than 0.026 with
// probability 1e-6.
func TestPlacesOfTrueParameters(t *testing.T) {
	for _, dim := range []int{2, 3, 4, 9} {
		c := chain{tokens: 2, dim: dim, depth: 1, sequences: 3000, sigma2: 0.15, beta: 1}
		d := c.data(rand.New(rand.NewPCG(uint64(dim), 3)))
		got := d.Check(&Fit{Values: []float64{0.15, 1}, noise: attention(nil)}, 4)
		for _, places := range [][]float64{got.Overlaps, got.Lengths} {
			if mean := lists.Sum(places) / float64(len(places)); !(math.Abs(mean-0.5) <= 0.026) {
				t.Errorf("d = %d: mean place %v", dim, mean)
			}
		}
		if got.P() < 1e-5 {
			t.Errorf("d = %d: probability %v of the true chain", dim, got.P())
		}
	}
}

// In each bin of the overlap, the constants κ agree with those of the model within 4.5 standard errors.
func TestCurve(t *testing.T) {
	c := chain{tokens: 2, dim: 6, depth: 20, sequences: 200, sigma2: 0.04, beta: 2, c: 0.03,
		correlation: correlationOf("tanh", 4)}
	d := c.data(rand.New(rand.NewPCG(8, 8)))
	fit := must.Get(d.Fit(c.correlation))(t)
	bins := d.Curve(fit)
	if len(bins) != 10 {
		t.Errorf("%d bins", len(bins))
	}
	for _, b := range bins {
		p := 1 / (1 + math.Exp(-c.beta*(1-b.Overlap)))
		own := c.sigma2*(p*p+(1-p)*(1-p)+2*p*(1-p)*b.Overlap) + c.c
		both := c.sigma2*((p*p+(1-p)*(1-p))*b.Overlap+2*p*(1-p)) + c.c*c.correlation(b.Overlap)
		if !(math.Abs(b.Own-own) <= 4.5*b.OwnStderr+0.002) ||
			!(math.Abs(b.Both-both) <= 4.5*b.BothStderr+0.002) ||
			!(b.OwnStderr < 0.01) {
			t.Errorf("overlap %.2f: κ %.4f ± %.4f, %.4f ± %.4f; want %.4f, %.4f", b.Overlap, b.Own,
				b.OwnStderr,
				b.Both, b.BothStderr, own, both)
		}
	}
}

// The standard errors of κ₁₁ and κ₁₂ are those of a fit with these two parameters.
func TestErrorsOfABin(t *testing.T) {
	c := chain{tokens: 2, dim: 5, depth: 6, sequences: 30, sigma2: 0.04, beta: 1.5}
	d := c.data(rand.New(rand.NewPCG(21, 22)))
	b := d.bin(must.Get(d.Fit(nil))(t))
	constant := func(t *transition, x []float64, to []noise) {
		for k := range t.pairs {
			to[k] = noise{x[0], x[1], x[0], x[0]*x[0] - x[1]*x[1]}
		}
	}
	direct := must.Get(d.maximise(constant, []float64{b.Own, b.Both}))(t)
	got := []float64{b.Own, b.OwnStderr, b.Both, b.BothStderr}
	want := []float64{direct.Values[0], direct.Stderrs[0], direct.Values[1], direct.Stderrs[1]}
	for k := range got {
		if !(math.Abs(got[k]/want[k]-1) <= 0.01) {
			t.Errorf("κ and errors are %v, want %v", got, want)
			break
		}
	}
}

// Steps are means over sequences, compared with the drift -(d-1)zκ₁₁ + (d-2+z²)κ₁₂ and the variance
// 2(1-z²)(κ₁₁ - zκ₁₂) of two tokens.
func TestSteps(t *testing.T) {
	c := chain{tokens: 2, dim: 6, depth: 3, sequences: 5, sigma2: 0.02, beta: 2}
	d := c.data(rand.New(rand.NewPCG(31, 32)))
	increments, drifts, variances := map[int][]float64{}, map[int][]float64{}, map[int][]float64{}
	for _, step := range d.transitions {
		z := step.pairs[0].before
		p := 1 / (1 + math.Exp(-c.beta*(1-z)))
		own := c.sigma2 * (p*p + (1-p)*(1-p) + 2*p*(1-p)*z)
		both := c.sigma2 * ((p*p+(1-p)*(1-p))*z + 2*p*(1-p))
		at := step.layer
		increments[at] = append(increments[at], step.pairs[0].after-z)
		drifts[at] = append(drifts[at], -5*z*own+(4+z*z)*both)
		variances[at] = append(variances[at], 2*(1-z*z)*(own-z*both))
	}
	steps := d.Steps(&Fit{Values: []float64{c.sigma2, c.beta}, noise: attention(nil)})
	if len(steps) != c.depth {
		t.Fatalf("%d steps", len(steps))
	}
	for k, s := range steps {
		var squares []float64
		for n, x := range increments[k] {
			squares = append(squares, (x-drifts[k][n])*(x-drifts[k][n]))
		}
		root := math.Sqrt(float64(c.sequences))
		want := []float64{stat.Mean(increments[k], nil), stat.StdDev(increments[k], nil) / root,
			stat.Mean(squares, nil), stat.StdDev(squares, nil) / root, stat.Mean(drifts[k], nil),
			stat.Mean(variances[k], nil)}
		got := []float64{s.Drift, s.DriftStderr, s.Variance, s.VarianceStderr, s.FittedDrift,
			s.FittedVariance}
		if s.Layer != k || !floats.EqualApprox(got, want, 1e-12) {
			t.Errorf("layer %d: %v, want %v", s.Layer, got, want)
		}
	}
}
