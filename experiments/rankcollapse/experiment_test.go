package rankcollapse

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sde/network"
	"antipode/sphere/must"
)

// Every figure has rows, a text and a picture, and its networks at the paper's size are valid.
func TestRankCollapseFigures(t *testing.T) {
	few := int64(2)
	for _, name := range figureNames() {
		c := New()
		c.Figure, c.Networks = name, &few
		table := experimenttest.Table(t, c, run.Options{Seed: 1})
		var text, svg bytes.Buffer
		if err := c.Describe(&text, table); err != nil || text.Len() == 0 ||
			strings.Contains(text.String(), "NaN") {
			t.Errorf("figure %s: text %q, error %v", name, &text, err)
		}
		picture, err := c.Draw(table)
		if err == nil {
			err = picture.WriteSVG(&svg)
		}
		if err != nil || !strings.Contains(svg.String(), "</svg>") {
			t.Errorf("figure %s: picture of %d bytes, error %v", name, svg.Len(), err)
		}
		experimenttest.CheckNoRoom(t, "figure "+name, c, table)
		experimenttest.CheckColumns(t, "figure "+name, c, table)
		c.Paper()
		for _, p := range c.parts() {
			if p.networks > 0 {
				if err := p.network.Validate(); err != nil {
					t.Errorf("figure %s, %+v: %v", name, p.network, err)
				}
			}
		}
	}
}

// rowsOf returns the rows of a figure at its default size.
func rowsOf(t *testing.T, figure string, networks int64) []Row {
	t.Helper()
	return rowsAt(t, figure, networks, "1")
}

func rowsAt(t *testing.T, figure string, networks int64, temperature string) []Row {
	t.Helper()
	c := New()
	c.Figure, c.Networks = figure, &networks
	for _, p := range c.Parameters() {
		if p.Name == "temperature" {
			must.Do(t, p.Set(temperature))
		}
	}
	table := experimenttest.Table(t, c, run.Options{Seed: 1})
	rows := must.Get(data.RowsOf[Row](table))(t)
	return rows
}

// inside checks that a simulated value agrees with the theory, within four standard errors and an allowance
// relative to the theory.
func (r Row) inside(t *testing.T, allowance float64) {
	t.Helper()
	if !(math.Abs(r.Simulated-r.Theory) <= 4*r.Stderr+allowance*math.Abs(r.Theory)) {
		t.Errorf("%s: %s", r.setting(), r.comparison())
	}
}

// Lemma 3.1 for networks with softmax whose scores have a variance σ_x⁴ of up to 1/16: attention is nearly
// uniform, and 2σ_x⁴ is allowed for the difference. At σ_x = 1 attention is not uniform: gradients are 1.21
// times the theory, with a standard error of 0.04, so that a ratio below 1.08 has a probability of 1e-3.
func TestGradientsOfUniformAttention(t *testing.T) {
	failed := false
	for _, r := range rowsOf(t, "12", 400) {
		if r.Sigma <= 0.5 {
			r.inside(t, 2*math.Pow(r.Sigma, 4))
		}
		if r.Sigma == 1 && r.Quantity != InputGradient {
			t.Logf("σ_x = 1: %s, a ratio of %.2f", r.comparison(), r.Simulated/r.Theory)
			failed = failed || r.Simulated/r.Theory > 1.08
		}
	}
	if !failed {
		t.Error("uniform attention holds at σ_x = 1")
	}
}

// A factor τ of the scores multiplies the gradients of queries by τ², and so the part of the input's gradient
// that comes through the scores, as long as attention is nearly uniform; the variance of the scores is
// (τσ_x²)². At the matched τ the gradients of queries and values are equal in theory. In the largest networks
// with uncorrelated tokens they are equal within 4.5 standard errors and 0.35 in log10: the scores have
// variance 0.5, so that attention is no longer uniform and the gradients of values are larger, which (47)
// neglects.
func TestTemperature(t *testing.T) {
	for _, r := range rowsAt(t, "12", 400, "0.5") {
		if r.Temperature != 0.5 || !math.IsNaN(r.Bound) {
			t.Errorf("%+v", r)
		}
		if r.Sigma <= 0.5 {
			r.inside(t, 2*math.Pow(0.5*r.Sigma*r.Sigma, 2))
		}
	}
	for _, r := range rowsAt(t, "13", 64, "matched") {
		large := r.Rho == 0 && r.Tokens == 16 && r.Dim == 16
		if !(math.Abs(r.Theory) <= 1e-12) || large && !(math.Abs(r.Simulated) <= 4.5*r.Stderr+0.35) {
			t.Errorf("%s, τ = %v: %s", r.setting(), r.Temperature, r.comparison())
		}
	}
}

