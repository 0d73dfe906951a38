package stack

import (
	"math"
	"math/rand/v2"
	"testing"
)

// averages returns the averages that attention computes for tokens x, with scores S xᵀGx' of a random matrix
// G.
func averages(random *rand.Rand, x [][]float64, spread float64, causal bool) [][]float64 {
	dim := len(x[0])
	keys := make([][]float64, len(x)) // Gx'
	for t := range keys {
		keys[t] = make([]float64, dim)
	}
	row := make([]float64, dim)
	for i := range dim {
		for j := range row {
			row[j] = spread * random.NormFloat64()
		}
		for t, token := range x {
			keys[t][i] = inner(row, token)
		}
	}
	out := make([][]float64, len(x))
	for t, token := range x {
		out[t] = make([]float64, dim)
		attended := len(x)
		if causal {
			attended = t + 1
		}
		sum := 0.0
		for s := range attended {
			weight := math.Exp(inner(token, keys[s]))
			sum += weight
			for k, v := range x[s] {
				out[t][k] += weight * v
			}
		}
		for k := range out[t] {
			out[t][k] /= sum
		}
	}
	return out
}

func inner(x, y []float64) float64 {
	sum := 0.0
	for k := range x {
		sum += x[k] * y[k]
	}
	return sum
}

// partsOf returns M and D of vectors.
func partsOf(x [][]float64) (common, differences float64) {
	mean, squares := make([]float64, len(x[0])), 0.0
	for _, v := range x {
		squares += inner(v, v)
		for k := range v {
			mean[k] += v[k] / float64(len(x))
		}
	}
	common = inner(mean, mean)
	return common, (squares - float64(len(x))*common) / float64(len(x)-1)
}

// Given tokens whose differences are orthonormal, the random weights of attention rows give the averages of a
// head's tokens the covariance of rowCovariance.
func TestRowFluctuations(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 5))
	for _, c := range []struct {
		tokens int
		causal bool
		cosine float64
	}{{2, true, 0.3}, {2, false, 0.2}, {5, true, 0.1}, {5, true, 0.8}, {6, false, 0.3}, {16, true, 0.2}} {
		s := usual()
		s.Tokens, s.Causal, s.Heads, s.Norm = c.tokens, c.causal, 1, PreNorm
		s.Value2, s.Projection2, s.QueryKey2, s.Input.Cosine = 1, 1, 0.1, c.cosine
		k := must(t, s)
		x := make([][]float64, c.tokens)
		for i := range x {
			x[i] = make([]float64, c.tokens+1)
			x[i][i], x[i][c.tokens] = math.Sqrt(1-c.cosine), math.Sqrt(c.cosine)
		}
		const draws = 10_000
		var m, d, mm, md, dd float64
		for range draws {
			common, differences := partsOf(averages(random, x, s.QueryKey2, c.causal))
			m, d = m+common/draws, d+differences/draws
			mm, md, dd = mm+common*common/draws, md+common*differences/draws, dd+differences*differences/draws
		}
		b := branch{input: k.groups.inputGram(s.Input), strength2: 1, freedom: math.Inf(1)}
		b.output, b.participation = k.attention(b.input, b.freedom)
		out := k.componentsOf(b.output)
		if !(math.Abs(out.common/m-1) <= 0.01) || !(math.Abs(out.differences/d-1) <= 0.05) {
			t.Errorf("%+v: M %g and D %g, drawn %g and %g", c, out.common, out.differences, m, d)
		}
		got := k.rowCovariance(&b, out)
		want := covariance{mm/(m*m) - 1, md/(m*d) - 1, dd/(d*d) - 1}
		for name, pair := range map[string][2]float64{"M": {got.common, want.common},
			"D": {got.differences, want.differences}} {
			if !(math.Abs(math.Sqrt(pair[0]/pair[1])-1) <= 0.15) && pair[1] > 1e-5 {
				t.Errorf("%+v: variance of log %s %g, drawn %g", c, name, pair[0], pair[1])
			}
		}
		if !(math.Abs(got.cross-want.cross) <= 0.2*math.Sqrt(want.common*want.differences)) {
			t.Errorf("%+v: covariance %g, drawn %g", c, got.cross, want.cross)
		}
	}
}

// With more heads, bands become narrower, and those of infinitely many heads do not contain the weights of
// rows.
func TestBandsOfHeads(t *testing.T) {
	s := usual()
	s.Causal, s.Tokens, s.QueryKey2, s.Norm = true, 3, 1.2, PreNorm
	width := func(heads int) float64 {
		s.Heads = heads
		l := forward(t, s)[1]
		return l.High - l.Low
	}
	if one, eight, many, all := width(1), width(8), width(1<<20), width(0); !(one > 1.05*eight &&
		eight > 1.005*many && math.Abs(many/all-1) <= 1e-4) {
		t.Errorf("widths %g, %g, %g and %g", one, eight, many, all)
	}
}

// A branch whose output is 0 leaves the band as it is.
func TestBandAfterNothing(t *testing.T) {
	for norm := range Placement(len(PlacementNames) - 1) {
		s := usual()
		s.Norm, s.Layers, s.Value2, s.Hidden2 = norm, 1, 0, 0
		layers := forward(t, s)
		a, b := layers[0], layers[1]
		if !(math.Abs(a.Low-b.Low) <= 1e-9) || !(math.Abs(a.High-b.High) <= 1e-9) {
			t.Errorf("%v: from %g to %g, before %g to %g", norm, b.Low, b.High, a.Low, a.High)
		}
	}
}

// Attention to many tokens selects those along the direction of its query: the averages of random normalised
// tokens have the squared norms and inner products of attentionAverage, also for more tokens than dimensions.
func TestAveragesOfManyTokens(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 77))
	for _, c := range []struct {
		tokens, dim      int
		causal           bool
		spread, accuracy float64
	}{{120, 30, false, 0.3, 0.03}, {120, 30, false, 0.8, 0.06}, {60, 60, false, 0.7, 0.05},
		{100, 30, true, 0.4, 0.05}} {
		s := usual()
		s.Tokens, s.Dim, s.Causal, s.QueryKey2, s.Input.Cosine = c.tokens, c.dim, c.causal, c.spread, 0
		k := must(t, s)
		const draws = 60
		var m, d float64
		for range draws {
			x := make([][]float64, c.tokens)
			for i := range x {
				x[i] = make([]float64, c.dim)
				for j := range x[i] {
					x[i][j] = random.NormFloat64()
				}
				length := math.Sqrt(inner(x[i], x[i]))
				for j := range x[i] {
					x[i][j] /= length
				}
			}
			common, differences := partsOf(averages(random, x, c.spread, c.causal))
			m, d = m+common/draws, d+differences/draws
		}
		out, _ := k.groups.attentionAverage(k.groups.inputGram(s.Input), s, float64(c.dim))
		got := k.componentsOf(out)
		if !(math.Abs(got.common/m-1) <= 3*c.accuracy) || !(math.Abs(got.differences/d-1) <= c.accuracy) {
			t.Errorf("%+v: M %g and D %g, drawn %g and %g", c, got.common, got.differences, m, d)
		}
	}
}
