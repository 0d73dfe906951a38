package propagation

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"antipode/sphere/must"
)

// bert is the block of the paper's Section A.1.
func bert() Block {
	return Block{Beta: 0.02, SigmaV2: 0.2, SigmaW2: 0.2, SigmaB2: 4e-4, AlphaSA: 1, AlphaMLP: 1,
		Tokens: math.Inf(1)}
}

func newMap(t testing.TB, b Block) *Map {
	t.Helper()
	m := must.Get(NewMap(b))(t)
	return m
}

// printedBlock computes one block as printed in Algorithms 1 to 3, for ReLU.
func printedBlock(b Block, q, p float64) (float64, float64) {
	f := func(rho float64) float64 {
		return (math.Sqrt(1-rho*rho) + rho*(math.Pi-math.Acos(rho))) / math.Pi
	}
	mlp := func(q, p float64) (float64, float64) {
		q1, p1 := b.SigmaW2*q+b.SigmaB2, b.SigmaW2*p+b.SigmaB2
		return b.SigmaW2/2*q1 + b.SigmaB2, b.SigmaW2/2*f(p1/q1)*q1 + b.SigmaB2
	}
	y2 := func(q, p float64) float64 { return max(0, 1-math.Sqrt(2/(q*(q-p)))/b.Beta) }
	a2, m2 := b.AlphaSA*b.AlphaSA, b.AlphaMLP*b.AlphaMLP
	switch b.Kind {
	case PreNorm:
		pLN := p / q
		q, p = b.SigmaV2*(pLN+(1-pLN)*y2(1, pLN))+q*a2, b.SigmaV2*pLN+a2*p
		q2, p2 := mlp(1, p/q)
		return q2 + m2*q, p2 + m2*p
	case GainPostNorm:
		q, p = b.SigmaV2*(q-p)*y2(q, p)+a2*q, a2*p
	default:
		q, p = b.SigmaV2*(p+(q-p)*y2(q, p))+q*a2, p*(b.SigmaV2+a2)
	}
	p, q = p/q, 1
	q2, p2 := mlp(q, p)
	q, p = q2+m2*q, p2+m2*p
	return 1, p / q
}

func TestAgainstPrintedAlgorithms(t *testing.T) {
	for _, kind := range []Kind{PostNorm, PreNorm, GainPostNorm} {
		for _, beta := range []float64{0, 0.5, 1.6, 2, 5} {
			for _, start := range []float64{0, 0.1, 0.6} {
				b := bert()
				b.Kind, b.Beta, b.AlphaSA, b.SigmaW2 = kind, beta, 1.3, 0.7
				curve := must.Get(newMap(t, b).Curve(State{1, start}, 60))(t)
				q, p := 1.0, start
				for layer := 1; layer <= 60; layer++ {
					q, p = printedBlock(b, q, p)
					near(t, kind.String()+" Q", curve[layer].Q/q, 1, 1e-12)
					near(t, kind.String()+" P", curve[layer].P/q, p/q, 1e-12)
				}
			}
		}
	}
}

// Result 1 and (11): the Φ_S of B.2.3, ρ/(1+(1-ρ)Y2), has no rank collapse. The residual connection of
// B.5.1 has α²p in the denominator, where it needs α²q: as printed, no strength keeps tokens apart.
func TestAttentionAndResidualConnection(t *testing.T) {
	for _, rho := range []float64{0.05, 0.3, 0.8} {
		a := Attention{Beta: 1.2 * CriticalBeta(1, rho), SigmaV2: 1, Tokens: math.Inf(1)}
		s, _ := a.Step(State{1, rho})
		near(t, "(11)", s.Cosine(), rho/(1-math.Sqrt(2*(1-rho))/a.Beta), 1e-14)
		a.Beta = 0.9 * CriticalBeta(1, rho)
		s, _ = a.Step(State{1, rho})
		near(t, "below β_c", s.Cosine(), 1, 0)
		if printed := rho / (1 + (1-rho)*0); printed == 1 {
			t.Error("the printed Φ_S has a rank collapse")
		}
		const alpha = 3
		kept := s.plus(alpha*alpha, State{1, rho})
		printed := (s.P + alpha*alpha*rho) / (s.Q + alpha*alpha*rho)
		if printed != 1 || kept.Cosine() > 0.95 {
			t.Errorf("ρ = %g: cosine %g, printed %g", rho, kept.Cosine(), printed)
		}
	}
}

