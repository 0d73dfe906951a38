package verify

import (
	"math"

	"antipode/overlap/propagation"
)

var attentionClaims = []Claim{
	{
		"result1", Propagation, "Result 1",
		"attention is spread below β_c = √(2/(q(q-p))), where tokens collapse, and condensed above",
		"a critical β without the norms of the tokens; a layer that is spread above or condensed below it",
		result1,
	},
	{
		"participation", Propagation, "(12)",
		"participation ratios are those of the random energy model, Poisson-Dirichlet as T → ∞",
		"a quadrature over rows that is wrong at T tokens, or a limit that is not Poisson-Dirichlet",
		participation,
	},
	{
		"attention-map", Propagation, "(14)",
		"a layer takes the norm to p+(q-p)Y₂, the overlap to p+(q-p)Y, with rows of T tokens",
		"a norm or overlap after attention that is computed from the limit, or with q and p exchanged",
		attentionMap,
	},
	{
		"phi-s", Propagation, "B.2.3",
		"the cosine after a layer is ρ/(ρ+(1-ρ)Y₂), not ρ/(1+(1-ρ)Y₂) as there",
		"the printed cosine, with 1 instead of ρ", phiS,
	},
	{
		"residual", Propagation, "(15), B.5.1",
		"a residual connection adds α²q to q and α²p to p, not α²p to both as in B.5.1",
		"α instead of α², or α²p instead of α²q; LayerNorm after attention instead of before it", residual,
	},
	{
		"result2", Propagation, "Result 2, (39)",
		"query gradients: the bracket is (q-p)(Y₂-2Y₃+E(Y₂)²) ≥ 0; as printed it may be negative",
		"the printed bracket; a missing power of q-p", result2,
	},
	{
		"entropy-share", Propagation, "(33)",
		"below β_c the entropy of a row per log T is 1-β²/β_c², not 1-β²/β_c",
		"β²/β_c for (β/β_c)²; an entropy in another base", entropyShare,
	},
	{
		"moment-exponent", Propagation, "(34)",
		"below β_c/√3 Y₂ is of the order T^(2β²/β_c²-1), not T^(β²/β_c²-1)",
		"an exponent without the factor 2, as in (34)", momentExponent,
	},
	{
		"bert-beta", Propagation, "version 1, B.1",
		"BERT-base at T = 512 starts at β = 0.123, not 0.016",
		"d_H for d in the variance of a score, or √log T taken twice", bertBeta,
	},
}

// sampledMap samples the squared norms and the overlaps of tokens after an attention layer with value weights
// of scale σ_v = 1. The rows of attention are sampled by twoRows.
func sampledMap(f *fixture, tokens int, beta float64) (states []propagation.State) {
	gap := sampledState.Q - sampledState.P
	twoRows(f, pairNumbers, tokens, beta, func(first, second []float64) {
		both := 0.0
		for s, w := range first {
			both += float64(w * second[s])
		}
		states = append(states, propagation.State{
			Q: sampledState.P + float64(gap*powerSums(first)[0]), P: sampledState.P + float64(gap*both),
		})
	})
	return states
}

func norm(s propagation.State) float64        { return s.Q }
func meanOverlap(s propagation.State) float64 { return s.P }

func attentionMap(f *fixture, r *report) {
	const tokens = 100
	for beta := range parts(r, []float64{0.7, 2}) {
		states := sampledMap(f, tokens, beta)
		after := must(propagation.Attention{Beta: beta, SigmaV2: 1, Tokens: tokens}.Step(sampledState))
		r.normal("norm, β="+number(beta), after.Q, meanOf(states, norm), 0.025, 0)
		r.normal("overlap, β="+number(beta), after.P, meanOf(states, meanOverlap), 0.025, 0)
	}
}

// phiS compares the cosine of two tokens after a layer, computed from sampled norms and overlaps, with the
// theory. The theory neglects the overlap of two rows of attention, which is of order 1/T for T tokens; this
// order is the allowance.
func phiS(f *fixture, r *report) {
	const tokens, beta = 100, 2
	states := sampledMap(f, tokens, beta)
	row := must(f.row(tokens,
		propagation.ScoreDeviation(beta, tokens, sampledState.Q, sampledState.P)))
	rho := sampledState.Cosine()
	const rowsInCommon = 0.06
	r.normal("cosine", rho/(rho+(1-rho)*row.Y2), ratioOf(states, meanOverlap, norm), 0.02, rowsInCommon)
	r.refute(rho / (1 + (1-rho)*row.Y2))
}

