package stack

import (
	"math"

	"antipode/sphere/elementary"
)

// attend returns the geometry of what attention makes of normalised tokens before value weights, and n E
// ΣA² of the rows of each group, which is 1 where the row is spread.
//
// A row t of n tokens has independent normal scores of variance s² = S²(1-ρ̄) about their common part,
// where ρ̄ is the mean cosine of the tokens it attends to, and two rows those of the correlation ρ of their
// queries, which is that of their tokens but for a bias that queries have in common. E ΣA_ts² is exact for
// such scores; E ΣA_tsA_us is taken to be (nY2)^ρ/n, which it is for ρ = 0 and ρ = 1, and to second order
// in s, where the row is spread.
func (g *groups) attend(x gram, rowCorrelation func(rho float64) float64) (out gram, excess []float64) {
	out = newGram(len(g.count))
	gap := make([]float64, len(g.count))
	sums := make([][]float64, len(g.count)) // Σ_j seen of each group, of inner products with group k
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
	excess = make([]float64, len(g.count))
	for i, n := range g.attended {
		excess[i] = g.rows.excess(n, float64(g.rows.spread*math.Sqrt(min(gap[i], 1))))
		out.square[i] = out.inner[i][i] + float64((excess[i]-1)/n*gap[i])
		for j := range i + 1 { // row j attends to fewer tokens
			more := elementary.Exp(max(0, rowCorrelation(x.inner[i][j]))*elementary.Log(excess[j])) - 1
			out.inner[i][j] += float64(more / n * gap[j])
			out.inner[j][i] = out.inner[i][j]
		}
	}
	return out, excess
}

// diagonal is the mean squared norm of the tokens that a group attends to.
func (g *groups) diagonal(x gram, i int) float64 {
	sum := 0.0
	for j, m := range g.seen[i] {
		sum += float64(m * x.square[j])
	}
	return sum / g.attended[i]
}
