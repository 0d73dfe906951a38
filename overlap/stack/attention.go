package stack

import (
	"math"
	"slices"

	"antipode/sphere/elementary"
)

// attentionAverage returns the geometry of the attention output for tokens of geometry x, before value
// weights are applied. attentionAverage also returns the participation n E ΣA² of the attention rows of each
// group of tokens, where n is the number of tokens attended to. For a uniform row the participation is 1.
//
// The attention scores of a row of n tokens, apart from a common term, are independent and normal with
// variance s² = S²q(k-p), where q is the squared norm of the token t of the row, and k and p are the mean
// squared norm and the mean inner product of the tokens attended to: s² is S²(1-p) for normalised tokens.
// The scores of two rows t and u have the correlation ρ of the two queries. The correlation ρ is the cosine
// of the tokens t and u, unless the queries share a bias. The value of E ΣA_ts² is exact for normal scores.
// E ΣA_tsA_us is approximated by (nY2)^ρ/n with Y2 = E ΣA_ts², which is exact for ρ = 0 and ρ = 1, and
// correct to second order in s for small s. If the rows differ in s, log(nY2) is the geometric mean of both
// rows.
//
// Large scores select tokens that are close to a direction w, which depends on the query. If the differences
// of tokens have independent normal coordinates, of the given number freedom, one of them, z/√freedom, is
// along w, and the scores of the row are sz. The average of the tokens then has the square (ΣAz)²/freedom
// along w. The averages of two rows have this part in common if their queries are alike. The mean of (ΣAz)² -
// ΣA² is nearly s²(1-Y2)²/(1-1/n): this is equal for small s to second order, and E ΣAz is s(1-Y2) by Stein's
// lemma.
func (g *groups) attentionAverage(
	x gram, s Architecture, freedom float64,
) (out gram, participation []float64) {
	out = newGram(len(g.count))
	gap := make([]float64, len(g.count))
	// sums[i][k] is the sum of the inner products of a token of group k with all tokens that a token of group
	// i attends to.
	sums := make([][]float64, len(g.count))
	for i := range g.count {
		sums[i] = make([]float64, len(g.count))
		for k := range g.count {
			for j, m := range g.seen[i] {
				sums[i][k] += float64(m * x.inner[j][k])
			}
		}
	}
	for i := range g.count {
		for j := range i + 1 {
			total := 0.0
			for k, m := range g.seen[j] {
				same := min(m, g.seen[i][k])
				total += float64(m*sums[i][k]) + float64(same*(x.square[k]-x.inner[k][k]))
			}
			mean := total / float64(g.attended[i]*g.attended[j])
			out.inner[i][j], out.inner[j][i] = mean, mean
		}
		if n := g.attended[i]; n > 1 {
			gap[i] = max(0, float64(g.diagonal(x, i)-out.inner[i][i])*n/(n-1))
		}
	}
	participation, along := make([]float64, len(g.count)), make([]float64, len(g.count))
	largest := slices.Max(x.square)
	for i, n := range g.attended {
		deviation := float64(s.spreadOf(x.square[i]) * math.Sqrt(min(gap[i], largest)))
		participation[i] = g.participation.at(n, deviation)
		out.square[i] = out.inner[i][i] + float64((participation[i]-1)/n*gap[i])
		if n > 1 {
			rest := 1 - participation[i]/n
			square := float64(deviation*deviation*rest*rest) / (1 - 1/n)
			along[i] = math.Sqrt(float64(gap[i] * shareAlong(square/freedom)))
			out.square[i] += float64(along[i] * along[i])
		}
		for j := range i + 1 { // a token of group j attends to at most as many tokens as one of group i
			rho := max(0, s.rowCorrelation(x.inner[i][j], x.square[i], x.square[j]))
			logarithm := elementary.Log(participation[j])
			if x.square[i] != x.square[j] {
				logarithm = math.Sqrt(float64(logarithm * elementary.Log(participation[i])))
			}
			more := elementary.Exp(float64(rho*logarithm)) - 1
			out.inner[i][j] += float64(more/n*gap[j]) + float64(rho*along[i]*along[j])
			out.inner[j][i] = out.inner[i][j]
		}
	}
	return out, participation
}

// shareAlong returns the squared length of the mean of unit vectors in many dimensions n whose law is
// proportional to exp(√(n²x) z) for the coordinate z along a direction. It is x for small x, and less than
// 1.
func shareAlong(x float64) float64 {
	root := 1 + math.Sqrt(1+float64(4*x))
	return float64(4*x) / float64(root*root)
}

// diagonal returns the mean squared norm of the tokens that a token of group i attends to.
func (g *groups) diagonal(x gram, i int) float64 {
	sum := 0.0
	for j, m := range g.seen[i] {
		sum += float64(m * x.square[j])
	}
	return sum / g.attended[i]
}
