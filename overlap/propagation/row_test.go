package propagation

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap/internal/special"
	"antipode/sphere/must"

	"pgregory.net/rapid"
)

func finiteRow(t testing.TB, tokens, deviation float64) Row {
	t.Helper()
	row := must.Get(FiniteRow(tokens, deviation))(t)
	return row
}

// of returns the statistics of a single row of weights.
func of(weights []float64) (r Row) {
	for _, w := range weights {
		r.Y2 += w * w
		r.Y3 += w * w * w
		if w > 0 {
			r.Entropy -= w * math.Log(w)
		}
	}
	r.Y2Squared = r.Y2 * r.Y2
	return r
}

func (r Row) list() [4]float64 { return [4]float64{r.Y2, r.Y3, r.Y2Squared, r.Entropy} }

var names = [4]string{"Y2", "Y3", "E(Y2)²", "entropy"}

// Two tokens: a single integral over the difference of two scores.
func TestTwoTokens(t *testing.T) {
	for _, s := range []float64{0, 1e-3, 0.1, 0.39, 0.41, 1, 3, 10, 40} {
		row := finiteRow(t, 2, s).list()
		for i, name := range names {
			want := overNormal(0.2/max(1, s), func(z float64) float64 {
				e := math.Exp(-math.Sqrt2 * s * z)
				return of([]float64{1 / (1 + e), e / (1 + e)}).list()[i]
			})
			near(t, name, row[i], want, 1e-12)
		}
	}
}

// The Poisson-Dirichlet law: its mean measure has the density w^(-1-m) (1-w)^(m-1) / Γ(m)Γ(1-m), here
// with w = 1/(1+exp(-π sinh x)).
func TestLimitRowAgainstItsDensity(t *testing.T) {
	for _, m := range []float64{0.1, 0.3, 0.5, 0.8, 0.9} {
		constant := math.Gamma(m) * math.Gamma(1-m)
		var got [4]float64
		const h = 1. / 64
		for k := -400; k <= 400; k++ {
			x := h * float64(k)
			y := math.Pi * math.Sinh(x)
			w, rest := 1/(1+math.Exp(-y)), 1/(1+math.Exp(y))
			if w == 0 || rest == 0 {
				continue
			}
			density := math.Pow(w, -m) * math.Pow(rest, m) / constant * math.Pi * math.Cosh(x) * h
			logarithm := math.Log(w)
			if w > 0.5 {
				logarithm = math.Log1p(-rest)
			}
			for i, f := range []float64{w * w, w * w * w, 0, -w * logarithm} {
				got[i] += f * density
			}
		}
		want := LimitRow(m).list()
		for _, i := range []int{0, 1, 3} {
			near(t, names[i], want[i], got[i], 1e-10)
		}
	}
}

// Finite rows tend to the limit. At a fixed product m of the scores' standard deviation and the decay
// rate of their tail at the largest of T scores, the distance falls like 1/log T. Two extrapolations in
// 1/log T come within 1e-3 of the limit.
func TestFiniteRowTendsToLimit(t *testing.T) {
	for _, m := range []float64{0.4, 0.7} {
		limit := LimitRow(m).list()
		var rows [3][4]float64
		for k, exponent := range []float64{15, 30, 60} {
			g := largest(exponent * math.Ln10)
			rows[k] = finiteRow(t, math.Pow(10, exponent), g/m).list()
		}
		for i, name := range names {
			first, second := 2*rows[1][i]-rows[0][i], 2*rows[2][i]-rows[1][i]
			value := (4*second - first) / 3
			t.Logf("m = %g, %s: T = 1e15 %.6f, 1e30 %.6f, 1e60 %.6f; extrapolated %.6f, limit %.6f", m, name,
				rows[0][i], rows[1][i], rows[2][i], value, limit[i])
			near(t, name, value, limit[i], 1e-3*max(1, limit[i]))
		}
	}
}

// largest solves P(g > x) = 1/T for a normal g, given log T.
func largest(log float64) float64 {
	x := math.Sqrt(2 * log)
	for range 50 {
		x = math.Sqrt(2 * (log - math.Log(x) - 0.5*math.Log(2*math.Pi) - math.Log1p(1/(x*x))))
	}
	return x
}

