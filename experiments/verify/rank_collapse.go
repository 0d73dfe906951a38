package verify

import (
	"math"

	uniform "antipode/overlap/collapse"
	"antipode/sde/network"
)

var rankCollapse = []Claim{
	{
		"uniform-gradients", RankCollapse, "Lemma 3.1, (17), (18)",
		"gradients of uniform attention; for queries (18) lacks the factor 1+4(1-ρ)/nd",
		"(18) as it is printed, or gradients that are wrong for few tokens", uniformGradients,
	},
	{
		"rank-one", RankCollapse, "Theorem 3.2",
		"where all tokens agree gradients of queries and keys vanish, and those of values do not",
		"gradients of queries and keys that do not vanish where scores have no effect", rankOne,
	},
	{
		"norm-propagation", RankCollapse, "Lemmas 3.2, 3.3",
		"norms and inner products grow as stated, with residual scaling 1/√L and without",
		"residual branches scaled by α for α², or one of the two left out", normPropagation,
	},
	{
		"correlation-limit", RankCollapse, "Theorem 3.3",
		"correlations tend to (15) with 1/√L, without it to 1; if tokens sum to 0, to -1/(n-1)",
		"limits of the recursion that are not those it goes to; tokens of sum 0 treated as all others",
		correlationLimit,
	},
	{
		"uniform-limit", RankCollapse, "Theorem A.7, A.2",
		"attention becomes uniform like 1/d_k² as the dimension of keys grows",
		"a distance from uniform attention that falls like 1/d_k, or Glorot's variance without d_k",
		uniformLimit,
	},
	{
		"uniform-derivative", RankCollapse, "Theorem A.2",
		"∂A/∂M becomes uniform too: its distance is 1-2/n times that of attention",
		"the derivative of softmax without δ1ᵀ+1δᵀ, or that of a row without its own weights",
		uniformDerivative,
	},
	{
		"input-gradient", RankCollapse, "Lemma A.3, (8), (25), (36)",
		"input gradients exceed (25) with (36), and bound (8) for large tokens that are much alike",
		"(36) as it is printed, or a gradient that leaves out queries, keys, values or what the first " +
			"two share",
		inputGradient,
	},
	{
		"temperature", RankCollapse, "(46), (47)",
		"there is a temperature at which the gradients of queries and values match",
		"τ instead of τ² or 1/τ, a factor in the gradients of queries, or none of ρ", temperature,
	},
	{
		"value-gradients", RankCollapse, "Figs. 3, 9",
		"gradients of values grow with the layer post-norm, and fall pre-norm",
		"pre-norm instead of post-norm, or gradients that are those of a layer alone", valueGradients,
	},
}

// plainNetwork returns a network without LayerNorm, with Gaussian tokens and weights of variance 1/d. The
// argument branch is the squared strength of the residual branches.
func plainNetwork(tokens, dim, layers int, variance, rho, branch float64) network.Network {
	return network.Network{
		Norm: network.NoNorm, Activation: network.Linear, Tokens: tokens, Dim: dim, Heads: 1,
		Layers: layers, Uniform: true,
		QueryKey2: 1, Value2: branch, Hidden2: 1, Output2: branch, AlphaSA: 1, AlphaMLP: 1,
		Input: network.Gaussian, Q: variance, P: rho * variance,
	}
}

// uniformGradients compares gradients under uniform attention with the theory. uniformGradients uses few
// tokens of small dimension, for which the error of (18) is large.
func uniformGradients(f *fixture, r *report) {
	const tokens, dim, variance = 2, 3, 1.2
	g := uniform.Gaussian{Tokens: tokens, Dim: dim, Variance: variance}
	runs := sample(f, plainNetwork(tokens, dim, 1, variance, 0, 1), 200_000, true)
	query := must(g.QueryGradient(1))
	value := must(g.ValueGradient())
	const printed = variance * variance * variance * (tokens - 1.) / tokens * dim * (tokens + dim)
	for k, name := range []string{"queries", "keys"} {
		got := meanAfter(runs, 1,
			func(l network.Layer) float64 { return []float64{l.Local.Query, l.Local.Key}[k] })
		r.normal(name, query, got, 0.3*query, 0)
		r.beyond(name+", (18)", printed, query, got)
	}
	r.normal("values", value, meanAfter(runs, 1, func(l network.Layer) float64 { return l.Local.Value }),
		0.04*value, 0)
}

