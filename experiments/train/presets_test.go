package train

import (
	"math"
	"testing"

	"antipode/sde/network"
	"antipode/sde/training"
)

// Every figure is valid at our size and at the paper's, and has as many runs as the literal numbers here.
func TestFiguresAreValid(t *testing.T) {
	runs := map[string][2]int{
		"clustering-2": {48, 10}, "failure-modes-1": {6, 3}, "failure-modes-1b": {3, 3},
		"failure-modes-3": {6, 6}, "failure-modes-8": {6, 6}, "failure-modes-6": {2, 2},
		"rank-collapse-6": {30, 30}, "rank-collapse-5": {48, 8}, "rank-collapse-5b": {24, 8},
		"mind-the-gap-8a": {60, 300}, "mind-the-gap-8b": {150, 750}, "mind-the-gap-11": {300, 1500},
		"mind-the-gap-11b": {300, 1500}, "mind-the-gap-12": {300, 1500}, "trainability": {192, 192},
	}
	for _, p := range presets {
		e := New()
		if err := e.figure().Set(p.name); err != nil {
			t.Fatal(err)
		}
		for k, size := range []string{"ours", "the paper's"} {
			if k == 1 {
				e.Paper()
			}
			if err := e.Validate(); err != nil {
				t.Errorf("%s, %s: %v", p.name, size, err)
			}
			if got := len(e.settings()) * int(e.Seeds); got != runs[p.name][k] {
				t.Errorf("%s, %s: %d runs, want %d", p.name, size, got, runs[p.name][k])
			}
		}
	}
	if len(runs) != len(presets) {
		t.Errorf("%d figures", len(presets))
	}
}

// Choosing a figure replaces the parameters that the figure chosen before has set.
func TestFigureBringsItsSetting(t *testing.T) {
	e := New()
	for _, p := range presets {
		if err := e.figure().Set(p.name); err != nil {
			t.Fatal(err)
		}
	}
	if e.Task != masked || !e.Map || e.Layers[0] != 12 {
		t.Errorf("%+v", e)
	}
	if err := e.figure().Set(ownFigure); err != nil || e.Task != reverse || e.Map {
		t.Errorf("%+v %v", e, err)
	}
}

// The networks of the clustering paper's figure have branches scaled by L^(-1/2), one pair of query and key
// matrices for all layers, and values of variance 1 or the identity.
func TestClusteringNetworks(t *testing.T) {
	e := New()
	figureOf("clustering-2").ours(e)
	check := func(s setting, layers, tokens, dim int, law network.ValueLaw, value2 float64, shared bool) {
		n := s.network
		if n.Layers != layers || n.Tokens != tokens || n.Dim != dim ||
			!(math.Abs(n.BranchSA*n.BranchSA*float64(layers)-1) <= 1e-14) || !n.SharedKeys ||
			n.SharedValues != shared || !n.AttentionOnly || !(math.Abs(n.QueryKey2-1) <= 0.01) ||
			n.LayerNorm.Centred || n.LayerNorm.Affine || n.Outputs != 10 || n.Values != law ||
			n.Value2 != value2 || s.Examples != 0 {
			t.Errorf("%+v", n)
		}
	}
	s := e.settings()
	check(s[0], 8, 17, 24, network.GaussianValues, 24, false)
	check(s[7], 16, 17, 24, network.GaussianValues, 6, false)
	check(s[14], 32, 17, 24, network.GaussianValues, 1, false)
	check(s[21], 64, 17, 24, network.IdentityValues, 1, true)
	check(s[22], 64, 17, 24, network.IdentityValues, 1, false)
	check(s[23], 64, 17, 24, network.IdentityValues, 0.5, false)
	e.Figure = "clustering-2"
	e.Paper()
	s = e.settings()
	check(s[0], 128, 65, 96, network.GaussianValues, 96, false)
	check(s[1], 128, 65, 96, network.IdentityValues, 1, true)
}

