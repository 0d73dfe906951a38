package verify

import (
	"math"

	"antipode/overlap/propagation"
	"antipode/sphere/elementary"
)

var signal = []Claim{
	{"result1", Propagation, "Result 1", "attention is spread below β_c = √(2/(q(q-p))), where tokens collapse, and condensed above", result1},
	{"participation", Propagation, "(12)", "participation ratios are those of the random energy model, Poisson-Dirichlet as T → ∞", participation},
	{"attention-map", Propagation, "(14)", "a layer takes the norm to p+(q-p)Y₂, the overlap to p+(q-p)Y, with rows of T tokens", attentionMap},
	{"phi-s", Propagation, "B.2.3", "the cosine behind a layer is ρ/(ρ+(1-ρ)Y₂), not ρ/(1+(1-ρ)Y₂) as there", phiS},
	{"residual", Propagation, "(15), B.5.1", "a residual connection adds α²q and α²p; with α²p for both, as in B.5.1, none helps", residual},
	{"result2", Propagation, "Result 2, (39)", "query gradients: the bracket is (q-p)(Y₂-2Y₃+E(Y₂)²) ≥ 0; as printed it may be negative", result2},
	{"entropy-share", Propagation, "(33)", "below β_c the entropy of a row per log T is 1-β²/β_c², not 1-β²/β_c", entropyShare},
	{"moment-exponent", Propagation, "(34)", "below β_c/√3 Y₂ is of the order T^(2β²/β_c²-1), not T^(β²/β_c²-1)", momentExponent},
	{"bert-beta", Propagation, "version 1, B.1", "BERT-base at T = 512 starts at β = 0.123, not 0.016", bertBeta},
	{"kernels", Propagation, "(16)", "the kernels of the MLP: arc-cosine for relu, arcsine for erf, tanh and gelu", kernelsOfActivations},
	{"collapse", Propagation, "Section 4", "with relu and spread attention cosine 1 is the only fixed point of a block", collapse},
	{"chaos", Propagation, "C.4", "with tanh in its chaotic phase a block has a stable fixed point below cosine 1", chaos},
}

// The geometry in which rows are sampled: tokens √(q-p) e_t + √p e_0.
var sampledState = propagation.State{Q: 1.3, P: 0.4}

// softmax turns scores to weights.
func softmax(scores []float64) {
	largest, total := scores[0], 0.0
	for _, s := range scores {
		largest = max(largest, s)
	}
	for k, s := range scores {
		scores[k] = elementary.Exp(s - largest)
		total += scores[k]
	}
	for k := range scores {
		scores[k] /= total
	}
}

// ratios are what a row of weights contributes to Y₂, Y₃ and E(Y₂)².
func ratios(weights []float64) (r [3]float64) {
	for _, w := range weights {
		r[0] += float64(w * w)
		r[1] += float64(float64(w*w) * w)
	}
	r[2] = square(r[0])
	return r
}

// twoRows samples the rows of attention of two tokens. With scores x_tᵀWx_s and the tokens of
// sampledState they are (q-p)W_ts + √(p(q-p)) W_0s, but for what all s have in common.
func twoRows(l *laboratory, identity uint64, tokens int, beta float64, visit func(first, second []float64), samples int) {
	normals := l.normals(identity, 3*tokens)
	numbers := make([]float64, 3*tokens)
	scale := beta * math.Sqrt(elementary.Log(float64(tokens)))
	gap := sampledState.Q - sampledState.P
	own, common := scale*gap, scale*math.Sqrt(sampledState.P*gap)
	for range samples {
		normals(numbers)
		first, second, shared := numbers[:tokens], numbers[tokens:2*tokens], numbers[2*tokens:]
		for s, v := range shared {
			first[s] = float64(own*first[s]) + float64(common*v)
			second[s] = float64(own*second[s]) + float64(common*v)
		}
		softmax(first)
		softmax(second)
		visit(first, second)
	}
}