// Lemma 3.1 is exact for uniform attention, whatever the size of the tokens: here for large ones, with a
// factor τ, within 4.5 standard errors of 3000 networks.
func TestGradientsOfExactlyUniformAttention(t *testing.T) {
	factor := 1.4
	c := New()
	c.Temperature = &factor
	n, temperature := c.heated(xavier(5, 7, 1, 0.3, 1.5, 1))
	n.Uniform = true
	e := network.Ensemble{Network: n, Networks: 3000, Seed: 1, Gradients: true}
	runs := must.Get(e.Run(t.Context()))(t)
	rows, err := gradientRows(n, temperature, runs)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, error %v", len(rows), err)
	}
	for _, r := range rows {
		t.Log(r.Quantity, r.comparison())
		if !(math.Abs(r.Simulated-r.Theory) < 4.5*r.Stderr && r.Stderr < 0.06*r.Theory) {
			t.Errorf("%v: %s", r.Quantity, r.comparison())
		}
	}
}

// Theorem A.7: the distances of attention and of its derivative from those of uniform attention, to first
// order in the variance of the scores, (2d/(d+d_k))². Half of this variance is allowed as relative error,
// where it is below 1/4.
func TestDistanceFromUniformAttention(t *testing.T) {
	for _, r := range rowsOf(t, "7", 60) {
		scores := math.Pow(2*float64(r.Dim)/float64(r.Dim+r.KeyDim), 2)
		t.Logf("d_k = %d, scores of variance %.3f: %s", r.KeyDim, scores, r.comparison())
		if scores < 0.25 {
			r.inside(t, scores/2)
		}
	}
}

// Lemmas 3.2 and 3.3 and Theorem 3.3 are exact for uniform attention, at any width, as in Fig. 11. With
// softmax, small inputs and residuals scaled by 1/√L the difference is less than 2 %.
func TestDepthOfUniformAttention(t *testing.T) {
	for _, r := range rowsOf(t, "11", 200) {
		if r.Attention == Uniform && r.Quantity == SquaredNorm {
			t.Logf("%s: %s", r.setting(), r.comparison())
			r.inside(t, 0)
		}
	}
	for _, r := range rowsOf(t, "8", 100) {
		if r.Residual == Scaled && r.Quantity != MeanCosine { // the theory is not for a mean of ratios
			r.inside(t, 0.02)
		}
	}
	for _, r := range rowsOf(t, "10", 100) {
		if r.Residual == Scaled && r.MLP == ReLU && r.Quantity != MeanCosine { // a theory of wide layers
			r.inside(t, 1./float64(r.Dim))
		}
	}
}

