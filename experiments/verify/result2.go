package verify

import (
	"math"

	"antipode/overlap/propagation"
)

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
