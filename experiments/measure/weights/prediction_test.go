package weights

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"antipode/internal/longtest"
	"antipode/overlap"
)

// The theory agrees with the mean over random networks, with either place of the norm, with a causal mask or
// without, with a multiple of the identity in W_O W_V and with random scores. There are 40 networks of d =
// 150, 6 tokens and 8 layers, whose MLP gives different tokens independent outputs. The mean cosines have
// standard errors below 0.004; the remaining difference is of order 1/d.
func TestPredictionBesideNetworks(t *testing.T) {
	longtest.Only(t)
	const dim, tokens, layers, networks = 150, 6, 8, 40
	for _, layout := range []Layout{{Norm: PostNorm}, {Norm: PreNorm, Causal: true}} {
		head := Head{Scores: Scores{Beta: Estimate{Value: 1.5}, Spread: Estimate{Value: 0.8}}}
		head.Identity, head.A.Value = 0.07, 0.25/dim
		// The variance of the rest is A - t²/d + c/d.
		head.C.Value = head.Identity * head.Identity
		// The correlation of the MLP's outputs is 1 at overlap 1, and 0 below.
		mlp, nothing := MLP{Strength: 0.1 / dim}, func(z float64) float64 { return math.Floor(z) }
		theory, measured := make([]float64, layers), make([]float64, layers)
		random := rand.New(rand.NewPCG(6, 6))
		for range networks {
			x := gaussian(random, tokens, dim, 1)
			for i := range tokens { // so that tokens have cosines of about 0.3
				for j := range dim {
					x.Set(i, j, math.Sqrt(0.7)*x.At(i, j)+math.Sqrt(0.3)*math.Sin(float64(j+1))*math.Sqrt2)
				}
			}
			s := streamOf(x, layout, random)
			for layer := range layers {
				s.attend([]Head{head}, dim)
				s.feed(mlp, nothing, dim)
				pass(x, layout, head, mlp, random)
				theory[layer] += s.mean() / networks
				measured[layer] += streamOf(x, layout, random).mean() / networks
			}
		}
		t.Logf("%s: theory %.3f, measured %.3f", layout.Norm, theory, measured)
		for layer := range layers {
			if !(math.Abs(theory[layer]-measured[layer]) <= 0.02) {
				t.Errorf("%s, layer %d: theory %.4f, measured %.4f", layout.Norm, layer, theory[layer],
					measured[layer])
			}
		}
	}
}

// streamOf returns the state from which the theory starts, for the given tokens.
func streamOf(x *mat.Dense, layout Layout, random *rand.Rand) *stream {
	tokens, dim := x.Dims()
	gram := mat.NewSymDense(tokens, nil)
	gram.SymOuterK(1/float64(dim), x)
	s := &stream{gram: gram, post: layout.Norm == PostNorm, causal: layout.Causal, random: random}
	squares := make([]float64, tokens)
	for i := range squares {
		squares[i] = gram.At(i, i)
	}
	return newStream(s.cosines(), squares, layout, random)
}

// pass passes tokens through one layer of random matrices.
func pass(x *mat.Dense, layout Layout, head Head, mlp MLP, random *rand.Rand) {
	tokens, dim := x.Dims()
	unit := func() *mat.Dense {
		u := mat.DenseCopyOf(x)
		for i := range tokens {
			norm := mat.Norm(x.RowView(i), 2) / math.Sqrt(float64(dim))
			for j := range dim {
				u.Set(i, j, x.At(i, j)/norm)
			}
		}
		return u
	}
	post := func() {
		if layout.Norm == PostNorm {
			x.Copy(unit())
		}
	}
	post()
	u := unit()
	scores := gaussian(random, dim, dim, head.Spread.Value/float64(dim))
	for i := range dim {
		scores.Set(i, i, scores.At(i, i)+head.Beta.Value/float64(dim))
	}
	var left, weights, attended, moved mat.Dense
	left.Mul(u, scores)
	weights.Mul(&left, u.T())
	for i := range tokens {
		row, total := weights.RawRowView(i), 0.
		for j := range row {
			if row[j] = math.Exp(row[j]); layout.Causal && j > i {
				row[j] = 0
			}
			total += row[j]
		}
		for j := range row {
			row[j] /= total
		}
	}
	attended.Mul(&weights, u)
	values := gaussian(random, dim, dim, math.Sqrt(head.A.Value))
	for i := range dim {
		values.Set(i, i, values.At(i, i)+head.Identity)
	}
	moved.Mul(&attended, values)
	x.Add(x, &moved)
	post()
	x.Add(x, gaussian(random, tokens, dim, math.Sqrt(mlp.Strength*float64(dim))))
	post()
}

// Without an MLP and without random scores, the boundary is that of Theorem 2, cosh 2β = d-2; opposite tokens
// attract each other above it and not below. An MLP of ReLU makes opposite tokens come apart.
func TestEndsAreThoseOfTheTheory(t *testing.T) {
	want, _ := overlap.CriticalBeta(7)
	for beta, minus := range map[float64]float64{0.9 * want: 0, 1.1 * want: 1} {
		e := ends(7, 0.02, 0, 0, beta, 0, MLP{}, "relu")
		if !(math.Abs(e.Critical-want) <= 1e-6) || e.Minus != minus || e.Plus != 1 {
			t.Errorf("β = %v: %+v, want β_c %v, -1 %v", beta, e, want, minus)
		}
	}
	if e := ends(7, 0.02, 0, 0, 2*want, 0, MLP{Strength: 0.01, Variance: 1}, "relu"); e.Minus != 0 ||
		e.Plus != 1 {
		t.Errorf("beside ReLU: %+v; no two tokens stay opposite", e)
	}
}
