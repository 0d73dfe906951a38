package verify

import (
	"math"

	"antipode/overlap/propagation"
	"antipode/sphere/elementary"
)

// sampledState gives the squared norm q and the overlap p of the tokens √(q-p) e_t + √p e_0 with orthonormal
// vectors e_k. The claims on attention sample the rows of attention of tokens in sampledState.
var sampledState = propagation.State{Q: 1.3, P: 0.4}

// softmax replaces attention scores by their softmax weights.
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

// powerSums returns the contributions of one row of attention weights to the participation ratios Y₂, Y₃ and
// E(Y₂)²: Σw², Σw³ and (Σw²)².
func powerSums(weights []float64) (r [3]float64) {
	for _, w := range weights {
		r[0] += float64(w * w)
		r[1] += float64(float64(w*w) * w)
	}
	r[2] = square(r[0])
	return r
}

// twoRows samples the rows of attention of two tokens of sampledState. The score of tokens t and s is
// x_tᵀWx_s = (q-p)W_ts + √(p(q-p)) W_0s up to terms that do not depend on s, for a Gaussian matrix W. Softmax
// does not depend on such terms.
func twoRows(
	f *fixture, stream uint64, tokens int, beta float64, visit func(first, second []float64),
) {
	const samples = 4000
	normals := f.normals(stream, 3*tokens)
	numbers := make([]float64, 3*tokens)
	scale := f.scores(beta * math.Sqrt(elementary.Log(float64(tokens))))
	gap := sampledState.Q - sampledState.P
	own, common := scale*gap, scale*math.Sqrt(sampledState.P*gap)
	for range f.samples(samples) {
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

// result1 tests the spread and the condensed phase of attention for a large number T of tokens, and the
// cosine of tokens after a layer in the limit T → ∞.
func result1(f *fixture, r *report) {
	critical := propagation.CriticalBeta(sampledState.Q, sampledState.P)
	rho := sampledState.Cosine()
	for _, multiple := range []float64{0.9, 1.5} {
		a := propagation.Attention{Beta: multiple * critical, SigmaV2: 1, Tokens: math.Inf(1)}
		after := must(a.Step(sampledState))
		cosine := 1.0
		if multiple > 1 {
			cosine = rho / (rho + (1-rho)*(1-1/multiple))
		}
		r.equal("cosine after a layer at "+number(multiple)+" β_c", cosine, after.Cosine(), 1e-12)
	}
	// At T = 10^60 the participation ratio Y₂ still differs from its limit by a term of order 1/log T.
	for _, x := range []struct{ multiple, limit, tolerance float64 }{{0.8, 0, 0.01}, {2, 0.5, 0.05}} {
		const tokens = 1e60
		row := must(f.row(tokens,
			propagation.ScoreDeviation(x.multiple*critical, tokens, sampledState.Q, sampledState.P)))
		r.equal("Y₂ of 10^60 tokens at "+number(x.multiple)+" β_c", x.limit, row.Y2, x.tolerance)
	}
}

// participation compares participation ratios of rows of attention in two steps. Ratios of sampled rows are
// compared with a numerical integral for the same number T of tokens. The integral, extrapolated to second
// order in 1/log T, is compared with the limit T → ∞.
func participation(f *fixture, r *report) {
	names := [3]string{"Y₂", "Y₃", "E(Y₂)²"}
	for x := range parts(r, []struct {
		tokens      int
		samples     int64
		beta, found float64
	}{{1000, 2000, 2.5, 0.05}, {1000, 2000, 1, 0.015}, {10_000, 500, 2.5, 0.09}}) {
		sigma := propagation.ScoreDeviation(x.beta, float64(x.tokens), 1, 0)
		row := must(f.row(float64(x.tokens), sigma))
		normals, deviation := f.normals(rowNumbers, x.tokens), f.scores(sigma)
		weights, all := make([]float64, x.tokens), make([][3]float64, f.samples(x.samples))
		for k := range all {
			normals(weights)
			for s := range weights {
				weights[s] *= deviation
			}
			softmax(weights)
			all[k] = powerSums(weights)
		}
		for i, want := range []float64{row.Y2, row.Y3, row.Y2Squared} {
			mean := meanOf(all, func(y [3]float64) float64 { return y[i] })
			what := names[i] + " of " + number(float64(x.tokens)) + " tokens, β=" + number(x.beta)
			r.normal(what, want, mean, x.found, 0)
		}
	}
	for _, m := range []float64{0.4, 0.7} {
		var rows [3][3]float64
		for k, exponent := range []float64{15, 30, 60} {
			row := must(f.row(math.Pow(10, exponent), typicalMaximum(exponent*math.Ln10)/m))
			rows[k] = [3]float64{row.Y2, row.Y3, row.Y2Squared}
		}
		limit := propagation.LimitRow(m)
		for i, want := range []float64{limit.Y2, limit.Y3, limit.Y2Squared} {
			first, second := 2*rows[1][i]-rows[0][i], 2*rows[2][i]-rows[1][i]
			r.equal("limit of "+names[i]+" at β_c/β = "+number(m), want, (4*second-first)/3, 1e-3)
		}
	}
}

// typicalMaximum returns the solution x of P(g > x) = 1/T for a standard normal number g, given log T. If the
// standard deviation of attention scores is x/m, and not √(2 log T)/m, participation ratios approach their
// limit at the rate 1/log T.
func typicalMaximum(log float64) float64 {
	x := math.Sqrt(2 * log)
	for range 50 {
		x = math.Sqrt(2 * (log - math.Log(x) - 0.5*math.Log(2*math.Pi) - math.Log1p(1/square(x))))
	}
	return x
}

// result2 samples the trace tr(DQDQ) on which the gradient of queries depends, with explicit matrix products.
// D = diag(A) - AAᵀ for a row A of attention, and Q is the matrix of inner products of the tokens.
func result2(f *fixture, r *report) {
	const tokens, beta = 24, 1.5
	q, p := sampledState.Q, sampledState.P
	var traces []float64
	product := make([]float64, tokens*tokens) // the matrix product DQ
	twoRows(f, gradientNumbers, tokens, beta, func(weights, _ []float64) {
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
	})
	row := must(f.row(tokens, propagation.ScoreDeviation(beta, tokens, q, p)))
	printed := func(row propagation.Row) float64 {
		return (q - p) * ((q-p)*(row.Y2-2*row.Y3) + p*row.Y2Squared)
	}
	a := propagation.Attention{Beta: beta, SigmaV2: 1, Tokens: tokens}
	r.normal("tr(DQDQ)", propagation.QueryGradient(a, sampledState, row)/beta/q, meanOf(traces, identity),
		0.005, 0)
	r.refute(printed(row))
	for _, m := range []float64{0.3, 0.6} {
		row := propagation.LimitRow(m)
		a.Beta = propagation.CriticalBeta(q, p) / m
		r.equal("bracket as T → ∞ at β_c/β = "+number(m), square(q-p)*m*(1-m)/3,
			propagation.QueryGradient(a, sampledState, row)/a.Beta/q, 1e-12)
		r.refute(printed(row))
	}
	r.equal("sign of the printed bracket at β_c/β = 0.1", -1,
		math.Copysign(1, printed(propagation.LimitRow(0.1))), 0)
}