func rankOne(f *fixture, r *report) {
	n := plainNetwork(5, 8, 2, 1, 1, 1)
	n.Uniform, n.Input = false, network.Simplex
	runs := sample(f, n, 4, true)
	for _, layers := range runs {
		for _, layer := range layers[1:] {
			for _, g := range []network.Gradients{layer.Local, layer.Whole} {
				r.equal("queries over values", 0, g.Query/g.Value, 1e-24)
				r.equal("keys over values", 0, g.Key/g.Value, 1e-24)
			}
		}
	}
}

func normPropagation(f *fixture, r *report) {
	const tokens, dim, layers = 6, 16, 5
	const q, p = 1.1, 0.33
	for branch := range parts(r, []float64{1. / layers, 1}) {
		residual := f.residual(uniform.Residual{Attention: branch, MLP: branch})
		theory := must(uniform.Alike(tokens, dim*q, dim*p).After(residual, layers))
		runs := sample(f, plainNetwork(tokens, dim, layers, q, p/q, branch), 10_000, false)
		square := func(l network.Layer) float64 { return tokens * dim * l.Q }
		inner := func(l network.Layer) float64 { return tokens * dim * (l.Q + (tokens-1)*l.P) }
		where := ", α²=" + number(branch)
		r.normal("‖X‖²"+where, theory.Square, meanAfter(runs, layers, square), 0.1*theory.Square, 0)
		r.normal("C(X)"+where, theory.Inner, meanAfter(runs, layers, inner), 0.1*theory.Inner, 0)
	}
}

func correlationLimit(f *fixture, r *report) {
	const layers = 10_000
	start := uniform.Alike(9, 1, 0.2)
	limit := must(start.Scaled(f.residual(uniform.Residual{Attention: 1.5, MLP: 0.5})))
	weak := f.residual(uniform.Residual{Attention: 1.5 / layers, MLP: 0.5 / layers})
	deep := must(start.After(weak, layers))
	r.equal("scaled", limit.Correlation(), deep.Correlation(), 1e-4)
	for _, s := range []uniform.Stream{start, {Tokens: 9, Square: 9}} {
		constant := f.residual(uniform.Residual{Attention: 0.5, MLP: 0.5})
		want := must(s.DeepCorrelation(constant))
		deep = must(s.After(constant, 200))
		r.equal("constant, C(X)="+number(s.Inner), want, deep.Correlation(), 1e-12)
	}
	r.refute(1)
}

// uniformLimit measures how fast attention becomes uniform as the dimension d_k of keys grows. uniformLimit
// allows for the term of next order, which is half of the variance (2d/(d+d_k))² of the scores.
func uniformLimit(f *fixture, r *report) {
	const tokens, dim = 8, 12
	for keys := range parts(r, []int{100, 400}) {
		n := plainNetwork(tokens, dim, 1, 1, 0, 1)
		n.Uniform, n.KeyDim, n.QueryKey2 = false, keys, dim*uniform.Glorot(dim, keys)
		runs := sample(f, n, 600, false)
		want := must(uniform.Gaussian{Tokens: tokens, Dim: dim, Variance: 1}.Distance(keys))
		scores := square(2 * dim / float64(dim+keys))
		got := meanAfter(runs, 1, func(l network.Layer) float64 { return tokens * l.Excess })
		r.normal("‖A-1/n‖² at d_k="+number(float64(keys)), want, got, 0.15*want, 0.5*scores*want)
	}
}

