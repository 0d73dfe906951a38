package inference

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sphere/activation"
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

// chains are ensembles of all sizes: 2 to 64 tokens, depths of 12 to 100, with and without an MLP. The variance of
// a layer is σ²/L, as in the paper.
var chains = map[string]chain{
	"two tokens":          {tokens: 2, dim: 4, depth: 100, sequences: 16, sigma2: 1. / 100, beta: 1.5},
	"two, few layers":     {tokens: 2, dim: 8, depth: 12, sequences: 100, sigma2: 0.8 / 12, beta: 1},
	"two beside an MLP":   {tokens: 2, dim: 6, depth: 50, sequences: 60, sigma2: 1. / 50, beta: 2, c: 1. / 50, correlation: correlationOf("tanh", 4)},
	"eight":               {tokens: 8, dim: 12, depth: 24, sequences: 20, sigma2: 1. / 24, beta: 2.5},
	"eight beside ReLU":   {tokens: 8, dim: 10, depth: 24, sequences: 24, sigma2: 1.2 / 24, beta: 1.5, c: 0.7 / 24, correlation: correlationOf("relu", 1)},
	"sixty-four":          {tokens: 64, dim: 16, depth: 12, sequences: 10, sigma2: 0.7 / 12, beta: 2},
	"more than they span": {tokens: 16, dim: 3, depth: 40, sequences: 12, sigma2: 1. / 40, beta: 3},
}

// coverage is in how many of some trials each parameter is within two standard errors of the true one.
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

func TestX(t *testing.T) {
	for name, c := range chains {
		within, failed := coverage(t, c, 200, 7)
		t.Logf("%s: %v of 200, %d failed", name, within, failed)
	}
}