// Fig. 11: the bins of the density of each layer and ensemble have the total probability 1, and binomial
// standard errors. Fig. 14: the theory is log10 of (n-1)/n·σ⁴(1-ρ)²(n+d)(1+4(1-ρ)/nd)/d(1+ρ(n-1)). Fig. 13:
// with small scores, of variance σ⁴, the ratio of gradients in 64 networks agrees with the theory within 4.5
// standard errors and 0.02.
func TestDensitiesAndRatios(t *testing.T) {
	sums := map[[3]float64]float64{}
	for _, r := range rowsOf(t, "11", 50) {
		if r.Quantity != Density {
			continue
		}
		key := [3]float64{r.Sigma, float64(r.Layer), 0}
		if r.Attention == Uniform {
			key[2] = 1
		}
		sums[key] += 0.1 * r.Simulated
		if share := 0.1 * r.Simulated; !(math.Abs(0.1*r.Stderr-math.Sqrt(share*(1-share)/50)) <= 1e-12) {
			t.Errorf("%+v", r)
		}
		if off := math.Mod(r.Position*10+1000.5, 1); math.Min(off, 1-off) > 1e-9 {
			t.Errorf("position %v is not the middle of a bin", r.Position)
		}
	}
	if len(sums) != 3*len(densityDepths) {
		t.Errorf("%d densities", len(sums))
	}
	for key, sum := range sums {
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Errorf("%v: a density of %v in all", key, sum)
		}
	}
	for _, r := range rowsOf(t, "14", 2) {
		n, d, s2 := float64(r.Tokens), float64(r.Dim), r.Sigma*r.Sigma
		want := math.Log10((n - 1) / n * s2 * s2 * (1 - r.Rho) * (1 - r.Rho) * (n + d) *
			(1 + 4*(1-r.Rho)/(n*d)) / (d * (1 + r.Rho*(n-1))))
		if !(math.Abs(r.Theory-want) <= 1e-12) {
			t.Errorf("%+v: want %v", r, want)
		}
	}
	for _, r := range rowsOf(t, "13", 64) {
		if r.Sigma == 0.25 && !(math.Abs(r.Simulated-r.Theory) <= 4.5*r.Stderr+0.02) {
			t.Errorf("%s: %s", r.setting(), r.comparison())
		}
	}
}

// Fig. 9: words have independent normal embeddings with d coordinates, and sinusoidal positions have the
// squared norm d/2 and the inner products Σ_k cos((s-t)/10000^(2k/d)). The correlation of the input follows
// from these, within 4.5 standard errors (false alarm: fewer than one in 10^5 seeds). All quantities have
// their rows, and the weights are Xavier's.
func TestPreNormNetworks(t *testing.T) {
	const tokens, dim = 50, 32
	inner := 0.0
	for s := range tokens {
		for u := range s {
			for k := range dim / 2 {
				inner += math.Cos(float64(s-u) * math.Pow(10_000, -float64(2*k)/dim))
			}
		}
	}
	inner /= tokens * (tokens - 1) / 2
	counts := map[Quantity]int{}
	for _, r := range rowsOf(t, "9", 40) {
		counts[r.Quantity]++
		if r.Hidden != 1 || !math.IsNaN(r.Theory) || !(r.Simulated > 0 && r.Stderr > 0) {
			t.Errorf("%+v", r)
		}
		want := inner / (1.5 * dim)
		if r.Quantity == Correlation && r.Layer == 0 && !(math.Abs(r.Simulated-want) <= 4.5*r.Stderr) {
			t.Errorf("correlation of the input %v ± %v, want %v", r.Simulated, r.Stderr, want)
		}
	}
	for quantity, want := range map[Quantity]int{
		Correlation: 13, MeanCosine: 13, QueryGradient: 12, KeyGradient: 12, ValueGradient: 12,
		QueryLoss: 12, KeyLoss: 12, ValueLoss: 12,
	} {
		if counts[quantity] != want {
			t.Errorf("%d rows of %v, want %d", counts[quantity], quantity, want)
		}
	}
}

// The gradients of the loss in Fig. 9 are dn² = 32·50² times the gradients in its ensemble, of the same kind
// of weights.
func TestGradientsOfTheLossInFigure9(t *testing.T) {
	part := preNormParts(false)[1]
	if part.classes != 1000 || !part.gradients {
		t.Fatalf("%d classes", part.classes)
	}
	layers := make([]network.Layer, 13)
	for k := range layers {
		layers[k] = network.Layer{Q: 1, P: 0.5, Whole: network.Gradients{Query: float64(k), Key: 2, Value: 3}}
	}
	rows, err := part.rows([][]network.Layer{layers, layers})
	if err != nil || len(rows) != 36 {
		t.Fatal(len(rows), err)
	}
	for _, r := range rows {
		want := map[Quantity]float64{QueryLoss: float64(r.Layer), KeyLoss: 2,
			ValueLoss: 3}[r.Quantity] * 80_000
		if r.Simulated != want || want == 0 {
			t.Errorf("%v after layer %d: %v, want %v", r.Quantity, r.Layer, r.Simulated, want)
		}
	}
}
