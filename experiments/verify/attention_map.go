package verify

import (
	"math"

	"antipode/overlap/propagation"
)

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

// residual adds α times two tokens to the attention of them both, each divided by its norm, with value
// matrices: in the mean over these norms and overlaps add up, in every dimension. The map is that of a
// block whose MLP is 0.
func residual(l *laboratory, r *report) error {
	const dim, alpha, samples = 24, 1.5, 3000
	m, err := propagation.NewMap(l.block(propagation.Block{Kind: propagation.PreNorm, SigmaV2: 1, AlphaSA: alpha, AlphaMLP: 1, Tokens: 2}))
	if err != nil {
		return err
	}
	want, err := m.Step(sampledState)
	if err != nil {
		return err
	}
	x := [2][]float64{make([]float64, dim), make([]float64, dim)} // of norm q and overlap p, per dimension
	x[0][0] = math.Sqrt(dim * sampledState.Q)
	x[1][0] = dim * sampledState.P / x[0][0]
	x[1][1] = math.Sqrt(dim*sampledState.Q - square(x[1][0]))
	mean := make([]float64, dim) // where spread attention takes both
	for k := range mean {
		mean[k] = 0.5 * (x[0][k] + x[1][k]) / math.Sqrt(sampledState.Q)
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
	r.normal("norm", want.Q, meanOf(norms, identity), 0.06, 0)
	r.refute(want.Q - square(alpha)*(sampledState.Q-sampledState.P))
	r.normal("overlap", want.P, meanOf(overlaps, identity), 0.06, 0)
	return nil
}
