package verify

import (
	"fmt"
	"math"

	random "antipode/experiments/internal/networks"
	"antipode/overlap/propagation"
	"antipode/sde/network"
)

var networks = []Claim{
	{
		"networks-cosine", Propagation, "Algorithms 1 to 3",
		"for each of the four kinds of block, random networks follow its map after every layer",
		"a LayerNorm, gain, bias or residual connection at another place in map or network", networksCosine,
	},
	{
		"networks-gradients", Propagation, "Result 2, (39)",
		"gradients of networks are those of the theory at every layer, below and above β_c",
		"a gradient of networks or of the theory that misses a path or a factor, in any of its matrices",
		networksGradients,
	},
	{
		"networks-result2", Propagation, "(13)",
		"query and key gradients of networks agree with the corrected bracket, not the printed one",
		"the printed bracket for queries and keys", networksResult2,
	},
	{
		"networks-trainability", Propagation, "Algorithm 1, Fig. 1c",
		"tokens pass 60 layers of networks from the residual strength α_c on, and collapse below it",
		"a critical strength that networks do not have, or one that depends on β below β_c",
		networksTrainability,
	},
	{
		"networks-causal", Propagation, "Section 5, Fig. 12",
		"causal tokens at β = 0 have the overlaps σ_v² A Q Aᵀ + α² Q after every layer",
		"attention without the mask, or a mean that leaves out a token itself", networksCausal,
	},
}

// finiteNetwork returns a simulated network whose layers are blocks of the paper's BERT model, and the
// theoretical map of such a block. The network has half as many tokens as dimensions, and its input tokens
// have squared norm 1 per dimension and overlap p.
func finiteNetwork(
	kind propagation.Kind, activation propagation.Activation, beta, p float64, dim, layers int,
) (network.Network, *propagation.Map) {
	b := blockOf(kind, activation)
	b.Beta, b.Tokens = beta, float64(dim/2)
	m := must(propagation.NewMap(b))
	return random.Of(b, p, int64(dim/2), int64(dim), int64(layers)), m
}

// sample evaluates independent random networks and returns their layers. The argument count is the usual
// number of networks.
func sample(f *fixture, n network.Network, count int, gradients bool) [][]network.Layer {
	e := network.Ensemble{
		Network: f.network(n), Networks: int(f.samples(int64(count))), Seed: f.seed, Gradients: gradients,
		Workers: 1,
	}
	return must(e.Run(f.context))
}

// meanAfter estimates the mean over networks of a number after the layer with the given index.
func meanAfter(runs [][]network.Layer, layer int, number func(network.Layer) float64) estimate {
	return meanOf(runs, func(layers []network.Layer) float64 { return number(layers[layer]) })
}

// networksCosine compares the cosines of tokens in random networks with the map of their block.
// networksCosine allows for an effect of the width d of 0.15 ℓ/d after layer ℓ, the largest effect that
// networks of dimension 16 to 64 show.
func networksCosine(f *fixture, r *report) {
	const dim, layers = 48, 8
	for kind := range propagation.Kind(len(propagation.KindNames)) {
		for activation := range parts(r, []propagation.Activation{propagation.ReLU, propagation.Tanh}) {
			n, m := finiteNetwork(kind, activation, 0.5, 0, dim, layers)
			curve := must(m.Curve(propagation.State{Q: 1}, layers))
			runs := sample(f, n, 48, false)
			for _, layer := range []int{1, layers / 2, layers} {
				got := meanAfter(runs, layer, func(l network.Layer) float64 { return l.Cosine })
				r.normal(kind.String()+", "+activation.String()+", layer "+number(float64(layer)),
					curve[layer].Cosine(), got, 0.006*float64(layer), 0.15*float64(layer)/dim)
			}
		}
	}
}

// networksGradients compares gradients in random networks with the theory. networksGradients allows for an
// effect of the width d: a relative change of (1+ℓ/2)/d of a gradient of layer ℓ.
func networksGradients(f *fixture, r *report) {
	const dim, layers = 32, 3
	size := float64(dim * dim * dim / 2)
	for beta := range parts(r, []float64{0.5, 1.4, 2.5}) {
		n, m := finiteNetwork(propagation.PreNorm, propagation.ReLU, beta, 0, dim, layers)
		curve := must(m.Curve(propagation.State{Q: 1}, layers))
		runs := sample(f, n, 160, true)
		for layer := 1; layer <= layers; layer += layers - 1 {
			want := must(m.Gradients(curve[layer-1]))
			where := ", β=" + number(beta) + ", layer " + number(float64(layer))
			check := func(what string, predicted float64, of func(g network.Gradients) float64) {
				got := meanAfter(runs, layer, func(l network.Layer) float64 { return of(l.Local) / size })
				r.normal(what+where, predicted, got, 0.3*predicted, (1+0.5*float64(layer))/dim*predicted)
			}
			check("queries", want.Query, func(g network.Gradients) float64 { return g.Query })
			check("keys", want.Query, func(g network.Gradients) float64 { return g.Key })
			check("values", want.Value, func(g network.Gradients) float64 { return g.Value })
			check("MLP", want.Hidden, func(g network.Gradients) float64 { return g.Hidden })
		}
	}
}