// result1 compares both phases at great T, and the geometry behind the layer in the limit.
func result1(_ *laboratory, r *report) error {
	critical := propagation.CriticalBeta(sampledState.Q, sampledState.P)
	rho := sampledState.Cosine()
	for _, multiple := range []float64{0.9, 1.5} {
		a := propagation.Attention{Beta: multiple * critical, SigmaV2: 1, Tokens: math.Inf(1)}
		after, err := a.Step(sampledState)
		if err != nil {
			return err
		}
		cosine := 1.0
		if multiple > 1 {
			cosine = rho / (rho + (1-rho)*(1-1/multiple))
		}
		r.equal("cosine behind a layer at "+number(multiple)+" β_c", cosine, after.Cosine(), 1e-12)
	}
	// At T = 10^60 the ratio Y₂ is still away from its limit by order 1/log T.
	for _, x := range []struct{ multiple, limit, tolerance float64 }{{0.8, 0, 0.01}, {2, 0.5, 0.05}} {
		const tokens = 1e60
		row, err := propagation.FiniteRow(tokens, propagation.ScoreDeviation(x.multiple*critical, tokens, sampledState.Q, sampledState.P))
		if err != nil {
			return err
		}
		r.equal("Y₂ of 10^60 tokens at "+number(x.multiple)+" β_c", x.limit, row.Y2, x.tolerance)
	}
	return nil
}

// participation compares sampled rows with the quadrature for as many tokens, and this,
// extrapolated twice in 1/log T, with the limit.
func participation(l *laboratory, r *report) error {
	names := [3]string{"Y₂", "Y₃", "E(Y₂)²"}
	for _, x := range []struct {
		tokens, samples int
		beta            float64
	}{{1000, 2000, 2.5}, {1000, 2000, 1}, {10_000, 500, 2.5}} {
		deviation := propagation.ScoreDeviation(x.beta, float64(x.tokens), 1, 0)
		row, err := propagation.FiniteRow(float64(x.tokens), deviation)
		if err != nil {
			return err
		}
		normals := l.normals(rowNumbers, x.tokens)
		weights, all := make([]float64, x.tokens), make([][3]float64, x.samples)
		for k := range all {
			normals(weights)
			for s := range weights {
				weights[s] *= deviation
			}
			softmax(weights)
			all[k] = ratios(weights)
		}
		for i, want := range []float64{row.Y2, row.Y3, row.Y2Squared} {
			mean := meanOf(all, func(y [3]float64) float64 { return y[i] })
			r.normal(names[i]+" of "+number(float64(x.tokens))+" tokens, β="+number(x.beta), want, mean, 0.02, 0)
		}
	}
	for _, m := range []float64{0.4, 0.7} {
		var rows [3][3]float64
		for k, exponent := range []float64{15, 30, 60} {
			row, err := propagation.FiniteRow(math.Pow(10, exponent), largestOf(exponent*math.Ln10)/m)
			if err != nil {
				return err
			}
			rows[k] = [3]float64{row.Y2, row.Y3, row.Y2Squared}
		}
		limit := propagation.LimitRow(m)
		for i, want := range []float64{limit.Y2, limit.Y3, limit.Y2Squared} {
			first, second := 2*rows[1][i]-rows[0][i], 2*rows[2][i]-rows[1][i]
			r.equal("limit of "+names[i]+" at β_c/β = "+number(m), want, (4*second-first)/3, 1e-3)
		}
	}
	return nil
}

// largestOf solves P(g > x) = 1/T for a normal g, given log T. With scores whose deviation
// is x/m in place of √(2 log T)/m the limit is approached like 1/log T.
func largestOf(log float64) float64 {
	x := math.Sqrt(2 * log)
	for range 50 {
		x = math.Sqrt(2 * (log - math.Log(x) - 0.5*math.Log(2*math.Pi) - math.Log1p(1/square(x))))
	}
	return x
}