// uniformDerivative measures how fast the derivative of attention becomes uniform. uniformDerivative uses few
// tokens n, for which the predicted factor 1-2/n is far from 1.
func uniformDerivative(f *fixture, r *report) {
	const tokens, dim = 4, 12
	for keys := range parts(r, []int{150, 600}) {
		n := plainNetwork(tokens, dim, 1, 1, 0, 1)
		n.Uniform, n.KeyDim, n.QueryKey2 = false, keys, dim*uniform.Glorot(dim, keys)
		runs := sample(f, n, 2000, false)
		input := uniform.Gaussian{Tokens: tokens, Dim: dim, Variance: 1}
		want := must(input.DerivativeDistance(keys))
		attention := must(input.Distance(keys))
		scores := square(2 * dim / float64(dim+keys))
		got := meanAfter(runs, 1, func(l network.Layer) float64 { return tokens * l.Jacobian })
		r.normal("‖∂A/∂M-(I-1/n)/n‖² at d_k="+number(float64(keys)), want, got, 0.15*want,
			0.5*scores*want)
		r.refute(attention)
	}
}

// inputGradient measures the gradient with respect to the input of a layer, with tokens of large norm that
// are nearly equal.
func inputGradient(f *fixture, r *report) {
	const tokens, dim, variance, rho = 4, 6, 16, 0.95
	g := uniform.Gaussian{Tokens: tokens, Dim: dim, Variance: variance, Correlation: rho}
	runs := sample(f, plainNetwork(tokens, dim, 1, variance, rho, 1), 50_000, true)
	want := must(g.InputGradient(1))
	bound := must(g.PrintedInputBound())
	got := meanAfter(runs, 1, func(l network.Layer) float64 { return l.Local.Input })
	r.normal("E‖∂S/∂X‖²", want, got, 0.08*want, 0)
	// scatter is E‖XᵀLX‖²/d² for tokens X. Equation (36) contains this factor for the gradient through
	// queries and for the gradient through keys.
	const scatter = variance * variance * (1 - rho) * (1 - rho) * (tokens - 1) * (tokens + dim) / dim
	const printed = dim + (2.*dim/tokens+2./(tokens*tokens))*scatter
	r.beyond("with (36)", printed, want, got)
	r.beyond("bound (8)", bound, want, got)
}

// temperature measures the ratio of the squared gradients with respect to values and to queries at the
// temperature τ = 1. The squared gradient with respect to queries is proportional to τ². The measured ratio
// is therefore τ² of the temperature τ at which the two gradients match.
func temperature(f *fixture, r *report) {
	const tokens, dim, variance = 4, 6, 0.5
	for rho := range parts(r, []float64{0, 0.4}) {
		input := uniform.Gaussian{Tokens: tokens, Dim: dim, Variance: variance, Correlation: rho}
		tau := must(input.Temperature())
		runs := sample(f, plainNetwork(tokens, dim, 1, variance, rho, 1), 20_000, true)
		ratio := ratioOf(runs, func(layers []network.Layer) float64 { return layers[1].Local.Value },
			func(layers []network.Layer) float64 { return layers[1].Local.Query })
		r.normal("τ², ρ="+number(rho), square(tau), ratio, 0.12*square(tau), 0)
	}
}

// valueGradients compares how the gradients with respect to values grow with the layer with means that were
// measured on 512 networks. valueGradients compares means of logarithms. The gradients of a few networks are
// so large that means of the gradients themselves would need a hundred times as many networks.
func valueGradients(f *fixture, r *report) {
	const layers = 12
	for norm, expected := range []float64{network.PostNorm: 1.65, network.PreNorm: -1.27} {
		n := plainNetwork(32, 32, layers, 1, 0, 1)
		n.Norm, n.LayerNorm = network.Placement(norm), network.LayerNorm{Centred: true, Epsilon: 1e-5}
		n.Uniform, n.Activation, n.Hidden2 = false, network.ReLU, 2
		growth := meanOf(sample(f, n, 64, true), func(l []network.Layer) float64 {
			return math.Log(l[layers].Whole.Value / l[2].Whole.Value)
		})
		r.beyond(n.Norm.String()+", log of layer 12 over layer 2", 0, expected, growth)
	}
}
