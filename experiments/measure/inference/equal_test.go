package inference

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/mat"
)

// If attention ignores the scores, all tokens move alike. Then the estimate of β is 0, with a standard error
// of the size of rounding errors. σ² is within two standard errors of the truth in about 95.4 % of 60
// ensembles, in fewer than 51 of them with probability 10⁻⁴. The goodness-of-fit test rejects more than 4 of
// them with probability 10⁻⁴.
func TestEqualSteps(t *testing.T) {
	longtest.Only(t)
	for name, c := range map[string]chain{
		"two":                  {tokens: 2, dim: 8, depth: 20, sequences: 10, sigma2: 0.05},
		"nine":                 {tokens: 9, dim: 3, depth: 20, sequences: 10, sigma2: 0.05},
		"with an MLP of c = 0": {tokens: 4, dim: 5, depth: 20, sequences: 10, sigma2: 0.05},
	} {
		t.Run(name, func(t *testing.T) {
			within, rejected := 0, 0
			var correlation func(z float64) float64
			if name == "with an MLP of c = 0" {
				correlation = correlationOf("tanh", 1)
			}
			for trial := range 60 {
				d := c.data(rand.New(rand.NewPCG(uint64(trial), 71)))
				fit := must.Get(d.Fit(correlation))(t)
				if math.Abs(fit.Values[0]-c.sigma2) <= 2*fit.Stderrs[0] {
					within++
				}
				for k, x := range fit.Values[1:] {
					if x != 0 || !(fit.Stderrs[k+1] < 1e-6) {
						t.Errorf("parameter %d is %v ± %v, want 0", k+1, x, fit.Stderrs[k+1])
					}
				}
				if d.Check(fit, uint64(trial)).Rejected() {
					rejected++
				}
			}
			t.Logf("%d of 60 are within two standard errors, %d are rejected", within, rejected)
			if within < 51 || rejected > 4 {
				t.Errorf("%d of 60 are within two standard errors, %d are rejected", within, rejected)
			}
		})
	}
}

// With states in single precision, or with a β that cannot be distinguished from 0, the estimate is 0 and its
// interval contains the true β.
func TestNearlyEqualSteps(t *testing.T) {
	for _, beta := range []float64{0, 1e-5, -0.003} {
		c := chain{tokens: 6, dim: 6, depth: 20, sequences: 20, sigma2: 0.05, beta: beta}
		exact := c.data(rand.New(rand.NewPCG(1, 72)))
		c.single = true
		single := c.data(rand.New(rand.NewPCG(1, 72)))
		for _, d := range []*Data{exact, single} {
			fit := must.Get(d.Fit(nil))(t)
			if got, stderr := fit.Values[1], fit.Stderrs[1]; got != 0 || !(math.Abs(beta) <= 2*stderr) ||
				!(stderr < 0.005) {
				t.Errorf("β = %v ± %v, want %v", got, stderr, beta)
			}
		}
		// the steps differ only through β; 1200 pairs determine its size to 2 %
		fit := must.Get(exact.Fit(nil))(t)
		if got := fit.Stderrs[1]; beta != 0 && !(math.Abs(got/math.Abs(beta)-1) <= 0.1) {
			t.Errorf("steps differ as of β = %v, want %v", got, math.Abs(beta))
		}
	}
}

// A larger β, with which steps differ clearly, is estimated as usual.
func TestStepsThatDiffer(t *testing.T) {
	c := chain{tokens: 6, dim: 6, depth: 20, sequences: 20, sigma2: 0.05, beta: 0.05}
	fit := must.Get(c.data(rand.New(rand.NewPCG(1, 73))).Fit(nil))(t)
	if got, stderr := fit.Values[1], fit.Stderrs[1]; !(math.Abs(got-c.beta) <= 4*stderr) || !(stderr < 0.02) {
		t.Errorf("β = %v ± %v, want %v", got, stderr, c.beta)
	}
}

// In states of one network only the layers are independent: the standard error of σ² corresponds to their
// number.
func TestEqualStepsOfANetwork(t *testing.T) {
	c := chain{tokens: 3, dim: 5, depth: 30, sequences: 40, sigma2: 0.05}
	values := map[int]*mat.Dense{}
	c.layer = func(random *rand.Rand, layer int) *mat.Dense {
		if values[layer] == nil {
			values[layer] = mat.NewDense(c.dim, c.dim, nil)
			values[layer].Apply(func(int, int, float64) float64 {
				return math.Sqrt(c.sigma2) * random.NormFloat64()
			}, values[layer])
		}
		return values[layer]
	}
	d := c.data(rand.New(rand.NewPCG(2, 74)))
	d.Common = true
	fit := must.Get(d.Fit(nil))(t)
	sigma2, stderr := fit.Values[0], fit.Stderrs[0]
	if !(math.Abs(sigma2-c.sigma2) <= 4*stderr) || !(stderr > c.sigma2*math.Sqrt(2./30/5/5)*0.7) {
		t.Errorf("σ² = %v ± %v, want %v", sigma2, stderr, c.sigma2)
	}
}

// The variance of a common step is a mean over transitions, and its standard error is that of a mean over the
// groups of dependent transitions: of values 1, 2 and 6, or of groups (1, 2) and (6).
func TestStepVariance(t *testing.T) {
	for common, want := range map[bool]float64{false: math.Sqrt(7. / 3), true: math.Sqrt(36) / 3} {
		d := &Data{Dim: 5, Common: common}
		for k, value := range []float64{1, 2, 6} {
			d.transitions = append(d.transitions, transition{layer: k / 2, pairs: []pair{
				{after: 0.9, same: sameStep{square: 1e3}},
				{after: -0.1, same: sameStep{square: 15 * value}}}})
		}
		mean, stderr := d.stepVariance(func(*transition) float64 { return 3 })
		if !(math.Abs(mean-3) <= 1e-14) || !(math.Abs(stderr-want) <= 1e-14) {
			t.Errorf("common %v: %v ± %v, want 3 ± %v", common, mean, stderr, want)
		}
	}
}