func networksResult2(f *fixture, r *report) {
	const dim = 48
	size := float64(dim * dim * dim / 2)
	for c := range parts(r, []struct{ beta, p, found float64 }{
		{2.5, 0.1, 0.5}, {1.4, 0.2, 0.3}, {8, 0, 0.5},
	}) {
		n, m := finiteNetwork(propagation.PostNorm, propagation.ReLU, c.beta, c.p, dim, 1)
		want := must(m.Gradients(propagation.State{Q: 1, P: c.p}))
		row := must(f.row(dim/2, propagation.ScoreDeviation(c.beta, dim/2, 1, c.p)))
		runs := sample(f, n, 200, true)
		bracket := float64((1-c.p)*(row.Y2-2*row.Y3)) + float64(c.p*row.Y2Squared)
		printed := n.QueryKey2 * 0.2 * (1 - c.p) * bracket
		for k, name := range []string{"queries", "keys"} {
			got := meanAfter(runs, 1,
				func(l network.Layer) float64 { return []float64{l.Local.Query, l.Local.Key}[k] / size })
			r.normal(name+", β="+number(c.beta)+", p="+number(c.p), want.Query, got, c.found*want.Query,
				1.5/dim*want.Query)
			r.refute(printed)
		}
	}
}

// networksTrainability passes tokens through networks of 60 layers, for strengths of the residual connection
// below and above α_c and for two values of β below β_c. networksTrainability compares the final cosines of
// tokens with the cosines of the theory, up to the effect of the width. The cosines are not compared with the
// threshold of trainability.
func networksTrainability(f *fixture, r *report) {
	const depth, dim, count, collapsed, start = 60, 64, 40, 0.95, 0.1
	b := blockOf(propagation.PostNorm, propagation.ReLU)
	state := propagation.State{Q: 1, P: start}
	alpha, _, err := propagation.CriticalAlpha(b, state, depth, collapsed)
	ensure(err)
	for _, beta := range []float64{0.2, 0.6} {
		for factor := range parts(r, []float64{0.6, 0.8, 1.5}) {
			b.Beta, b.AlphaSA = beta, factor*alpha
			m := must(propagation.NewMap(b))
			signal := must(m.Signal(state, depth))
			allowance := widthEffect(m, must(m.Curve(state, depth)), dim)
			runs := sample(f, random.Of(b, start, dim/2, dim, depth), count, false)
			cosine := meanAfter(runs, depth, func(l network.Layer) float64 { return l.Cosine })
			far := math.Abs(signal.Cosine - collapsed)
			r.normal(fmt.Sprintf("cosine after 60 layers, β = %g, α = %g α_c", beta, factor),
				signal.Cosine, cosine, 0.35*far, allowance)
			r.refute(collapsed)
		}
	}
}

// widthEffect bounds the difference between the mean cosine of tokens in networks of width d and the last
// cosine of the theoretical curve. A layer of the theory changes the cosine c to c+Δ. The cosine after a
// layer of width d differs from c+Δ by up to 10Δ/d on average, with a variance of up to 1.6Δ/d. Measured in
// networks of one layer, with d = 32 and 64 and c from 0.1 to 0.95, the two factors are at most 10.0 and 1.5.
// The following layers propagate the mean difference and the variance. The variance contributes by half the
// second derivative of the map from c to the final cosine.
func widthEffect(m *propagation.Map, curve []propagation.State, dim float64) (effect float64) {
	const bias, variance, shift = 10, 1.6, 1e-4
	for layer := 1; layer < len(curve); layer++ {
		cosine, rest := curve[layer].Cosine(), len(curve)-1-layer
		apart := shift * (1 - cosine)
		var end [3]float64 // final cosines, of starts below, at and above the cosine
		for k := range end {
			start := propagation.State{Q: 1, P: cosine + float64(k-1)*apart}
			end[k] = must(m.Curve(start, rest))[rest].Cosine()
		}
		slope, curvature := (end[2]-end[0])/(2*apart), (end[2]-2*end[1]+end[0])/square(apart)
		step := math.Abs(cosine-curve[layer-1].Cosine()) / dim
		effect += float64(step * (bias*math.Abs(slope) + 0.5*variance*math.Abs(curvature)))
	}
	return effect
}

// networksCausal passes tokens of overlap 0.2 through attention alone, without LayerNorm. For such networks
// the recursion of the overlaps is exact at every width.
func networksCausal(f *fixture, r *report) {
	const tokens, layers, variance, alpha, p = 10, 3, 0.7, 0.9, 0.2
	q := make([]float64, tokens*tokens)
	for k := range q {
		q[k] = p
		if k%(tokens+1) == 0 {
			q[k] = 1
		}
	}
	for range layers {
		next := must(propagation.UniformCausal(q, tokens, variance))
		for k := range q {
			q[k] = math.FMA(alpha*alpha, q[k], next[k])
		}
	}
	for late := range parts(r, []int{2, tokens}) {
		n := network.Network{Norm: network.NoNorm, Tokens: tokens, Dim: 24, Heads: 1, Layers: layers,
			AttentionOnly: true, Uniform: true, Causal: true, Value2: variance, AlphaSA: alpha,
			Q: 1, P: p, Late: late}
		want := 0.0
		for t := tokens - late; t < tokens; t++ {
			for s := tokens - late; s < t; s++ {
				want += q[t*tokens+s] / float64(late*(late-1)/2)
			}
		}
		got := meanAfter(sample(f, n, 3000, false), layers, func(l network.Layer) float64 { return l.P })
		r.normal("inner product of the last "+number(float64(late)), want, got, 0.08*want, 0)
	}
}
