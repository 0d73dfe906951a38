//go:build long

package multilevel

import (
	"antipode/sde"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
)

// The cost of the mean overlap of four tokens (d = 6, β = 1, T = 1) at depth 4096, in steps,
// against that of plain Monte Carlo with the same scheme and standard error: plain
// coupling is at least 2 times cheaper, the antithetic one with Heun at least 5 times; both
// by the interval of 95 % of the gain that the variances V of the levels and their costs C give,
//
//	V₀ C_4096 / (Σ√(V C))²,
//
// with V₀ that of f at the coarsest level, and by what this run took, which is more by its
// pilot samples.
func TestMultilevelGain(t *testing.T) {
	for _, s := range []struct {
		scheme     sde.Scheme
		depth      int
		antithetic bool
		want       float64
	}{{sde.Euler, 4, false, 2}, {sde.Heun, 8, true, 5}} {
		e := fourTokens(s.scheme, s.depth)
		got, err := e.Estimate(t.Context(), Request{StandardError: 0.006, Finest: 4096, Antithetic: s.antithetic})
		if err != nil {
			t.Fatal(err)
		}
		gain, deviation := gainOf(got)
		t.Logf("%v, antithetic %v: %.4f ± %.4f, gain %.2f ± %.2f, with pilots %.2f; variance %v",
			s.scheme, s.antithetic, got.Value, got.StandardError, gain, deviation, got.PlainCost/got.Cost, got.VarianceDecay)
		for _, l := range got.Levels {
			t.Logf("%+v", l)
		}
		if gain-1.96*deviation < s.want || got.PlainCost/got.Cost < s.want {
			t.Errorf("%v, antithetic %v: gain %.2f ± %.2f, in this run %.2f", s.scheme, s.antithetic, gain, deviation, got.PlainCost/got.Cost)
		}
	}
}

// gainOf is the gain that the variances of the levels give, and its standard error.
func gainOf(m *Estimate) (gain, deviation float64) {
	first, last := m.Levels[0], m.Levels[len(m.Levels)-1]
	plain := first.Variance * first.Cost * float64(last.Depth) / float64(first.Depth)
	sum, square := 0.0, 0.0
	for _, l := range m.Levels {
		sum += math.Sqrt(l.Variance * l.Cost)
	}
	for k, l := range m.Levels {
		relative := -math.Sqrt(l.Variance*l.Cost) / sum // of the gain, for a relative change of V
		if k == 0 {
			relative++
		}
		square += math.Pow(relative*l.VarianceError/l.Variance, 2)
	}
	gain = plain / (sum * sum)
	return gain, gain * math.Sqrt(square)
}

// Of smooth functions and of one with a kink no run in 10 seeds is refused, of functions that
// jump every one.
func TestMultilevelTellsJumps(t *testing.T) {
	for name, c := range map[string]struct {
		function func(x float64) float64
		refused  bool
	}{
		"linear":    {func(x float64) float64 { return x }, false},
		"square":    {func(x float64) float64 { return x * x }, false},
		"kink":      {func(x float64) float64 { return math.Abs(x) }, false},
		"jump":      {func(x float64) float64 { return math.Copysign(1, x-0.3) }, true},
		"rare jump": {func(x float64) float64 { return math.Copysign(1, x+0.6) }, true},
	} {
		wrong := 0
		for seed := range uint64(10) {
			e, _ := brownianToken(t, sde.Euler, 4)
			e.Seed, e.Function = seed, func(x []float64) float64 { return c.function(x[0]) }
			if _, err := e.Estimate(t.Context(), Request{StandardError: 0.02}); (err != nil) != c.refused {
				wrong++
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d seeds of 10 judged wrongly", name, wrong)
		}
	}
}

// The mean of <X_T,X_0> of one token after n steps of Euler is the n-th power of the mean of
// (1+|v|²)^{-1/2}, |v|²/Δt being chi-square of d-1 = 2 degrees of freedom. So the bias at the
// finest level is known: Bias is at least as large in nearly all runs, and Value within two standard
// errors and Bias of the limit. If both are so with a probability of 0.98, the test fails by chance
// with one of 0.02.
func TestMultilevelBias(t *testing.T) {
	for _, depth := range []int{2, 4} {
		covered, value := 0, 0
		const seeds, asked = 20, 0.01
		for seed := range uint64(seeds) {
			e, limit := brownianToken(t, sde.Euler, depth)
			e.Seed = seed
			got, err := e.Estimate(t.Context(), Request{StandardError: asked})
			if err != nil {
				t.Fatal(err)
			}
			finest := float64(got.Levels[len(got.Levels)-1].Depth)
			step := quad.Fixed(func(u float64) float64 { return math.Exp(-u) / math.Sqrt(1+2*u/finest) }, 0, math.Inf(1), 200, nil, 0)
			bias := math.Abs(math.Pow(step, finest/2) - limit)
			if bias <= got.Bias {
				covered++
			}
			if math.Abs(got.Value-limit) <= 2*got.StandardError+got.Bias {
				value++
			}
		}
		t.Logf("depth %d: %d of %d biases covered, %d values", depth, covered, seeds, value)
		if covered < 18 || value < 17 {
			t.Errorf("depth %d: of %d runs Bias is large enough in %d, and with two standard errors in %d", depth, seeds, covered, value)
		}
	}
}