// Attention of T tokens, sampled with the covariance (8) of all scores: each row maps the tokens to a
// weighted mean. Three means are compared at 4.5 standard errors, with a false-alarm rate of 1e-5.
func TestFiniteAttentionAgainstSampling(t *testing.T) {
	const tokens, q, p, beta, runs = 12, 1.4, 0.5, 0.9, 6000
	r := rand.New(rand.NewPCG(11, 12))
	overlaps := mat.NewSymDense(tokens, nil)
	for i := range tokens {
		for j := range tokens {
			overlaps.SetSym(i, j, p)
		}
		overlaps.SetSym(i, i, q)
	}
	var root mat.Cholesky
	root.Factorize(overlaps)
	var half mat.TriDense
	root.LTo(&half)
	scale := beta * math.Sqrt(math.Log(tokens))
	for _, gain := range []bool{false, true} {
		next, err := Attention{Beta: beta, SigmaV2: 1, Tokens: tokens, GainControlled: gain}.Step(State{q, p})
		if err != nil {
			t.Fatal(err)
		}
		var sum, square [2]float64
		for range runs {
			noise := mat.NewDense(tokens, tokens, nil)
			for i := range tokens {
				for j := range tokens {
					noise.Set(i, j, scale*r.NormFloat64())
				}
			}
			var scores mat.Dense
			scores.Mul(&half, noise)
			scores.Mul(&scores, half.T())
			var rows [2][]float64
			for k := range rows {
				total := 0.0
				for j := range tokens {
					rows[k] = append(rows[k], math.Exp(scores.At(k, j)))
					total += rows[k][j]
				}
				for j := range rows[k] {
					rows[k][j] /= total
					if gain {
						rows[k][j] -= 1. / tokens
					}
				}
			}
			for k := range rows {
				x := mat.Inner(mat.NewVecDense(tokens, rows[0]), overlaps, mat.NewVecDense(tokens, rows[k]))
				sum[k], square[k] = sum[k]+x, square[k]+x*x
			}
		}
		for k, want := range []float64{next.Q, next.P} {
			mean := sum[k] / runs
			near(t, []string{"Q", "P"}[k], mean, want, 4.5*math.Sqrt((square[k]/runs-mean*mean)/runs))
		}
	}
}