// Direct sampling of the random energy model. None of 6·4 means should be off by 4.5 standard errors; the
// false-alarm rate is below 1e-3. From T = 10³ to 10⁶ the limit is approached, but slowly;
// TestFiniteRowTendsToLimit continues from there.
func TestFiniteRowAgainstSampling(t *testing.T) {
	longtest.Only(t)
	r := rand.New(rand.NewPCG(15, 16))
	for _, c := range []struct {
		beta         float64
		tokens, rows int
	}{{1, 1e3, 4000}, {1, 1e4, 500}, {2.5, 1e3, 1500}, {2.5, 1e4, 200}, {2.5, 1e5, 60}, {2.5, 1e6, 30}} {
		s := ScoreDeviation(c.beta, float64(c.tokens), 1, 0)
		want, limit := finiteRow(t, float64(c.tokens), s).list(), LimitRow(math.Sqrt2/c.beta).list()
		var sum, square [4]float64
		for range c.rows {
			for i, x := range sampledRow(r, c.tokens, s).list() {
				sum[i] += x
				square[i] += x * x
			}
		}
		n := float64(c.rows)
		for i, name := range names {
			mean := sum[i] / n
			stderr := math.Sqrt((square[i]/n - mean*mean) / (n - 1))
			t.Logf("β = %g, T = %d, %s: %.5f ± %.5f sampled, %.5f exact, %.5f in the limit", c.beta, c.tokens,
				name, mean, stderr, want[i], limit[i])
			near(t, name, mean, want[i], 4.5*stderr)
		}
	}
}

// sampledRow returns the statistics of a random row with independent normal scores.
func sampledRow(r *rand.Rand, tokens int, s float64) (row Row) {
	var z, z2, z3, energy float64
	for range tokens {
		a := s * r.NormFloat64()
		e := math.Exp(a)
		z, z2, z3, energy = z+e, z2+e*e, z3+e*e*e, energy+a*e
	}
	row.Y2, row.Y3 = z2/(z*z), z3/(z*z*z)
	row.Y2Squared, row.Entropy = row.Y2*row.Y2, math.Log(z)-energy/z
	return row
}

// The order of E Y2 below β_c: the printed exponent b² - 1, which is that of e^(-entropy), fails.
func TestMomentExponent(t *testing.T) {
	for _, b := range []float64{0.2, 0.4, 0.55, 0.7, 0.85} {
		beta := b * math.Sqrt2
		y := func(tokens float64) float64 {
			return math.Log(finiteRow(t, tokens, ScoreDeviation(beta, tokens, 1, 0)).Y2)
		}
		slope := (y(1e60) - y(1e50)) / (10 * math.Ln10)
		printed := b*b - 1
		t.Logf("b = %g: slope %.4f, exponent %.4f, printed %.4f", b, slope, MomentExponent(b), printed)
		near(t, "exponent", slope, MomentExponent(b), 0.01)
		if math.Abs(slope-printed) < 0.03 {
			t.Errorf("b = %g: the printed exponent is as good", b)
		}
	}
}

// (33): the entropy divided by log T is 1 - (β/β_c)². As printed, 1 - β²/β_c, it would not vanish at β_c.
func TestEntropyShare(t *testing.T) {
	for _, b := range []float64{0, 0.3, 0.6, 0.9} {
		const tokens = 1e60
		row := finiteRow(t, tokens, ScoreDeviation(b*math.Sqrt2, tokens, 1, 0))
		share := row.Entropy / math.Log(tokens)
		near(t, "entropy share", EntropyShare(1/b), share, 0.01)
		if printed := 1 - 2*b*b/math.Sqrt2; b > 0 && math.Abs(printed-share) < 0.02 {
			t.Errorf("b = %g: the printed share %.4f is as good as %.4f", b, printed, share)
		}
	}
}

// Relations between two moments of the same row hold at every T and s.
func TestRowBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens := math.Floor(math.Exp(rapid.Float64Range(math.Ln2, math.Log(MaxTokens)).Draw(t, "log T")))
		s := rapid.OneOf(rapid.Float64Range(0, 12), rapid.Float64Range(0, 1e-3)).Draw(t, "s")
		row := must.Get(FiniteRow(max(tokens, 2), s))(t)
		const up = 1 + 1e-12
		log := math.Log(max(tokens, 2))
		for what, ok := range map[string]bool{
			"1/T ≤ Y2 ≤ 1":      row.Y2*max(tokens, 2)*up >= 1 && row.Y2 <= up,
			"Y2² ≤ E(Y2)² ≤ Y3": row.Y2*row.Y2 <= row.Y2Squared*up && row.Y2Squared <= row.Y3*up,
			"Y3 ≤ Y2":           row.Y3 <= row.Y2*up,
			"0 ≤ entropy":       row.Entropy >= -1e-11*log && row.Entropy <= log*up,
			"e^-entropy ≤ Y2":   math.Exp(-row.Entropy) <= row.Y2*(1+1e-9),
			"bracket ≥ 0":       row.Y2-2*row.Y3+row.Y2Squared >= -1e-12*row.Y2,
		} {
			if !ok {
				t.Fatalf("T = %g, s = %g: not %s: %+v", tokens, s, what, row)
			}
		}
	})
}

