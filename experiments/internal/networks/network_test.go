package networks

import (
	"context"
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap/propagation"
	"antipode/sde/network"
	"antipode/sphere/must"
)

// bert returns a block of the paper's model (Section A.1).
func bert(
	kind propagation.Kind, activation propagation.Activation, beta float64, tokens int64,
) propagation.Block {
	return propagation.Block{
		Kind: kind, Beta: beta, SigmaV2: 0.2, SigmaW2: 0.2, SigmaB2: 4e-4, AlphaSA: 1, AlphaMLP: 1,
		Activation: activation, Tokens: float64(tokens),
	}
}

func runsOf(t *testing.T, n network.Network, networks int, gradients bool) [][]network.Layer {
	t.Helper()
	e := network.Ensemble{Network: n, Networks: networks, Seed: 1, Gradients: gradients}
	runs := must.Get(e.Run(context.Background()))(t)
	return runs
}

// widthTerm bounds the effect of a finite dimension on the cosine after a layer, with half as many tokens as
// dimensions and the theory for this number of tokens. Norms and overlaps of the tokens in a layer scatter by
// the order of d^-½, which a concave map turns into an effect of the order of d^-1. The constant is measured
// in networks of dimension 16 to 64 (TestWidthTermFallsLikeOneOverD).
func widthTerm(layer int, dim int64) float64 { return 0.15 * float64(layer) / float64(dim) }

// checkCosines checks that the cosine in networks agrees with the theory at every layer, within three
// standard errors and the width term. The seed is fixed. The layers of a network are so strongly correlated
// that ten of them are like two or three independent comparisons; even without a width term a case would fail
// by chance in about one seed of a hundred.
func checkCosines(t *testing.T, b propagation.Block, dim, layers int64, networks int) {
	t.Helper()
	m := must.Get(propagation.NewMap(b))(t)
	curve := must.Get(m.Curve(propagation.State{Q: 1}, int(layers)))(t)
	compareCosines(t, b, curve, Of(b, 0, int64(b.Tokens), dim, layers), networks)
}

func compareCosines(
	t *testing.T, b propagation.Block, curve []propagation.State, n network.Network, networks int,
) {
	t.Helper()
	dim, layers := int64(n.Dim), n.Layers
	runs := runsOf(t, n, networks, false)
	worst := 0.0
	for layer := range layers + 1 {
		got := EstimateOf(runs, layer, func(l network.Layer) float64 { return l.Cosine })
		far := math.Abs(got.Value - curve[layer].Cosine())
		if far > 3*got.Stderr+widthTerm(layer, dim)+1e-14 {
			t.Errorf("%v, %v, d = %d, layer %d: cosine %.5f ± %.5f, theory %.5f", b.Kind, b.Activation, dim,
				layer, got.Value, got.Stderr, curve[layer].Cosine())
		}
		if layer > 0 {
			worst = max(worst, far/got.Stderr)
		}
	}
	t.Logf("%v, %v, d = %d: at most %.2f standard errors from the theory", b.Kind, b.Activation, dim, worst)
}

// The theory also covers several heads, W_O of variance 1/d, an MLP of another width, and LayerNorm that
// subtracts the mean.
func TestOtherBlocksFollowTheTheory(t *testing.T) {
	const layers = 6
	b := bert(propagation.PostNorm, propagation.GELU, 0.9, 24)
	m := must.Get(propagation.NewMap(b))(t)
	curve := must.Get(m.Curve(propagation.State{Q: 1}, layers))(t)
	for _, change := range []func(n *network.Network){
		func(n *network.Network) { n.Heads = 4 },
		func(n *network.Network) { n.Projection, n.Projection2, n.Value2 = true, 0.5, 2*n.Value2 },
		func(n *network.Network) { n.Width = 150 },
		func(n *network.Network) { // the mean of a token is not 0 with this input only
			n.LayerNorm.Centred, n.LayerNorm.Affine, n.Input = true, true, network.Gaussian
		},
	} {
		n := Of(b, 0, 24, 48, layers)
		change(&n)
		compareCosines(t, b, curve, n, 32)
	}
}

func TestCosinesFollowTheTheory(t *testing.T) {
	longtest.Only(t)
	for kind := range propagation.Kind(len(propagation.KindNames)) {
		for _, activation := range []propagation.Activation{propagation.ReLU, propagation.Tanh} {
			checkCosines(t, bert(kind, activation, 0.5, 16), 32, 10, 32)
		}
	}
}

// gradientWidthTerm bounds the effect of a finite dimension on gradients, relative to the theory. Like
// widthTerm it is measured in networks of dimension 16 to 64.
func gradientWidthTerm(layer int, dim int64) float64 { return (1 + 0.5*float64(layer)) / float64(dim) }

// checkGradients compares the gradients of all five kinds of matrices in all layers with the theory. As there
// are so many, four standard errors are allowed: with ten layers a case fails by chance in one seed of 500.
func checkGradients(t *testing.T, b propagation.Block, dim, layers int64, networks int) {
	t.Helper()
	m := must.Get(propagation.NewMap(b))(t)
	curve := must.Get(m.Curve(propagation.State{Q: 1}, int(layers)))(t)
	runs := runsOf(t, Of(b, 0, int64(b.Tokens), dim, layers), networks, true)
	size := float64(dim*dim) * b.Tokens
	for layer := 1; layer <= int(layers); layer++ {
		g := must.Get(m.Gradients(curve[layer-1]))(t)
		theory := network.Gradients{Query: g.Query, Key: g.Query, Value: g.Value, Hidden: g.Hidden,
			Output: g.Output}
		for _, weights := range AllWeights() {
			want := weights.Of(theory)
			got := EstimateOf(runs, layer,
				func(l network.Layer) float64 { return weights.Of(l.Local) / size })
			if !(math.Abs(got.Value-want) <= 4*got.Stderr+gradientWidthTerm(layer, dim)*want) {
				t.Errorf("%v, %v, β = %g, layer %d, %s: %.5g ± %.2g, theory %.5g", b.Kind, b.Activation,
					b.Beta, layer, weights, got.Value, got.Stderr, want)
			}
		}
	}
}

