package propagation

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
	"antipode/sde/network"
)

// different is a block whose parameters all differ.
func different(kind propagation.Kind, tokens float64) propagation.Block {
	return propagation.Block{
		Kind: kind, Beta: 0.7, SigmaV2: 0.3, SigmaW2: 0.5, SigmaB2: 0.02, AlphaSA: 0.8, AlphaMLP: 1.2,
		Activation: propagation.GELU, Tokens: tokens,
	}
}

// The network of a block: 0.7·√ln 20 is 1.2115728678; its input is exact as long as there are fewer
// tokens than dimensions.
func TestSimulatedIsTheNetworkOfTheBlock(t *testing.T) {
	got := simulated(different(propagation.GainPreNorm, 20), 0.25, 20, 21, 6)
	if math.Abs(got.QueryKey2-1.2115728678) > 1e-9 {
		t.Errorf("d times the variance of queries %v", got.QueryKey2)
	}
	got.QueryKey2 = 0
	want := network.Network{
		Kind: network.GainPreNorm, Activation: network.GELU, Tokens: 20, Dim: 21, Heads: 1, Layers: 6, Value2: 0.3,
		Hidden2: 0.5, Output2: 0.5, Bias2: 0.02, AlphaSA: 0.8, AlphaMLP: 1.2, Q: 1, P: 0.25, Input: network.Simplex,
	}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	got = simulated(different(propagation.PostNorm, 20), 0.25, 20, 20, 6)
	if got.Input != network.Gaussian || got.Validate() != nil {
		t.Errorf("as many tokens as dimensions: %+v", got)
	}
}

