package inference

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/lists"
	"antipode/internal/longtest"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

func correlationOf(name string, w float64) func(z float64) float64 {
	a, err := activation.Parse(name)
	if err != nil {
		panic(err)
	}
	c, err := activation.NewCorrelation(a, w)
	if err != nil {
		panic(err)
	}
	return c.At
}

// chains are ensembles of different sizes: 2 to 64 tokens, depths from 12 to 100, with and without an MLP.
// The variance of value matrices in one layer is σ²/L, as in the paper.
var chains = map[string]chain{
	"two tokens":      {tokens: 2, dim: 4, depth: 100, sequences: 16, sigma2: 1. / 100, beta: 1.5},
	"two, few layers": {tokens: 2, dim: 8, depth: 12, sequences: 100, sigma2: 0.8 / 12, beta: 1},
	"two beside an MLP": {tokens: 2, dim: 6, depth: 50, sequences: 60, sigma2: 1. / 50, beta: 2, c: 1. / 50,
		correlation: correlationOf("tanh", 4)},
	"eight": {tokens: 8, dim: 12, depth: 24, sequences: 20, sigma2: 1. / 24, beta: 2.5},
	"eight beside ReLU": {tokens: 8, dim: 10, depth: 24, sequences: 24, sigma2: 1.2 / 24, beta: 1.5,
		c: 0.7 / 24, correlation: correlationOf("relu", 1)},
	"sixty-four":          {tokens: 64, dim: 16, depth: 12, sequences: 10, sigma2: 0.7 / 12, beta: 2},
	"more than they span": {tokens: 16, dim: 3, depth: 40, sequences: 12, sigma2: 1. / 40, beta: 3},
}

// coverage returns in how many of the trials each parameter is within two standard errors of the true one,
// and how many fits failed.
func coverage(t *testing.T, c chain, trials int, seed uint64) (within []int, failed int) {
	t.Helper()
	want := []float64{c.sigma2, c.beta, c.c}
	for trial := range trials {
		fit, err := c.data(rand.New(rand.NewPCG(seed, uint64(trial)))).Fit(c.correlation)
		if err != nil {
			failed++
			continue
		}
		if within == nil {
			within = make([]int, len(fit.Values))
		}
		for k, x := range fit.Values {
			if math.Abs(x-want[k]) <= 2*fit.Stderrs[k] {
				within[k]++
			}
		}
	}
	return within, failed
}

// Estimates are within two standard errors of the true parameters in about 95.4 % of ensembles. With 28
// numbers, fewer than 20 have probability below 1e-5.
func TestEstimatesCover(t *testing.T) {
	longtest.Only(t)
	within, all := 0, 0
	for k, name := range []string{"two tokens", "two, few layers", "two beside an MLP"} {
		counts, failed := coverage(t, chains[name], 4, uint64(k))
		for _, n := range counts {
			within, all = within+n, all+4
		}
		if failed > 0 {
			t.Errorf("%s: %d ensembles of 4 have no estimate", name, failed)
		}
	}
	t.Logf("%d of %d numbers are within two standard errors", within, all)
	if within < 20 {
		t.Errorf("%d of %d numbers are within two standard errors", within, all)
	}
}

// The likelihood of these states has another maximum at β = -1.2, which is smaller; the fit finds the larger
// one.
func TestLargestMaximum(t *testing.T) {
	c := chains["eight beside ReLU"]
	fit := must.Get(c.data(rand.New(rand.NewPCG(9001, 164))).Fit(c.correlation))(t)
	if beta, stderr := fit.Values[1], fit.Stderrs[1]; !(math.Abs(beta-c.beta) < 4*stderr) {
		t.Errorf("β = %.2f ± %.2f, want %v", beta, stderr, c.beta)
	}
}

// For two tokens β and -β give the same noise, and the fit returns the positive one.
func TestSignOfTwoTokens(t *testing.T) {
	c := chains["two, few layers"]
	d := c.data(rand.New(rand.NewPCG(4, 4)))
	fit := must.Get(d.Fit(nil))(t)
	x := fit.Values
	here := lists.Sum(d.logs(attention(nil), x))
	there := lists.Sum(d.logs(attention(nil), []float64{x[0], -x[1]}))
	if !(x[1] > 0) || !(math.Abs(here-there) <= 1e-6) {
		t.Errorf("β = %v, logarithms of the likelihood %v and %v", x[1], here, there)
	}
}

// Too few steps are an error, and so are tokens that do not move.
func TestNothingToInfer(t *testing.T) {
	c := chains["two tokens"]
	c.sequences, c.depth = 1, 5
	if _, err := c.data(rand.New(rand.NewPCG(1, 1))).Fit(nil); err == nil {
		t.Error("five steps are enough")
	}
	c = chains["two, few layers"]
	c.sigma2 = 0
	if fit, err := c.data(rand.New(rand.NewPCG(1, 1))).Fit(nil); err == nil {
		t.Errorf("tokens that do not move: %v ± %v", fit.Values, fit.Stderrs)
	}
}
