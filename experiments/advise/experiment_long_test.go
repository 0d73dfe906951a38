//go:build long

package advise

import (
	"math"
	"testing"

	"antipode/experiments/internal/networks"
	"antipode/sde/network"
	"antipode/sphere/must"
)

// simulated returns the layers of some networks with an experiment's shape, without gradients.
func simulated(t *testing.T, e *Experiment, count int) [][]network.Layer {
	t.Helper()
	ensemble := network.Ensemble{Network: e.network(), Networks: count, Seed: 1}
	runs := must.Get(ensemble.Run(t.Context()))(t)
	return runs
}

// For 8 networks of each model of 768 dimensions, and of GPT-2 without the residual scale 1/√(2L), at least
// 95 % of the cosines of layers are in the band, and their means are within 0.03 of the theory. The seed is
// fixed.
func TestModelsAgainstNetworks(t *testing.T) {
	unscaled := func(e *Experiment) {
		e.be(gpt2)
		deviation := usualDeviation
		e.Projection, e.Output = &deviation, deviation
	}
	small := func(e *Experiment) { // a small model of Llama's kind
		e.setSize(size{layers: 12, dim: 768, heads: 12, width: 3072, deviation: usualDeviation})
		e.beLlama()
	}
	for name, set := range map[string]func(e *Experiment){
		bert: func(e *Experiment) { e.be(bert) }, gpt2: func(e *Experiment) { e.be(gpt2) },
		"gpt2 unscaled": unscaled, vit: func(e *Experiment) { e.be(vit) }, llama: small,
	} {
		e := New()
		set(e)
		e.Tokens = 24
		rows := must.Get(e.theory())(t)
		inside, all := 0, 0
		runs := simulated(t, e, 8)
		for l, r := range rows {
			mean := 0.0
			for _, layers := range runs {
				mean += layers[l].Cosine / 8
				if all++; r.Low <= layers[l].Cosine && layers[l].Cosine <= r.High {
					inside++
				}
			}
			if !(math.Abs(mean-r.Cosine) <= 0.03) {
				t.Errorf("%s, layer %d: cosine %g, theory %g", name, l, mean, r.Cosine)
			}
		}
		t.Logf("%s: %d of %d in the band", name, inside, all)
		if float64(inside) < 0.95*float64(all) {
			t.Errorf("%s: only %d of %d cosines are in the band", name, inside, all)
		}
	}
}

// In each shape the mean cosine of 8 networks exceeds 0.9 at a depth within 10 % of the one that the theory
// predicts, interpolated between layers. The shapes have 192 dimensions, as the mean does not depend on the
// width, and the models' variances times the number of inputs. The seed is fixed.
func TestCollapseDepths(t *testing.T) {
	for name, c := range map[string]struct {
		model  string
		layers int64
		values float64 // factor of their standard deviation
	}{
		"BERT": {bert, 40, 1}, "BERT, larger values": {bert, 14, 2}, "GPT-2 unscaled": {gpt2, 48, 2},
		"ViT, larger values": {vit, 16, 3}, "Llama, larger values": {llama, 24, 3},
	} {
		e := New()
		e.be(c.model)
		embedding := 0.04
		if c.model == gpt2 || c.model == llama {
			embedding = 0.02
		}
		e.Layers, e.Dim, e.Heads, e.Width, e.Tokens = c.layers, 192, 3, 768, 24
		projection := 2 * usualDeviation
		e.Query, e.Hidden, e.Output, e.Projection = projection, projection, projection, &projection
		e.Value, e.Embedding, e.Features = c.values*projection, embedding, min(e.Features, 192)
		rows := must.Get(e.theory())(t)
		runs := simulated(t, e, 8)
		theory := passing(rows, func(r Row) float64 { return r.Cosine })
		measured := passing(rows, func(r Row) float64 {
			return networks.EstimateOf(runs, int(r.Layer),
				func(l network.Layer) float64 { return l.Cosine }).Value
		})
		t.Logf("%s: 0.9 after layer %.2f, theory %.2f", name, measured, theory)
		if !(math.Abs(measured/theory-1) <= 0.1) {
			t.Errorf("%s: 0.9 after layer %.2f, theory %.2f", name, measured, theory)
		}
	}
}

// passing returns the depth at which a quantity reaches 0.9, interpolated linearly between layers; NaN if it
// does not.
func passing(rows []Row, of func(r Row) float64) float64 {
	for l := range rows[1:] {
		if before, after := of(rows[l]), of(rows[l+1]); before < 0.9 && after >= 0.9 {
			return float64(l) + (0.9-before)/(after-before)
		}
	}
	return math.NaN()
}