// sampledMap is the mean norm and overlap behind a layer of attention with σ_v = 1.
func sampledMap(l *laboratory, tokens int, beta float64) (norm, overlap estimate) {
	var rows [][2]float64
	gap := sampledState.Q - sampledState.P
	twoRows(l, pairNumbers, tokens, beta, func(first, second []float64) {
		both := 0.0
		for s, w := range first {
			both += float64(w * second[s])
		}
		rows = append(rows, [2]float64{sampledState.P + float64(gap*ratios(first)[0]), sampledState.P + float64(gap*both)})
	}, 4000)
	return meanOf(rows, func(x [2]float64) float64 { return x[0] }), meanOf(rows, func(x [2]float64) float64 { return x[1] })
}

func attentionMap(l *laboratory, r *report) error {
	const tokens = 100
	for _, beta := range []float64{0.7, 2} {
		norm, overlap := sampledMap(l, tokens, beta)
		after, err := propagation.Attention{Beta: beta, SigmaV2: 1, Tokens: tokens}.Step(sampledState)
		if err != nil {
			return err
		}
		r.normal("norm, β="+number(beta), after.Q, norm, 0.01, 0)
		r.normal("overlap, β="+number(beta), after.P, overlap, 0.01, 0)
	}
	return nil
}

// phiS takes the cosine of the sampled means. The overlap of two rows, of order 1/T, is the
// allowance.
func phiS(l *laboratory, r *report) error {
	const tokens, beta = 100, 2
	norm, overlap := sampledMap(l, tokens, beta)
	row, err := propagation.FiniteRow(tokens, propagation.ScoreDeviation(beta, tokens, sampledState.Q, sampledState.P))
	if err != nil {
		return err
	}
	rho := sampledState.Cosine()
	ratio := overlap.value / norm.value
	cosine := estimate{ratio, ratio * math.Hypot(norm.stderr/norm.value, overlap.stderr/overlap.value)}
	const rowsInCommon = 0.06
	r.normal("cosine", rho/(rho+(1-rho)*row.Y2), cosine, 0.01, rowsInCommon)
	r.refute(rho / (1 + (1-rho)*row.Y2))
	return nil
}

