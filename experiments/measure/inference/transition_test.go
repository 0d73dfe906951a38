package inference

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"antipode/sphere/must"
)

// steps returns the transitions of a chain with several tokens, and the noise of each pair of tokens at the
// true parameters.
func steps(t *testing.T) (*Data, [][]noise, chain) {
	t.Helper()
	c := chain{tokens: 6, dim: 5, depth: 4, sequences: 3, sigma2: 0.03, beta: 1.3, c: 0.01,
		correlation: correlationOf("tanh", 2)}
	d := c.data(rand.New(rand.NewPCG(11, 12)))
	var all [][]noise
	for k := range d.transitions {
		to := make([]noise, mostPairs)
		attention(c.correlation)(&d.transitions[k], []float64{c.sigma2, c.beta, c.c}, to)
		all = append(all, to)
	}
	return d, all, c
}

// The determinant, which is computed from the sum and the difference of two tokens, is the determinant of κ.
func TestDeterminant(t *testing.T) {
	d, all, _ := steps(t)
	for k, transition := range d.transitions {
		for p := range transition.pairs {
			n := all[k][p]
			if want := n.first*n.second - n.both*n.both; !(math.Abs(n.determinant/want-1) <= 1e-9) {
				t.Errorf("determinant %v, want %v", n.determinant, want)
			}
		}
	}
}

// The logarithm of the density, by Laplace's method, agrees with a sum over both lengths to 0.002, up to one
// constant.
func TestDensityBesideASum(t *testing.T) {
	d, all, c := steps(t)
	constant, count := math.NaN(), 0
	for k, transition := range d.transitions {
		for p := range transition.pairs {
			one := &transition.pairs[p]
			n := all[k][p]
			kappa := mat.NewDense(2, 2, []float64{n.first, n.both, n.both, n.second})
			var inverse mat.Dense
			must.Do(t, inverse.Inverse(kappa))
			total := 0.
			for i := range 300 {
				for j := range 300 {
					r1, r2 := (float64(i)+0.5)/100, (float64(j)+0.5)/100
					square := inverse.At(0, 0)*(r1*r1-2*r1*one.first+1) +
						inverse.At(1, 1)*(r2*r2-2*r2*one.second+1) +
						2*inverse.At(0, 1)*(r1*r2*one.after-r1*one.secondI-r2*one.firstJ+one.before)
					total += math.Pow(r1*r2, float64(c.dim-1)) * math.Exp(-square/2)
				}
			}
			want := math.Log(total) - float64(c.dim)/2*math.Log(mat.Det(kappa))
			got := one.logDensity(n, c.dim)
			if math.IsNaN(constant) {
				constant = got - want
			}
			count++
			if !(math.Abs(got-want-constant) <= 0.002) {
				t.Errorf("density %.5f, want %.5f", got, want+constant)
			}
		}
	}
	if count < 20 {
		t.Errorf("%d pairs", count)
	}
}

// Of many tokens, the pairs that are used are eight, and no two share a token.
func TestPairsOfManyTokens(t *testing.T) {
	for tokens, want := range map[int]int{15: 7, 16: 8, 17: 8, 18: 8, 50: 8} {
		c := chain{tokens: tokens, dim: 6, depth: 1, sequences: 1, sigma2: 0.03, beta: 1.3, c: 0.01,
			correlation: correlationOf("tanh", 2)}
		d := c.data(rand.New(rand.NewPCG(13, 14)))
		used := map[int]bool{}
		for _, p := range d.transitions[0].pairs {
			used[p.i], used[p.j] = true, true
		}
		if got := len(d.transitions[0].pairs); got != want || len(used) != 2*want {
			t.Errorf("%d tokens: %d pairs of %d tokens, want %d", tokens, got, len(used), want)
		}
	}
}