// At the paper's size, the figure rank-collapse-5 has the parameters of Table 3.
func TestTranslationOfRankCollapse(t *testing.T) {
	e := New()
	e.Figure = "rank-collapse-5"
	e.Paper()
	s := e.settings()[0]
	m := s.method
	dropout := network.Dropout{Embedding: 0.3, Attention: 0.1, MLP: 0.1, Branch: 0.3}
	if s.network.Width != 2048 || m.Dropout != dropout || m.Smoothing != 0.1 ||
		m.Optimiser.Beta2 != 0.98 || m.Schedule.Warmup != 6000 || m.Clip != 0 ||
		m.Optimiser.Rule != training.AdamW || m.Optimiser.Decay != 1e-4 || m.Schedule.Rate != 7e-4 ||
		m.Schedule.Decline != training.InverseSquareRoot || m.Steps != 100_000 || m.ScoreWarmup != 1000 {
		t.Errorf("%+v", m)
	}
	e.Figure = "rank-collapse-5b"
	e.Paper()
	m = e.settings()[0].method
	if m.Optimiser.Rule != training.SGD || m.Optimiser.Decay != 1e-3 || m.Steps != 250_000 ||
		m.Dropout != dropout || m.Smoothing != 0.1 ||
		m.Schedule != (training.Schedule{Rate: 2e-2, Decline: training.Tenths}) {
		t.Errorf("SGD: %+v", m)
	}
}

// In the figures of mind-the-gap, queries and keys have variance 1/d or 1, and values variance 1, at both
// sizes; the projection after them is the identity. Free attention is a learned matrix of scores or of
// weights, without queries and keys.
func TestIsometricNetworks(t *testing.T) {
	e := New()
	if err := e.figure().Set("mind-the-gap-8a"); err != nil {
		t.Fatal(err)
	}
	for _, dim := range []float64{64, 500} {
		for k, want := range []float64{1, dim} {
			// The learning rate varies fastest, then the scale: this setting has the first rate of scale k.
			n := e.settings()[k*len(e.LearningRate)].network
			if !(math.Abs(n.QueryKey2/want-1) <= 1e-14) || n.Dim != int(dim) || n.Value2 != dim ||
				!n.Projection || n.Projection2 != 1 || n.Projections != network.IdentityValues {
				t.Errorf("d = %v: %+v", dim, n)
			}
		}
		e.Paper()
	}
	if err := e.figure().Set("mind-the-gap-8b"); err != nil {
		t.Fatal(err)
	}
	for k, want := range []network.Network{
		{QueryKey2: 64}, {QueryKey2: 64, GainControl: true},
		{Attention: network.FreeScores, QueryKey2: math.Ln2},
		{Attention: network.FreeScores, QueryKey2: math.Ln2, GainControl: true},
		{Attention: network.FreeWeights},
	} {
		n := e.settings()[k*len(e.SigmaV2)*len(e.LearningRate)].network
		if n.Attention != want.Attention || !(math.Abs(n.QueryKey2-want.QueryKey2) <= 1e-13) ||
			n.GainControl != want.GainControl || n.Uniform {
			t.Errorf("attention %d: %+v", k, n)
		}
	}
	if e.Paper(); e.SigmaV2[0] != 1 || e.SigmaV2[1] != 500 {
		t.Errorf("variances of values %v", e.SigmaV2)
	}
}

// At the temperature τ, the squared norm of gradients by queries in (46) of rank-collapse, τ²σ⁶ (n-1)/n
// (1-ρ)² d(n+d), equals that by values, σ² d² (1 + ρ(n-1)).
func TestTemperature(t *testing.T) {
	const n, d, variance, rho = 7, 5, 1.3, 0.2
	tau := temperature(n, d, variance, rho)
	query := tau * tau * variance * variance * variance * (n - 1) / n * (1 - rho) * (1 - rho) * d * (n + d)
	if value := variance * d * d * (1 + rho*(n-1)); !(math.Abs(query/value-1) <= 1e-14) {
		t.Errorf("%v and %v", query, value)
	}
}
