package selfattention

import "math"

// Groups is the tokens of one trajectory in lanes, eight to a group: Vector k of the d of a group has
// coordinate k of its tokens.
type Groups struct {
	X, Heavy []Vector // the tokens, and those times their masses
	Masses   []Vector // a Vector for each group, 0 for what is no token
	Field    []Vector // sums of tokens, weighted by the attention
	Totals   []Vector // sums of the weights
	Dim      int      // d
}

// AddPairs adds to the sums of tokens the terms of all pairs of a token of the groups from top to bottom
// and one of those of the groups from left to right that are not after the first one's, ends excluded. The
// sums of all pairs run over the tokens in their order if every pair of ranges comes after those with the
// same rows before, and those with the same columns before. It may be used if HasWeights.
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

// dotAcross is the inner product of what two lanes have.
func dotAcross(x, y []Vector, i, j int) float64 {
	sum := 0.0
	for k := range x {
		sum = math.FMA(x[k][i], y[k][j], sum)
	}
	return sum
}

// addTerm adds a multiple of what lane j has to what lane i has.
func addTerm(sum, term []Vector, i, j int, weight float64) {
	for k := range sum {
		sum[k][i] = math.FMA(weight, term[k][j], sum[k][i])
	}
}