// The values of β are below, near and above β_c.
func TestGradientsFollowTheTheory(t *testing.T) {
	longtest.Only(t)
	for kind := range propagation.Kind(len(propagation.KindNames)) {
		for _, beta := range []float64{0.5, 1.4, 2.5} {
			activation := propagation.Activation(kind) // another one for each kind of block
			checkGradients(t, bert(kind, activation, beta, 16), 32, 4, 40)
		}
	}
}

// The corrected Result 2 agrees with networks, and the printed one is far outside their interval. The values
// of β are below, near and above β_c, and one for which the printed result is negative.
func TestResult2Corrected(t *testing.T) {
	const tokens, dim, networks = 24, 64, 60
	for _, c := range []struct{ beta, p float64 }{{0.7, 0}, {1.4, 0.2}, {2.5, 0.1}, {8, 0}} {
		b := bert(propagation.PostNorm, propagation.ReLU, c.beta, tokens)
		state := propagation.State{Q: 1, P: c.p}
		row := must.Get(propagation.FiniteRow(tokens, propagation.ScoreDeviation(c.beta, tokens, 1, c.p)))(t)
		scale := math.Sqrt(math.Log(tokens))
		corrected := scale * propagation.QueryGradient(
			propagation.Attention{Beta: c.beta, SigmaV2: 0.2}, state, row)
		printed := scale * c.beta * 0.2 * (1 - c.p) * ((1-c.p)*(row.Y2-2*row.Y3) + c.p*row.Y2Squared)
		runs := runsOf(t, Of(b, c.p, tokens, dim, 1), networks, true)
		size := float64(dim * dim * tokens)
		for _, weights := range []Weights{Query, Key} {
			got := EstimateOf(runs, 1, func(l network.Layer) float64 { return weights.Of(l.Local) / size })
			allowed := 3*got.Stderr + gradientWidthTerm(1, dim)*corrected
			t.Logf("β = %g, p = %g, %s: %.5f ± %.5f, corrected %.5f, printed %.5f", c.beta, c.p, weights,
				got.Value, got.Stderr, corrected, printed)
			if !(math.Abs(got.Value-corrected) <= allowed) {
				t.Errorf("the corrected result is outside")
			}
			if math.Abs(got.Value-printed) < 2*allowed {
				t.Errorf("the printed result is inside")
			}
		}
	}
}

// Late tokens of causal networks follow the theory for as many tokens (C.6, Fig. 12), except for an error of
// the order of 1/t for a token that attends to t+1 tokens. At β = 0 the overlaps of all pairs are known
// exactly (UniformCausal); their mean over pairs of late tokens is that of networks.
func TestCausalNetworks(t *testing.T) {
	const tokens, dim, late, networks = 24, 48, 6, 200
	n := Of(bert(propagation.PostNorm, propagation.ReLU, 0, tokens), 0.2, tokens, dim, 1)
	n.Causal, n.Late, n.AlphaSA, n.AlphaMLP = true, late, 0, 0
	n.Norm, n.Activation = network.NoNorm, network.Linear
	n.Value2, n.Hidden2, n.Output2, n.Bias2 = 1, 1, 1, 0 // inner products are preserved in expectation
	got := EstimateOf(runsOf(t, n, networks, false), 1, func(l network.Layer) float64 { return l.P })
	start := make([]float64, tokens*tokens)
	for k := range start {
		start[k] = 0.2
		if k%(tokens+1) == 0 {
			start[k] = 1
		}
	}
	next := must.Get(propagation.UniformCausal(start, tokens, 1))(t)
	want, pairs := 0.0, 0.0
	for i := tokens - late; i < tokens; i++ {
		for j := tokens - late; j < i; j++ {
			want += next[i*tokens+j]
			pairs++
		}
	}
	want /= pairs
	t.Logf("overlap %.5f ± %.5f, theory %.5f", got.Value, got.Stderr, want)
	if !(math.Abs(got.Value-want) <= 4*got.Stderr) {
		t.Errorf("overlap of late tokens %g ± %g, theory %g", got.Value, got.Stderr, want)
	}
}

// Theorem 3.2 of Noci et al.: if all tokens coincide, the gradients of queries and keys vanish, both those of
// a layer's attention and those of the output of the whole network. The gradients of values do not.
func TestGradientsVanishAtRankOne(t *testing.T) {
	for _, kind := range []propagation.Kind{propagation.PostNorm, propagation.PreNorm} {
		runs := runsOf(t, Of(bert(kind, propagation.GELU, 2, 8), 1, 8, 16, 3), 2, true)
		for _, layers := range runs {
			for layer, l := range layers[1:] {
				for _, g := range []network.Gradients{l.Local, l.Whole} {
					if !(g.Query <= 1e-24*g.Value && g.Key <= 1e-24*g.Value && g.Value > 0) {
						t.Errorf("%v, layer %d: %+v", kind, layer+1, g)
					}
				}
			}
		}
	}
}
