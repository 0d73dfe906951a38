package weights

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/domaintest"
	"antipode/overlap"

	"gonum.org/v1/gonum/mat"
)

// three are the cosines of three tokens.
var three = [3][3]float64{{1, 0.6, 0}, {0.6, 1, 0.48}, {0, 0.48, 1}}

// sandwich returns MCMᵀ for the cosines C of the three tokens.
func sandwich(m [3][3]float64) (out [3][3]float64) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				for l := range 3 {
					out[i][j] += m[i][k] * three[k][l] * m[j][l]
				}
			}
		}
	}
	return out
}

// Without a random part of the scores, the inner products of tokens after a layer are computed here from the
// definition: x_i becomes x_i + Σ t_h Σ_j w_ij u_j and a random part, where u_j are the normalised tokens, w
// the attention weights of head h, and the random matrix has d(a + (b+c-t²)/d) as the sum of the squares of
// an output per unit of its input. A variance below 0 is 0. Then the MLP adds d c φ̂ of the cosines.
func TestLayerOfTheTheory(t *testing.T) {
	const dim, strength = 10, 0.03
	squares := []float64{1, 4, 0.25}
	head := func(beta, identity, a, b, c float64) (h Head) {
		h.Beta.Value, h.Identity, h.A.Value, h.B.Value, h.C.Value = beta, identity, a, b, c
		return h
	}
	heads := []Head{head(1.5, 0.2, 0.02, 0.01, -0.03), head(0.5, 0.5, 0.001, 0, 0)}
	variances := []float64{10 * (0.02 + (0.01-0.03-0.04)/10), 0}
	phi := func(z float64) float64 { return z * z * z }
	cosines := mat.NewSymDense(3, nil)
	for i := range 3 {
		for j := range 3 {
			cosines.SetSym(i, j, three[i][j])
		}
	}
	for _, layout := range []Layout{{Norm: PreNorm}, {Norm: PreNorm, Causal: true}, {Norm: PostNorm}} {
		size := squares
		if layout.Norm == PostNorm {
			size = []float64{1, 1, 1}
		}
		var kept, want [3][3]float64
		for i := range 3 {
			kept[i][i] = math.Sqrt(size[i])
		}
		for k, h := range heads {
			var w [3][3]float64
			for i := range 3 {
				last, total := 3, 0.0
				if layout.Causal {
					last = i + 1
				}
				for j := range last {
					w[i][j] = math.Exp(h.Beta.Value * three[i][j])
					total += w[i][j]
				}
				for j := range last {
					w[i][j] /= total
					kept[i][j] += h.Identity * w[i][j]
				}
			}
			for i, row := range sandwich(w) {
				for j, x := range row {
					want[i][j] += variances[k] * x
				}
			}
		}
		for i, row := range sandwich(kept) {
			for j, x := range row {
				want[i][j] += x
			}
		}
		s := newStream(cosines, squares, layout, rand.New(rand.NewPCG(1, 1)))
		s.attend(heads, dim)
		compareGram(t, fmt.Sprintf("%+v, attention", layout), s, want, layout.Norm == PostNorm)
		before := s.gram
		var after [3][3]float64
		for i := range 3 {
			for j := range 3 {
				z := before.At(i, j) / math.Sqrt(before.At(i, i)*before.At(j, j))
				after[i][j] = before.At(i, j) + dim*strength*phi(z)
			}
		}
		s.gram = mat.NewSymDense(3, nil)
		s.gram.CopySym(before)
		s.feed(MLP{Strength: strength}, phi, dim)
		compareGram(t, fmt.Sprintf("%+v, MLP", layout), s, after, layout.Norm == PostNorm)
		mean := 0.0
		for _, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
			i, j := pair[0], pair[1]
			mean += after[i][j] / math.Sqrt(after[i][i]*after[j][j]) / 3
		}
		if !(math.Abs(s.mean()-mean) <= 1e-12) {
			t.Errorf("%+v: mean %v, want %v", layout, s.mean(), mean)
		}
	}
}

// compareGram compares the inner products of a stream with those wanted, divided by the norms if the stream
// is normalised.
func compareGram(t *testing.T, what string, s *stream, want [3][3]float64, normalised bool) {
	t.Helper()
	for i := range 3 {
		for j := range 3 {
			x := want[i][j]
			if normalised {
				x /= math.Sqrt(want[i][i] * want[j][j])
			}
			if !(math.Abs(s.gram.At(i, j)-x) <= 1e-12) {
				t.Errorf("%s: product (%d, %d) is %v, want %v", what, i, j, s.gram.At(i, j), x)
			}
		}
	}
}

