package stack

import (
	"math"
	"testing"

	"antipode/overlap/propagation"
)

// causalCosines are mean cosines of all, of the first and of the last tokens after each of six post-norm
// layers of causal attention with equal weights, by the geometry of all pairs.
func causalCosines(t *testing.T, s Architecture, ends int) (all []Cosines) {
	t.Helper()
	n := s.Tokens
	q := make([]float64, n*n)
	normalise := func() {
		square := make([]float64, n)
		for i := range n {
			square[i] = q[i*n+i]
		}
		for k := range q {
			q[k] /= math.Sqrt(square[k/n] * square[k%n])
		}
	}
	mean := func(from, to int) float64 {
		sum, pairs := 0.0, 0.0
		for i := from; i < to; i++ {
			for j := from; j < i; j++ {
				sum, pairs = sum+q[i*n+j], pairs+1
			}
		}
		return sum / pairs
	}
	for k := range q {
		if q[k] = s.Input.Cosine; k%(n+1) == 0 {
			q[k] = 1
		}
	}
	for layer := range s.Layers + 1 {
		all = append(all, Cosines{mean(0, n), mean(0, ends), mean(n-ends, n)})
		if layer == s.Layers {
			break
		}
		attended, err := propagation.UniformCausal(q, n, s.Value2*s.Projection2)
		if err != nil {
			t.Fatal(err)
		}
		for k := range q {
			q[k] = s.SkipSA*s.SkipSA*q[k] + s.BranchSA*s.BranchSA*attended[k]
		}
		normalise()
		hidden := s.Hidden2 + s.Bias2
		for k, rho := range q {
			kernel := propagation.ReLU.Kernel(hidden, min(hidden, s.Hidden2*rho+s.Bias2))
			q[k] = s.SkipMLP*s.SkipMLP*rho + s.BranchMLP*s.BranchMLP*(s.Output2*kernel+s.Bias2)
		}
		normalise()
	}
	return all
}

// Cosines of causal tokens are those of the geometry of all pairs, for the first tokens exactly; the MLP has
// biases, and attention none.
func TestCosinesOfCausalTokens(t *testing.T) {
	for tokens, tolerance := range map[int]float64{11: 1e-12, 200: 2e-4} {
		s := usual()
		s.Causal, s.Tokens, s.QueryKey2, s.Bias2, s.AttentionUnbiased = true, tokens, 0, 0.07, true
		ends := tokens / 4
		want := causalCosines(t, s, ends)
		got, err := must(t, s).Cosines(ends)
		if err != nil || len(got) != len(want) {
			t.Fatal(len(got), err)
		}
		for l, w := range want {
			for _, pair := range [][2]float64{{got[l].All, w.All}, {got[l].First, w.First},
				{got[l].Last, w.Last}} {
				if !(math.Abs(pair[0]-pair[1]) <= tolerance) {
					t.Errorf("%d tokens, layer %d: %+v, want %+v", tokens, l, got[l], w)
				}
			}
		}
	}
}

// So few tokens that there is no pair, and more than there are, are refused.
func TestEndsOfASequence(t *testing.T) {
	k := must(t, usual())
	for _, ends := range []int{-1, 1, 12} {
		if _, err := k.Cosines(ends); err == nil {
			t.Errorf("%d tokens", ends)
		}
	}
	all, err := k.Cosines(11)
	if err != nil || len(all) != 6 || all[5].First != all[5].All || all[5].Last != all[5].All {
		t.Errorf("%+v %v", all, err)
	}
}
