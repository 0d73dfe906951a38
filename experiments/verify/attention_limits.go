package verify

import (
	"math"

	"antipode/overlap/propagation"
)

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