func TestRowErrors(t *testing.T) {
	for _, c := range [][2]float64{{1, 1}, {0, 1}, {-3, 1}, {math.NaN(), 1}, {math.Inf(1), 1}, {10, -1},
		{10, math.NaN()}, {10, 101}} {
		if _, err := FiniteRow(c[0], c[1]); err == nil {
			t.Errorf("%v is accepted", c)
		}
	}
	row := finiteRow(t, MaxTokens, MaxDeviation)
	near(t, "Y2 at the end of the domain", row.Y2, LimitRow(largest(60*math.Ln10)/MaxDeviation).Y2, 0.01)
}

func TestLimitRow(t *testing.T) {
	if got := LimitRow(1); got.Y2 != 0 || got.Y2Squared != 0 || !math.IsInf(got.Entropy, 1) {
		t.Errorf("at β_c: %+v", got)
	}
	if got := LimitRow(math.Inf(1)); got.Y2 != 0 || !math.IsInf(got.Entropy, 1) {
		t.Errorf("at β = 0: %+v", got)
	}
	cold := LimitRow(1e-12)
	near(t, "cold Y2", cold.Y2, 1, 1e-11)
	near(t, "cold entropy", cold.Entropy, 0, 1e-11)
	if PhaseAt(1.5, 1, 0) != Condensed || PhaseAt(math.Sqrt2, 1, 0) != Spread ||
		PhaseAt(1e9, 1, 1) != Spread {
		t.Error("phases")
	}
	near(t, "ψ(1)", special.Digamma(1), -0.57721566490153286061, 1e-15)
	near(t, "ψ(1/2)", special.Digamma(0.5), -1.9635100260214234794, 1e-14)
	near(t, "ψ(1/4)", special.Digamma(0.25), -4.2274535333762654081, 1e-14)
}

// BERT-base has β = 0.123 at T = 512: the variance of a score is (0.02²·768)². The first version prints
// 0.016, which is 0.02²·64 divided by the fourth root of log T.
func TestEffectiveBeta(t *testing.T) {
	beta := must.Get(EffectiveBeta(0.02, 768, 512))(t)
	near(t, "β", beta, 0.1230, 5e-5)
	near(t, "printed β", 0.02*0.02*64/math.Pow(math.Log(512), 0.25), 0.016, 5e-4)

	// A sampled head of dimension 16 in a model of dimension 192: the standard deviation of a score is
	// β√log T. The variance is compared at 4.5 standard errors, with a false-alarm rate below 1e-5.
	const dim, head, deviation, n = 192, 16, 0.05, 300
	r := rand.New(rand.NewPCG(7, 8))
	normals := func(k int, scale float64) []float64 {
		x := make([]float64, k)
		for i := range x {
			x[i] = scale * r.NormFloat64()
		}
		return x
	}
	sum := 0.0
	for range n {
		score := 0.0
		x, y := make([]float64, dim), make([]float64, dim) // of squared norm dim
		for i := range x {
			x[i], y[i] = 1, math.Copysign(1, float64(i%2)-0.5)
		}
		for range head {
			q, k := normals(dim, deviation), normals(dim, deviation)
			a, b := 0.0, 0.0
			for i := range x {
				a += q[i] * x[i]
				b += k[i] * y[i]
			}
			score += a * b / math.Sqrt(head)
		}
		sum += score * score
	}
	beta, _ = EffectiveBeta(deviation, dim, 512)
	want := beta * beta * math.Log(512)
	near(t, "variance of a score", sum/n, want, 4.5*want*math.Sqrt((2+6./head)/n))
	for _, bad := range []error{second(EffectiveBeta(-1, 1, 2)), second(EffectiveBeta(math.NaN(), 1, 2)),
		second(EffectiveBeta(1, 0, 2)), second(EffectiveBeta(1, 1, 1))} {
		if bad == nil {
			t.Error("a bad model is accepted")
		}
	}
}

func second(_ float64, err error) error { return err }

func BenchmarkFiniteRow(b *testing.B) {
	for b.Loop() {
		FiniteRow(1024, 8)
	}
}
