//go:build long

package sde

import (
	"math"
	"testing"
)

// The cost of the mean overlap of four tokens (d = 6, β = 1, T = 1) at depth 4096, in steps,
// against that of plain Monte Carlo with the same scheme and standard error: plain
// coupling is at least 2 times cheaper, the antithetic one with Heun at least 5 times. The
// gain follows from the variances V of the levels, C their costs:
//
//	V₀ C_4096 / (Σ√(V C))²,
//
// with V₀ that of f at the coarsest level. Its interval (4 standard errors: false alarm 3e-5 a
// side) is that of the variances; the run itself gains less by its pilot samples, which
// are the smaller a part the smaller the standard error.
func TestMultilevelGain(t *testing.T) {
	for _, s := range []struct {
		scheme          Scheme
		antithetic      bool
		expected, least float64
	}{{Euler, false, 2, 1.7}, {Heun, false, 2, 1.7}, {Heun, true, 5, 5}} {
		e := fourTokens(s.scheme, 8)
		got, err := e.Multilevel(t.Context(), Multilevel{StandardError: 0.006, Finest: 4096, Antithetic: s.antithetic})
		if err != nil {
			t.Fatal(err)
		}
		gain, deviation := gainOf(got)
		t.Logf("%v, antithetic %v: %.4f ± %.4f, gain %.2f ± %.2f, with pilots %.2f; variance %v",
			s.scheme, s.antithetic, got.Value, got.StandardError, gain, deviation, got.PlainCost/got.Cost, got.VarianceDecay)
		for _, l := range got.Levels {
			t.Logf("%+v", l)
		}
		if gain+4*deviation < s.expected || got.PlainCost/got.Cost < s.least {
			t.Errorf("%v, antithetic %v: gain %.2f ± %.2f, in this run %.2f", s.scheme, s.antithetic, gain, deviation, got.PlainCost/got.Cost)
		}
	}
}

// gainOf is the gain that the variances of the levels give, and its standard error.
func gainOf(m *MultilevelEstimate) (gain, deviation float64) {
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