// residual adds α times the tokens to the attention of vectors, with value matrices: in the
// mean over these norms and overlaps add up, in every dimension.
func residual(l *laboratory, r *report) error {
	const dim, alpha, samples = 24, 1.5, 3000
	x := [2][]float64{make([]float64, dim), make([]float64, dim)} // of norm q and overlap p, per dimension
	x[0][0] = math.Sqrt(dim * sampledState.Q)
	x[1][0] = dim * sampledState.P / x[0][0]
	x[1][1] = math.Sqrt(dim*sampledState.Q - square(x[1][0]))
	// Spread attention takes both to their mean, which stands for the sequence's.
	mean := make([]float64, dim)
	for k := range mean {
		mean[k] = 0.5 * (x[0][k] + x[1][k])
	}
	norm := 0.0
	for _, v := range mean {
		norm += square(v) / dim
	}
	normals := l.normals(residualNumbers, dim*dim)
	value := make([]float64, dim*dim)
	var norms, overlaps []float64
	for range samples {
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
	q, p := norm+square(alpha)*sampledState.Q, norm+square(alpha)*sampledState.P
	r.normal("norm", q, meanOf(norms, identity), 0.06, 0)
	r.refute(norm + square(alpha)*sampledState.P)
	r.normal("overlap", p, meanOf(overlaps, identity), 0.06, 0)
	return nil
}

// result2 samples tr(DQDQ), D = diag(A) - AAᵀ and Q the overlaps of the tokens, with its
// products written out.
func result2(l *laboratory, r *report) error {
	const tokens, beta = 24, 1.5
	q, p := sampledState.Q, sampledState.P
	var traces []float64
	product := make([]float64, tokens*tokens) // DQ
	twoRows(l, gradientNumbers, tokens, beta, func(weights, _ []float64) {
		for j, a := range weights {
			rowSum := a
			for _, b := range weights {
				rowSum -= float64(a * b)
			}
			for k, b := range weights {
				entry := -float64(a * b)
				if j == k {
					entry += a
				}
				product[j*tokens+k] = float64(p*rowSum) + float64((q-p)*entry)
			}
		}
		trace := 0.0
		for j := range tokens {
			for k := range tokens {
				trace += float64(product[j*tokens+k] * product[k*tokens+j])
			}
		}
		traces = append(traces, trace)
	}, 4000)
	row, err := propagation.FiniteRow(tokens, propagation.ScoreDeviation(beta, tokens, q, p))
	if err != nil {
		return err
	}
	printed := func(row propagation.Row) float64 {
		return (q - p) * ((q-p)*(row.Y2-2*row.Y3) + p*row.Y2Squared)
	}
	a := propagation.Attention{Beta: beta, SigmaV2: 1, Tokens: tokens}
	r.normal("tr(DQDQ)", propagation.QueryGradient(a, sampledState, row)/beta/q, meanOf(traces, identity), 0.002, 0)
	r.refute(printed(row))
	for _, m := range []float64{0.3, 0.6} {
		row := propagation.LimitRow(m)
		a.Beta = propagation.CriticalBeta(q, p) / m
		r.equal("bracket as T → ∞ at β_c/β = "+number(m), square(q-p)*m*(1-m)/3, propagation.QueryGradient(a, sampledState, row)/a.Beta/q, 1e-12)
		r.refute(printed(row))
	}
	r.equal("sign of the printed bracket at β_c/β = 0.1", -1, math.Copysign(1, printed(propagation.LimitRow(0.1))), 0)
	return nil
}

func entropyShare(_ *laboratory, r *report) error {
	const tokens, q, p = 1e60, 1, 0
	critical := propagation.CriticalBeta(q, p)
	for _, b := range []float64{0.3, 0.6, 0.9} {
		row, err := propagation.FiniteRow(tokens, propagation.ScoreDeviation(b*critical, tokens, q, p))
		if err != nil {
			return err
		}
		r.equal("entropy / log T at "+number(b)+" β_c", 1-b*b, row.Entropy/math.Log(tokens), 0.01)
		r.refute(1 - b*b*critical)
	}
	return nil
}

func momentExponent(_ *laboratory, r *report) error {
	for _, b := range []float64{0.2, 0.4, 0.55, 0.7, 0.85} {
		var logs [2]float64
		for k, tokens := range []float64{1e50, 1e60} {
			row, err := propagation.FiniteRow(tokens, propagation.ScoreDeviation(b*math.Sqrt2, tokens, 1, 0))
			if err != nil {
				return err
			}
			logs[k] = math.Log(row.Y2)
		}
		r.equal("exponent at "+number(b)+" β_c", propagation.MomentExponent(b), (logs[1]-logs[0])/(10*math.Ln10), 0.01)
		r.refute(b*b - 1)
	}
	return nil
}

// bertBeta also samples scores of a small model, whose heads have another dimension than
// its tokens.
func bertBeta(l *laboratory, r *report) error {
	beta, err := propagation.EffectiveBeta(0.02, 768, 512)
	if err != nil {
		return err
	}
	r.equal("β of BERT-base", 0.1230, beta, 5e-5)
	r.refute(0.016)
	const dim, head, deviation, tokens, samples = 96, 16, 0.07, 512, 3000
	normals := l.normals(scoreNumbers, 2*head*dim)
	weights, scores := make([]float64, 2*head*dim), make([]float64, samples)
	for k := range scores {
		normals(weights)
		for h := range head {
			query, key := 0.0, 0.0 // of two orthogonal tokens with entries ±1
			for i := range dim {
				query += weights[2*h*dim+i]
				key += weights[(2*h+1)*dim+i] * (1 - 2*float64(i%2))
			}
			scores[k] += deviation * deviation * query * key / math.Sqrt(head)
		}
	}
	if beta, err = propagation.EffectiveBeta(deviation, dim, tokens); err != nil {
		return err
	}
	variance := square(beta) * math.Log(tokens)
	r.normal("variance of a score", variance, meanOf(scores, square), 0.05*variance, 0)
	return nil
}

// kernelsOfActivations computes E φ(x)φ(y) from its definition: the trapezoidal rule in two
// independent normal variables, which is exact up to rounding for smooth φ; for relu the
// radius by hand, ∫ r³ e^{-r²/2} dr = 2, and the angle by Simpson's rule where both
// are positive.
func kernelsOfActivations(_ *laboratory, r *report) error {
	functions := map[propagation.Activation]func(x float64) float64{
		propagation.Erf: math.Erf, propagation.Tanh: math.Tanh,
		propagation.GELU: func(x float64) float64 { return 0.5 * x * math.Erfc(-x/math.Sqrt2) },
	}
	for _, activation := range []propagation.Activation{propagation.ReLU, propagation.Erf, propagation.Tanh, propagation.GELU} {
		for _, s := range []propagation.State{{Q: 0.8, P: 0.3}, {Q: 1.5, P: 1.2}} {
			want := 0.0
			rho := s.Cosine()
			if function, smooth := functions[activation]; smooth {
				const width, reach = 0.05, 8.5
				for x := -reach; x <= reach; x += width {
					for y := -reach; y <= reach; y += width {
						weight := width * width / (2 * math.Pi) * math.Exp(-0.5*(x*x+y*y))
						want += weight * function(math.Sqrt(s.Q)*x) * function(math.Sqrt(s.Q)*(rho*x+math.Sqrt(1-rho*rho)*y))
					}
				}
			} else {
				angle := math.Acos(rho)
				want = s.Q / math.Pi * integrate(angle-math.Pi/2, math.Pi/2, func(theta float64) float64 {
					return math.Cos(theta) * math.Cos(theta-angle)
				})
			}
			r.equal(activation.String()+", q="+number(s.Q)+" p="+number(s.P), want, activation.Kernel(s.Q, s.P), 1e-12)
		}
	}
	return nil
}

// blocks are those of all kinds, with spread attention.
func blockOf(kind propagation.Kind, activation propagation.Activation) propagation.Block {
	return propagation.Block{
		Kind: kind, Beta: 0.02, SigmaV2: 0.2, SigmaW2: 0.2, SigmaB2: 4e-4, AlphaSA: 1, AlphaMLP: 1,
		Activation: activation, Tokens: math.Inf(1),
	}
}

func collapse(_ *laboratory, r *report) error {
	for _, kind := range []propagation.Kind{propagation.PostNorm, propagation.GainPostNorm} {
		m, err := propagation.NewMap(blockOf(kind, propagation.ReLU))
		if err != nil {
			return err
		}
		points, err := m.FixedPoints()
		if err != nil {
			return err
		}
		r.equal("fixed points, "+kind.String(), 1, float64(len(points)), 0)
		const layers = 20_000
		curve, err := m.Curve(propagation.State{Q: 1, P: 0.1}, layers)
		if err != nil {
			return err
		}
		r.equal("cosine behind 20,000 layers, "+kind.String(), points[0].Cosine(), curve[layers].Cosine(), 1e-3)
	}
	return nil
}

func chaos(_ *laboratory, r *report) error {
	b := blockOf(propagation.PostNorm, propagation.Tanh)
	b.SigmaV2, b.SigmaW2, b.SigmaB2, b.AlphaSA = 1, 6.25, 0.1, 6
	m, err := propagation.NewMap(b)
	if err != nil {
		return err
	}
	points, err := m.FixedPoints()
	if err != nil {
		return err
	}
	for _, start := range []float64{0.05, 0.99} {
		const layers = 300
		curve, err := m.Curve(propagation.State{Q: 1, P: start}, layers)
		if err != nil {
			return err
		}
		r.equal("cosine behind 300 layers from "+number(start), points[0].Cosine(), curve[layers].Cosine(), 1e-9)
		r.refute(1)
	}
	return nil
}