// residual adds α times the input of an attention layer to its output, for two normalised tokens and random
// value matrices. On average over value matrices, the squared norms of the two terms add up, and so do their
// overlaps, in every dimension. The prediction is the map of a block whose MLP is 0.
func residual(f *fixture, r *report) {
	const dim, alpha, samples = 24, 1.5, 3000
	m := must(propagation.NewMap(f.block(propagation.Block{
		Kind: propagation.PreNorm, SigmaV2: 1, AlphaSA: alpha, AlphaMLP: 1, Tokens: 2,
	})))
	want := must(m.Step(sampledState))
	x := [2][]float64{make([]float64, dim), make([]float64, dim)} // tokens with squared norm q, overlap p
	x[0][0] = math.Sqrt(dim * sampledState.Q)
	x[1][0] = dim * sampledState.P / x[0][0]
	x[1][1] = math.Sqrt(dim*sampledState.Q - square(x[1][0]))
	mean := make([]float64, dim) // uniform attention maps both tokens to their mean
	for k := range mean {
		mean[k] = 0.5 * (x[0][k] + x[1][k]) / math.Sqrt(sampledState.Q)
	}
	normals := f.normals(residualNumbers, dim*dim)
	value := make([]float64, dim*dim)
	var norms, overlaps []float64
	for range f.samples(samples) {
		normals(value)
		var q, p float64
		for i := range dim {
			sum := 0.0
			for k, v := range mean {
				sum += float64(value[i*dim+k]*v) / math.Sqrt(dim)
			}
			a, b := alpha*x[0][i]+sum, alpha*x[1][i]+sum
			q += square(a) / dim
			p += float64(a*b) / dim
		}
		norms, overlaps = append(norms, q), append(overlaps, p)
	}
	r.normal("norm", want.Q, meanOf(norms, identity), 0.07, 0)
	r.refute(want.Q - square(alpha)*(sampledState.Q-sampledState.P))
	r.normal("overlap", want.P, meanOf(overlaps, identity), 0.07, 0)
}

func entropyShare(f *fixture, r *report) {
	const tokens, q, p = 1e60, 1, 0
	critical := propagation.CriticalBeta(q, p)
	for _, b := range []float64{0.3, 0.6, 0.9} {
		row := must(f.row(tokens, propagation.ScoreDeviation(b*critical, tokens, q, p)))
		r.equal("entropy / log T at "+number(b)+" β_c", 1-b*b, row.Entropy/math.Log(tokens), 0.01)
		r.refute(1 - b*b*critical)
	}
}

func momentExponent(f *fixture, r *report) {
	for _, b := range []float64{0.2, 0.4, 0.55, 0.7, 0.85} {
		var logs [2]float64
		for k, tokens := range []float64{1e50, 1e60} {
			row := must(f.row(tokens, propagation.ScoreDeviation(b*math.Sqrt2, tokens, 1, 0)))
			logs[k] = math.Log(row.Y2)
		}
		r.equal("exponent at "+number(b)+" β_c", propagation.MomentExponent(b),
			(logs[1]-logs[0])/(10*math.Ln10), 0.01)
		r.refute(b*b - 1)
	}
}

// bertBeta compares the scale β of BERT-base's query and key weights with the corrected value. bertBeta also
// samples the scores of a small model whose head dimension differs from the dimension of its tokens. The
// constant sigma is the standard deviation of the weights.
func bertBeta(f *fixture, r *report) {
	beta := must(propagation.EffectiveBeta(0.02, 768, 512))
	r.equal("β of BERT-base", 0.1230, beta, 5e-5)
	r.refute(0.016)
	const dim, head, sigma, tokens, samples = 96, 16, 0.07, 512, 3000
	normals := f.normals(scoreNumbers, 2*head*dim)
	weights, scores := make([]float64, 2*head*dim), make([]float64, f.samples(samples))
	scale := f.scores(1)
	for k := range scores {
		normals(weights)
		for h := range head {
			query, key := 0.0, 0.0 // for two orthogonal tokens with entries ±1
			for i := range dim {
				query += weights[2*h*dim+i]
				key += weights[(2*h+1)*dim+i] * (1 - 2*float64(i%2))
			}
			scores[k] += float64(scale*(sigma*sigma)*query*key) / math.Sqrt(head)
		}
	}
	beta = must(propagation.EffectiveBeta(sigma, dim, tokens))
	variance := square(beta) * math.Log(tokens)
	r.normal("variance of a score", variance, meanOf(scores, square), 0.2*variance, 0)
}