// The square of a number in an interval lies between those of the ends, or is 0 if the interval contains 0.
func TestSquaresInAnInterval(t *testing.T) {
	for ends, want := range map[[2]float64][2]float64{
		{1, 2}: {1, 4}, {-2, -1}: {1, 4}, {-1, 2}: {0, 4}, {-3, 2}: {0, 9}, {0, 2}: {0, 4}, {-2, 0}: {0, 4},
	} {
		low, high := squareRange(Estimate{Low: ends[0], High: ends[1]})
		if low != want[0] || high != want[1] {
			t.Errorf("%v: from %v to %v", ends, low, high)
		}
	}
	if got := around(3, 0.5, 2); got != (Estimate{3, 2, 4}) {
		t.Errorf("%+v", got)
	}
}

// The ends of the overlap are known up to the limits of the theory, for either sign of β, and with rounded
// invariants moved into its domain. An MLP of which there is no theory hides the ends, but not the critical
// β.
func TestEndsUpToTheLimitsOfTheTheory(t *testing.T) {
	nan, none := math.NaN(), MLP{}
	of := func(a, b, c, beta, spread float64, m MLP, name string) string {
		return fmt.Sprint(ends(7, a, b, c, beta, spread, m, name))
	}
	unknown := fmt.Sprint(unknownEnds)
	for _, a := range []float64{0, -0.02, 1e6, nan} {
		if got := of(a, 0, 0, 1, 0, none, "relu"); got != unknown {
			t.Errorf("a = %v: %s", a, got)
		}
	}
	if got := of(0.02, 0, 0, 1, domaintest.Above(overlap.MaxSpread), none, "relu"); got != unknown {
		t.Errorf("the next spread above the largest: %s", got)
	}
	for _, sign := range []float64{1, -1} {
		if got := of(0.02, 0, 0, sign*domaintest.Above(overlap.MaxBeta), 0, none, "relu"); got != unknown {
			t.Errorf("the next β beyond %v: %s", sign*overlap.MaxBeta, got)
		}
	}
	known := of(domaintest.Below(1e6), 0, 0, overlap.MaxBeta, 0, none, "silu")
	if other := of(0.02, 0, 0, -overlap.MaxBeta, 0, none, "relu"); known != other ||
		known[len(known)-5:] != " 1 1}" {
		t.Errorf("at the limits: %s and %s", known, other)
	}
	got, want := of(0.02, 0.05, 0, 1, 0, none, "relu"), of(0.02, 0.02, 0, 1, 0, none, "relu")
	if got != want {
		t.Errorf("b above a: %s, want %s", got, want)
	}
	got, want = of(0.02, 0, -1, 1, 0, none, "relu"), of(0.02, 0, -0.02/7, 1, 0, none, "relu")
	if got != want {
		t.Errorf("c below its least value: %s, want %s", got, want)
	}
	for name, strength := range map[string]float64{"silu": 0.1, "tanh": 2 * overlap.MaxStrength} {
		e := ends(7, 0.02, 0, 0, 1, 0, MLP{Strength: strength, Variance: 1}, name)
		if math.IsNaN(e.Critical) || !math.IsNaN(e.Plus) || !math.IsNaN(e.Minus) {
			t.Errorf("%s of strength %v: %+v", name, strength, e)
		}
	}
}

// In a gated MLP the variance is that of the gates, not that of the values. An MLP whose outputs are 0 is
// neither odd nor even.
func TestMLPWithAGate(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	const dim, width = 60, 3000
	r := &matrices{up: gaussian(random, width, dim, 0.2), gate: gaussian(random, width, dim, 0.1),
		down: gaussian(random, dim, width, 0.03), mlp: 1}
	got := measureMLP(r, "linear", random)
	// The outputs of the values and of the gates have the variances 0.04d and 0.01d; their product is even.
	const strength = 0.03 * 0.03 * width * (0.04 * dim) * (0.01 * dim) / dim
	if !(math.Abs(got.Strength/strength-1) <= 0.1) || !(math.Abs(got.Variance/(0.01*dim)-1) <= 0.02) ||
		!(math.Abs(got.Odd) <= 1e-12) {
		t.Errorf("%+v, want c %v", got, strength)
	}
	r.down.Zero()
	if got := measureMLP(r, "linear", random); got.Strength != 0 || !math.IsNaN(got.Odd) {
		t.Errorf("without outputs: %+v", got)
	}
}

// The memory of a layer: three copies of four d × hH and three d × w matrices, four matrices of the smaller
// side of an MLP's, and six of a head, in numbers of eight bytes.
func TestMemoryOfALayer(t *testing.T) {
	for width, want := range map[int]float64{
		40: 8 * (3*(4*10*12+3*10*40) + 4*100 + 6*36), 5: 8 * (3*(4*10*12+3*10*5) + 4*25 + 6*36),
	} {
		m := &Model{Dim: 10, Heads: 2, HeadDim: 6, Width: width}
		if got := m.Bytes(); got != want {
			t.Errorf("width %d: %v bytes, want %v", width, got, want)
		}
	}
}