// A real network of finite width, with matrices and tokens, agrees with the map. Its own fluctuations are
// of order 1/d = 1/256; 4.5 standard errors plus that much are allowed.
func TestBlockAgainstNetwork(t *testing.T) {
	const dim, tokens, runs, rho = 256, 16, 24, 0.25
	b := bert()
	b.Beta, b.SigmaV2, b.SigmaW2, b.SigmaB2, b.Activation, b.Tokens = 0.8, 0.9, 1.5, 0.1, Tanh, tokens
	want := must.Get(newMap(t, b).Step(State{1, rho}))(t)
	r := rand.New(rand.NewPCG(13, 14))
	matrix := func(rows, columns int, variance float64) *mat.Dense {
		m := mat.NewDense(rows, columns, nil)
		for i := range m.RawMatrix().Data {
			m.RawMatrix().Data[i] = math.Sqrt(variance) * r.NormFloat64()
		}
		return m
	}
	normalizeRows := func(x *mat.Dense) {
		for i := range tokens {
			row := mat.NewVecDense(dim, x.RawRowView(i))
			row.ScaleVec(math.Sqrt(dim)/mat.Norm(row, 2), row)
		}
	}
	sum, square := 0.0, 0.0
	for range runs {
		x := matrix(tokens, dim, 1)
		var orthogonal mat.QR // tokens with exactly this geometry, by the Gram-Schmidt method
		orthogonal.Factorize(x.T())
		var basis mat.Dense
		orthogonal.QTo(&basis)
		for i := range tokens {
			for k := range dim {
				x.Set(i, k, math.Sqrt(dim)*(math.Sqrt(1-rho)*basis.At(k, i)+math.Sqrt(rho)*basis.At(k,
					tokens)))
			}
		}
		var queries, keys, scores, values, out mat.Dense
		qk := b.Beta * math.Sqrt(math.Log(tokens)) / dim
		queries.Mul(x, matrix(dim, dim, qk))
		keys.Mul(x, matrix(dim, dim, qk))
		scores.Mul(&queries, keys.T())
		for i := range tokens {
			row, total := scores.RawRowView(i), 0.0
			for j := range row {
				row[j] = math.Exp(row[j] / math.Sqrt(dim))
				total += row[j]
			}
			for j := range row {
				row[j] /= total
			}
		}
		values.Mul(x, matrix(dim, dim, b.SigmaV2/dim))
		out.Mul(&scores, &values)
		out.Add(&out, x) // α = 1
		normalizeRows(&out)
		var hidden, second mat.Dense
		bias1, bias2 := matrix(1, dim, b.SigmaB2), matrix(1, dim, b.SigmaB2)
		hidden.Mul(&out, matrix(dim, dim, b.SigmaW2/dim))
		hidden.Apply(func(_, k int, v float64) float64 { return math.Tanh(v + bias1.At(0, k)) }, &hidden)
		second.Mul(&hidden, matrix(dim, dim, b.SigmaW2/dim))
		second.Apply(func(_, k int, v float64) float64 { return v + bias2.At(0, k) }, &second)
		second.Add(&second, &out)
		normalizeRows(&second)
		cosine, n := 0.0, 0.0
		for i := range tokens {
			for j := range i {
				cosine += mat.Dot(second.RowView(i), second.RowView(j)) / dim
				n++
			}
		}
		sum, square = sum+cosine/n, square+cosine*cosine/(n*n)
	}
	mean := sum / runs
	stderr := math.Sqrt((square/runs - mean*mean) / (runs - 1))
	t.Logf("network %.4f ± %.4f, map %.4f", mean, stderr, want.Cosine())
	near(t, "cosine", mean, want.Cosine(), 4.5*stderr+1./dim)
}

func drawBlock(t *rapid.T) Block {
	size := rapid.OneOf(rapid.Float64Range(0, 4), rapid.SampledFrom([]float64{0, 1e-12, 1, 1e3}))
	return Block{
		Kind:       Kind(rapid.IntRange(0, 3).Draw(t, "kind")),
		Activation: Activation(rapid.IntRange(0, 3).Draw(t, "activation")),
		Beta:       size.Draw(t, "beta"), SigmaV2: size.Draw(t, "v"), SigmaW2: size.Draw(t, "w"),
		SigmaB2: size.Draw(t, "b"),
		AlphaSA: size.Draw(t, "sa"), AlphaMLP: size.Draw(t, "mlp"), Tokens: math.Inf(1),
	}
}

// Every block maps every geometry to a geometry, or returns an error.
func TestMapsStayInTheDomain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBlock(t)
		m := must.Get(NewMap(b))(t)
		rho := rapid.OneOf(rapid.Float64Range(0, 1),
			rapid.SampledFrom([]float64{0, 1e-300, 1 - 0x1p-53, 1})).Draw(t, "rho")
		s := State{1, rho}
		for range 60 {
			next, err := m.Step(s)
			if errors.Is(err, ErrVanished) || errors.Is(err, errOverflow) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !(next.Q > 0 && next.P >= 0 && next.P <= next.Q) || next.Q > math.MaxFloat64 ||
				!b.Kind.preNorm() && next.Q != 1 {
				t.Fatalf("%+v: from %v to %v", b, s, next)
			}
			s = next
		}
	})
}

