//go:build long

package networks

import (
	"math"
	"testing"

	"antipode/experiments/internal/statistics"
	"antipode/overlap/propagation"
	"antipode/sde/network"
	"antipode/sphere/must"
)

// All kinds of blocks with two activations: two of them at the size of the paper's model, and the others at a
// quarter of it.
func TestLargeNetworksFollowTheTheory(t *testing.T) {
	for kind := range propagation.Kind(len(propagation.KindNames)) {
		for _, activation := range []propagation.Activation{propagation.ReLU, propagation.Tanh} {
			dim := int64(128)
			if kind == propagation.PostNorm && activation == propagation.ReLU ||
				kind == propagation.GainPreNorm && activation == propagation.Tanh {
				dim = 512
			}
			checkCosines(t, bert(kind, activation, 0.5, dim/2), dim, 10, 16)
		}
	}
}

func TestGradientsOfLargerNetworks(t *testing.T) {
	for _, beta := range []float64{0.5, 1.4, 2.5} {
		checkGradients(t, bert(propagation.PostNorm, propagation.GELU, beta, 64), 128, 10, 16)
	}
}

// The cosine in networks differs from the theory for the same number of tokens by a term that falls like 1/d.
// The difference is visible at the smallest of three sizes. At each size it is at most the width term, and at
// twice the size at most 0.6 times what it was, up to three standard errors.
func TestWidthTermFallsLikeOneOverD(t *testing.T) {
	const layers = 10
	before := statistics.Estimate{Value: math.Inf(1)}
	for _, size := range []struct {
		dim      int64
		networks int
	}{{16, 2000}, {32, 1000}, {64, 500}} {
		b := bert(propagation.PostNorm, propagation.ReLU, 0.5, size.dim/2)
		m := must.Get(propagation.NewMap(b))(t)
		curve := must.Get(m.Curve(propagation.State{Q: 1}, layers))(t)
		runs := runsOf(t, Of(b, 0, size.dim/2, size.dim, layers), size.networks, false)
		lack := EstimateOf(runs, layers,
			func(l network.Layer) float64 { return curve[layers].Cosine() - l.Cosine })
		t.Logf("d = %d: theory less networks %.5f ± %.5f, times d %.3f", size.dim, lack.Value, lack.Stderr,
			lack.Value*float64(size.dim))
		switch {
		case math.Abs(lack.Value) > widthTerm(layers, size.dim)+3*lack.Stderr:
			t.Errorf("more than the width term, %g", widthTerm(layers, size.dim))
		case math.IsInf(before.Value, 1):
			if lack.Value < 5*lack.Stderr {
				t.Errorf("too few networks to see it")
			}
		case lack.Value > 0.6*before.Value+3*math.Hypot(lack.Stderr, 0.6*before.Stderr):
			t.Errorf("it does not fall like 1/d")
		}
		before = lack
	}
}

// The gradient of queries after four layers differs from the theory, relative to the theory, by at most the
// width term, up to three standard errors. The difference is too small to test how it falls with the size.
func TestGradientWidthTerm(t *testing.T) {
	const layers = 4
	for _, size := range []struct {
		dim      int64
		networks int
	}{{16, 2000}, {32, 1000}, {64, 300}} {
		b := bert(propagation.PostNorm, propagation.ReLU, 0.5, size.dim/2)
		m := must.Get(propagation.NewMap(b))(t)
		curve := must.Get(m.Curve(propagation.State{Q: 1}, layers))(t)
		g := must.Get(m.Gradients(curve[layers-1]))(t)
		runs := runsOf(t, Of(b, 0, size.dim/2, size.dim, layers), size.networks, true)
		scale := float64(size.dim*size.dim*size.dim/2) * g.Query
		excess := EstimateOf(runs, layers, func(l network.Layer) float64 { return l.Local.Query/scale - 1 })
		t.Logf("d = %d: relative excess of networks %.4f ± %.4f, times d %.2f", size.dim, excess.Value,
			excess.Stderr, excess.Value*float64(size.dim))
		if !(math.Abs(excess.Value) <= gradientWidthTerm(layers, size.dim)+3*excess.Stderr) {
			t.Errorf("more than the width term, %g", gradientWidthTerm(layers, size.dim))
		}
	}
}