// The parameters of each experiment are those of its blocks.
func TestBlocksHaveTheParameters(t *testing.T) {
	want, tokens := different(propagation.PreNorm, 20), int64(20)
	p := &Propagation{Block: []string{"pre-norm"}, Beta: []float64{0.7}, AlphaSA: []float64{0.8},
		SigmaW2: []float64{0.5},
		SigmaB2: 0.02, SigmaV2: 0.3, AlphaMLP: 1.2, Activation: "gelu", Tokens: &tokens}
	g := &Gradients{Block: "pre-norm", AlphaSA: 0.8, SigmaW2: 0.5, SigmaB2: 0.02, SigmaV2: 0.3,
		AlphaMLP: 1.2, Activation: "gelu", Tokens: 20}
	d := &Trainability{Block: "pre-norm", SigmaW2: 0.5, SigmaB2: 0.02, SigmaV2: 0.3, AlphaMLP: 1.2,
		Activation: "gelu"}
	diagram := d.block(0.8, 0.7)
	if !math.IsInf(diagram.Tokens, 1) {
		t.Errorf("%v tokens in the diagram", diagram.Tokens)
	}
	diagram.Tokens = 20
	for name, got := range map[string]propagation.Block{"propagation": p.blocks()[0],
		"gradients": g.block(0.7), "trainability": diagram} {
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func runsOfPairs(pairs ...[2]float64) (runs [][]network.Layer) {
	for _, p := range pairs {
		runs = append(runs, []network.Layer{{Q: math.NaN()}, {P: p[0], Q: p[1]}})
	}
	return runs
}

// Squares of 1, 2, 4, 9 about their mean 4 are 38 in sum: the standard error is √(38/12). Of the ratio 6/9
// of two sums the residuals are -1/3, 2/3, -1/3: √(6/9/6)/3.
func TestEstimates(t *testing.T) {
	runs := runsOfPairs([2]float64{1, 2}, [2]float64{2, 2}, [2]float64{4, 7}, [2]float64{9, 1})
	got := estimateOf(runs, 1, func(l network.Layer) float64 { return l.P })
	if got.mean != 4 || math.Abs(got.stderr-1.7795130420) > 1e-10 {
		t.Errorf("%+v", got)
	}
	one := estimateOf(runs[:1], 1, func(l network.Layer) float64 { return l.P })
	if one.mean != 1 || !math.IsNaN(one.stderr) {
		t.Errorf("of one network %+v", one)
	}
	runs = runsOfPairs([2]float64{1, 2}, [2]float64{2, 2}, [2]float64{3, 5})
	got = ratioOf(runs, 1, func(l network.Layer) (x, y float64) { return l.P, l.Q })
	if math.Abs(got.mean-2./3) > 1e-15 || math.Abs(got.stderr-1./9) > 1e-15 {
		t.Errorf("ratio %+v", got)
	}
}

// Standard errors are those of the results: over 4000 repetitions with 20 correlated pairs each the mean
// square of what ratios deviate by is their mean squared error, within 10 %. A mean square has a
// relative deviation of 2.2 %, and the first order leaves out some 2 %.
func TestErrorsOfRatios(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	deviations, errors := 0.0, 0.0
	for range 4000 {
		var pairs [][2]float64
		for range 20 {
			common := r.NormFloat64()
			pairs = append(pairs, [2]float64{3 + common + 0.5*r.NormFloat64(), 5 + 0.8*common + 0.5*r.NormFloat64()})
		}
		e := ratioOf(runsOfPairs(pairs...), 1, func(l network.Layer) (x, y float64) { return l.P, l.Q })
		deviations += (e.mean - 0.6) * (e.mean - 0.6)
		errors += e.stderr * e.stderr
	}
	if math.Abs(deviations/errors-1) > 0.1 {
		t.Errorf("ratios deviate by %v of their standard errors", math.Sqrt(deviations/errors))
	}
}

// Each row of gradients has the theory of its own matrix, and the mean over the networks, which are run here
// again; all parameters differ, T from d too.
func TestRowsOfGradients(t *testing.T) {
	for _, kind := range []string{"post-norm", "pre-norm"} {
		g := &Gradients{Block: kind, Beta: []float64{0.6, 2.2}, AlphaSA: 0.8, SigmaW2: 0.5, SigmaB2: 0.02,
			SigmaV2: 0.3, AlphaMLP: 1.2,
			Activation: "tanh", Start: 0.15, Layers: 3, Tokens: 7, Dim: 12, Networks: 5}
		table := experimenttest.Table(t, g, run.Options{Seed: 9})
		get := func(name string) []float64 {
			v, err := data.ValuesOf[float64](table, name)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		theory, betaC, measured, stderr, whole := get("theory"), get("beta_c"), get("simulated"), get("stderr"),
			get("whole")
		for i, beta := range g.Beta {
			b := different(propagation.PostNorm, 7)
			b.Beta, b.Activation = beta, propagation.Tanh
			if kind == "pre-norm" {
				b.Kind = propagation.PreNorm
			}
			m, err := propagation.NewMap(b)
			if err != nil {
				t.Fatal(err)
			}
			curve, err := m.Curve(propagation.State{Q: 1, P: 0.15}, 3)
			if err != nil {
				t.Fatal(err)
			}
			e := network.Ensemble{Network: simulated(b, 0.15, 7, 12, 3), Networks: 5, Seed: 9, Gradients: true}
			runs, err := e.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for layer := range 3 {
				want, err := m.Gradients(curve[layer])
				if err != nil {
					t.Fatal(err)
				}
				for k, x := range []float64{want.Query, want.Query, want.Value, want.Hidden, want.Output} {
					row := (3*i+layer)*5 + k
					part := func(g network.Gradients) float64 {
						return []float64{g.Query, g.Key, g.Value, g.Hidden, g.Output}[k] / (12 * 12 * 7)
					}
					sum, squares, all := 0.0, 0.0, 0.0
					for _, layers := range runs {
						v := part(layers[layer+1].Local)
						sum, squares, all = sum+v/5, squares+v*v, all+part(layers[layer+1].Whole)/5
					}
					deviation := math.Sqrt((squares - 5*sum*sum) / 20)
					for _, pair := range [][2]float64{{theory[row], x}, {measured[row], sum}, {stderr[row], deviation},
						{whole[row], all}, {betaC[row], m.CriticalBeta(curve[layer])}} {
						if math.Abs(pair[0]-pair[1]) > 1e-9*math.Abs(pair[1]) {
							t.Errorf("%s, β = %v, layer %d, %s: %v, want %v", kind, beta, layer+1, weightNames[k], pair[0],
								pair[1])
						}
					}
				}
			}
		}
	}
}

// The last layers of networks whose parameters all differ follow the theory of their block, gradients
// too: a wrong variance of the MLP or of values would be seen, as would attention of another temperature.
func TestDifferentParametersFollowTheTheory(t *testing.T) {
	for kind := range propagation.Kind(len(propagation.KindNames)) {
		b := different(kind, 16)
		b.Beta = 1.1
		checkCosines(t, b, 32, 4, 32)
		checkGradients(t, b, 32, 3, 40)
	}
}

// Fig. 11: the densities of each layer of each ensemble are 1 in all, with binomial errors. Fig. 13:
// small scores have the theory's ratio of gradients, within 4.5 standard errors and the variance σ⁴ of
// scores; Fig. 14 has log10 of (n-1)/n·σ⁴(1-ρ)²(n+d)(1+4(1-ρ)/nd)/d(1+ρ(n-1)).
func TestDensitiesAndRatios(t *testing.T) {
	sums := map[[3]float64]float64{}
	for _, r := range rowsOf(t, "11", 50) {
		if r.quantity != quantityDensity {
			continue
		}
		key := [3]float64{r.sigma, float64(r.layer), 0}
		if r.uniform {
			key[2] = 1
		}
		sums[key] += 0.1 * r.measured
		if share := 0.1 * r.measured; math.Abs(0.1*r.stderr-math.Sqrt(share*(1-share)/50)) > 1e-12 {
			t.Errorf("%+v", r)
		}
		if off := math.Mod(r.position*10+1000.5, 1); math.Min(off, 1-off) > 1e-9 {
			t.Errorf("position %v is not the middle of a bin", r.position)
		}
	}
	if len(sums) != 3*len(densityDepths) {
		t.Errorf("%d densities", len(sums))
	}
	for key, sum := range sums {
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%v: a density of %v in all", key, sum)
		}
	}
	for _, r := range rowsOf(t, "14", 2) {
		n, d, s2 := float64(r.tokens), float64(r.dim), r.sigma*r.sigma
		want := math.Log10((n - 1) / n * s2 * s2 * (1 - r.rho) * (1 - r.rho) * (n + d) *
			(1 + 4*(1-r.rho)/(n*d)) / (d * (1 + r.rho*(n-1))))
		if math.Abs(r.theory-want) > 1e-12 {
			t.Errorf("%+v: want %v", r, want)
		}
	}
	for _, r := range rowsOf(t, "13", 16) {
		if r.sigma == 0.25 && math.Abs(r.measured-r.theory) > 4.5*r.stderr+0.02 {
			t.Errorf("%s: %s", r.setting(""), r.comparison())
		}
	}
}