// Coinciding tokens stay so, also for finite T.
func TestAlikeTokensStayAlike(t *testing.T) {
	for kind := range KindNames {
		for _, tokens := range []float64{math.Inf(1), 50} {
			b := bert()
			b.Kind, b.Tokens = Kind(kind), tokens
			s, err := newMap(t, b).Step(State{1, 1})
			if err != nil || !(math.Abs(s.Cosine()-1) <= 1e-14) {
				t.Errorf("%v, T = %g: %v, %v", Kind(kind), tokens, s, err)
			}
		}
	}
}

// With many tokens, finite sequences follow the limit below half of β_c.
func TestFiniteCurvesTendToLimit(t *testing.T) {
	b := bert()
	b.Beta = 0.4
	limit, _ := newMap(t, b).Curve(State{1, 0.1}, 8)
	before := math.Inf(1)
	for _, tokens := range []float64{1e2, 1e4, 1e6} {
		b.Tokens = tokens
		curve := must.Get(newMap(t, b).Curve(State{1, 0.1}, 8))(t)
		distance := math.Abs(curve[8].P - limit[8].P)
		if distance > before/20 {
			t.Errorf("T = %g: %g from the limit, before %g", tokens, distance, before)
		}
		before = distance
	}
}

func TestBlockErrors(t *testing.T) {
	for _, change := range []func(*Block){
		func(b *Block) { b.Beta = -1 }, func(b *Block) { b.Beta = math.Inf(1) },
		func(b *Block) { b.Beta = math.NaN() },
		func(b *Block) { b.SigmaV2 = -1 }, func(b *Block) { b.SigmaW2 = math.NaN() },
		func(b *Block) { b.SigmaB2 = 2e6 },
		func(b *Block) { b.AlphaSA = -1 }, func(b *Block) { b.AlphaMLP = 1e4 },
		func(b *Block) { b.Tokens = 1 },
		func(b *Block) { b.Tokens = math.NaN() }, func(b *Block) { b.Kind = 4 },
		func(b *Block) { b.Activation = -1 },
	} {
		b := bert()
		change(&b)
		if _, err := NewMap(b); err == nil {
			t.Errorf("%+v is accepted", b)
		}
	}
	m := newMap(t, bert())
	for _, s := range []State{{0, 0}, {1, 1.1}, {1, -0.1}, {math.NaN(), 0}, {1, math.NaN()},
		{math.Inf(1), 0}} {
		if _, err := m.Curve(s, 3); err == nil {
			t.Errorf("%v is accepted", s)
		}
	}
	if _, err := m.Curve(State{1, 0}, -1); err == nil {
		t.Error("-1 layers are accepted")
	}
	b := bert()
	b.AlphaSA = 0
	if _, err := newMap(t, b).Curve(State{1, 0}, 3); !errors.Is(err, ErrVanished) {
		t.Errorf("without residual connection: %v", err)
	}
	b = bert()
	b.Kind, b.AlphaSA = PreNorm, 1e3
	if _, err := newMap(t, b).Curve(State{1, 0}, 1000); !errors.Is(err, errOverflow) {
		t.Errorf("a growing norm: %v", err)
	}
	signal, err := newMap(t, b).Signal(State{1, 0.3}, 1000)
	if few, _ := newMap(t, b).Signal(State{1, 0.3}, 40); err != nil || !(few.Cosine > 0.3) ||
		math.Abs(signal.Cosine-few.Cosine) > 1e-4 {
		t.Errorf("cosine %v before the norm overflows, %v after 40 layers, %v", signal.Cosine, few.Cosine,
			err)
	}
}

// A curve of 60 layers takes less than a millisecond, with every activation.
func BenchmarkCurve60(b *testing.B) {
	for _, a := range activations {
		b.Run(a.String(), func(b *testing.B) {
			block := bert()
			block.Activation = a
			for b.Loop() {
				m, _ := NewMap(block)
				m.Curve(State{1, 0.1}, 60)
			}
		})
	}
}
