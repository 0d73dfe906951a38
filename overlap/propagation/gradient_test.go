package propagation

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"antipode/sphere/must"
)

// bracket is the corrected bracket of Result 2 divided by (q-p)², and printed is the paper's.
func bracket(r Row) float64 { return r.Y2 - 2*r.Y3 + r.Y2Squared }
func printed(r Row, q, p float64) float64 {
	return ((q-p)*(r.Y2-2*r.Y3) + p*r.Y2Squared) / (q - p)
}

// The bracket is tr(D Q D Q), computed with the matrices themselves for any row; this is a squared norm.
func TestBracketIsATrace(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	const n = 9
	for _, p := range []float64{0, 0.2, 0.7} {
		weights, total := make([]float64, n), 0.0
		for i := range weights {
			weights[i] = math.Exp(2 * r.NormFloat64())
			total += weights[i]
		}
		d, q := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		for i := range weights {
			weights[i] /= total
		}
		for i := range n {
			for j := range n {
				d.Set(i, j, -weights[i]*weights[j])
				q.Set(i, j, p)
			}
			d.Set(i, i, weights[i]*(1-weights[i]))
			q.Set(i, i, 1)
		}
		var product mat.Dense
		product.Product(d, q, d, q)
		row := of(weights)
		near(t, "tr(DQDQ)", (1-p)*(1-p)*bracket(row), mat.Trace(&product), 1e-14)
		if p < 0.5 && math.Abs((1-p)*(1-p)*printed(row, 1, p)-mat.Trace(&product)) < 1e-3 {
			t.Errorf("p = %g: the printed bracket is right", p)
		}
	}
}

// As printed, the bracket is negative for p < q/2 and a β beyond β_c, which is impossible for a squared
// norm. The corrected bracket is m(1-m)/3, which is positive for β_c < β < ∞ and vanishes at both limits.
func TestResult2(t *testing.T) {
	for _, p := range []float64{0, 0.1, 0.3, 0.45} {
		s, negative := State{1, p}, false
		for _, m := range []float64{0.01, 0.1, 0.3, 0.5, 0.9, 0.999} {
			a := Attention{Beta: CriticalBeta(1, p) / m, SigmaV2: 0.7}
			row := LimitRow(m)
			near(t, "bracket", bracket(row), m*(1-m)/3, 1e-15)
			want := a.Beta * 0.7 * (1 - p) * (1 - p) * m * (1 - m) / 3
			near(t, "query gradient", QueryGradient(a, s, row), want, 1e-13*a.Beta)
			negative = negative || printed(row, 1, p) < 0
		}
		if !negative {
			t.Errorf("p = %g: the printed bracket is nowhere negative", p)
		}
	}
	for _, m := range []float64{1, 1.5, math.Inf(1)} {
		near(t, "spread", bracket(LimitRow(m)), 0, 0)
	}
	near(t, "cold", bracket(LimitRow(1e-9)), 0, 1e-9)
}

// The derivatives themselves, for matrices of dimension 128 and 8 tokens, averaged over 40 networks,
// agree within 4.5 standard errors plus 3 % for the finite dimension.
func TestGradientsAgainstNetwork(t *testing.T) {
	const dim, tokens, runs, rho, beta, v2 = 128, 8, 40, 0.3, 1.2, 0.8
	r := rand.New(rand.NewPCG(19, 20))
	row := must.Get(FiniteRow(tokens, ScoreDeviation(beta, tokens, 1, rho)))(t)
	s, a := State{1, rho}, Attention{Beta: beta, SigmaV2: v2}
	qk := beta * math.Sqrt(math.Log(tokens)) / dim
	var sum, square [2]float64
	for range runs {
		random := func(variance float64) *mat.Dense {
			m := mat.NewDense(dim, dim, nil)
			for i := range m.RawMatrix().Data {
				m.RawMatrix().Data[i] = math.Sqrt(variance) * r.NormFloat64()
			}
			return m
		}
		x := mat.NewDense(tokens, dim, nil)
		for i := range tokens { // orthonormal directions plus a common direction
			x.Set(i, i, math.Sqrt(dim*(1-rho)))
			x.Set(i, tokens, math.Sqrt(dim*rho))
		}
		var queries, keys, values, scores mat.Dense
		queries.Mul(x, random(qk))
		keys.Mul(x, random(qk))
		values.Mul(x, random(v2/dim))
		scores.Mul(&queries, keys.T())
		var keyGram, valueGram mat.Dense
		keyGram.Mul(&keys, keys.T())
		valueGram.Mul(&values, values.T())
		var norms [2]float64 // squared norms of the derivatives, divided by d²T
		for i := range tokens {
			weights, total := scores.RawRowView(i), 0.0
			for j := range weights {
				weights[j] = math.Exp(weights[j] / math.Sqrt(dim))
				total += weights[j]
			}
			d := mat.NewDense(tokens, tokens, nil)
			for j := range weights {
				weights[j] /= total
			}
			for j := range tokens {
				for k := range tokens {
					d.Set(j, k, -weights[j]*weights[k])
				}
				d.Set(j, j, weights[j]*(1-weights[j]))
			}
			// ∂S_ic/∂(W_Q)_ab = Σ_jl X_ia D_jl V_jc K_lb/√d, and |X_i|² = d.
			var product mat.Dense
			product.Product(d, &keyGram, d, &valueGram)
			norms[0] += mat.Trace(&product) / (dim * dim * tokens)
			attended := mat.NewVecDense(dim, nil)
			attended.MulVec(x.T(), mat.NewVecDense(tokens, weights))
			norms[1] += mat.Dot(attended, attended) / (dim * tokens)
		}
		for k, n := range norms {
			sum[k], square[k] = sum[k]+n, square[k]+n*n
		}
	}
	for k, want := range []float64{QueryGradient(a, s, row) * math.Sqrt(math.Log(tokens)),
		ValueGradient(s, row)} {
		mean := sum[k] / runs
		stderr := math.Sqrt((square[k]/runs - mean*mean) / (runs - 1))
		t.Logf("%s: %.5f ± %.5f, theory %.5f", []string{"query", "value"}[k], mean, stderr, want)
		near(t, "gradient", mean, want, 4.5*stderr+0.03*want)
	}
}
