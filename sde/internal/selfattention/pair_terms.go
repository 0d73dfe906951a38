package selfattention

import "math"

// Groups holds the tokens of one trajectory in the lanes of Vectors: a group has eight tokens and d Vectors.
// Vector k of a group holds coordinate k of the eight tokens of the group.
type Groups struct {
	X, Heavy []Vector // the tokens, and the tokens times their masses
	Masses   []Vector // one Vector for each group; 0 in lanes without a token
	Field    []Vector // sums of tokens, weighted by the attention
	Totals   []Vector // sums of the weights
	Dim      int      // dimension d of the tokens
}

// AddPairs adds the terms of pairs of tokens to g.Field and g.Totals. One token of a pair, the row, is in
// groups top to bottom (excluded). The other token of the pair, the column, is in groups left to right
// (excluded), but not in a group after that of the row. The triangle of all pairs is divided into blocks with
// such rows and columns. If each block is added after all blocks to its left and above it, the sums of each
// token run over the tokens in their order. The method HasWeights of the Attention must report true.
func (a *Attention) AddPairs(g *Groups, top, bottom, left, right int) {
	active().pairTerms(g.Field, g.Totals, g.Heavy, g.X, g.Masses, g.Dim, top, bottom, left, right, &a.law)
}

func pairTermsGeneric(field, totals, heavy, x, masses []Vector, d, top, bottom, left, right int,
	law *attentionParameters) {
	group := func(v []Vector, k int) []Vector { return v[k*d : (k+1)*d] }
	for row := top; row < bottom; row++ {
		for column := left; column < min(right, row+1); column++ {
			for i := range 8 {
				for j := range 8 {
					w := weight(law, dotAcross(group(x, row), group(x, column), i, j))
					addTerm(group(field, row), group(heavy, column), i, j, w)
					addTerm(totals[row:row+1], masses[column:column+1], i, j, w)
					if row != column {
						addTerm(group(field, column), group(heavy, row), j, i, w)
						addTerm(totals[column:column+1], masses[row:row+1], j, i, w)
					}
				}
			}
		}
	}
}

// dotAcross returns the inner product of the token in lane i of x and the token in lane j of y.
func dotAcross(x, y []Vector, i, j int) float64 {
	sum := 0.0
	for k := range x {
		sum = math.FMA(x[k][i], y[k][j], sum)
	}
	return sum
}

// addTerm adds weight times lane j of term to lane i of sum.
func addTerm(sum, term []Vector, i, j int, weight float64) {
	for k := range sum {
		sum[k][i] = math.FMA(weight, term[k][j], sum[k][i])
	}
}
