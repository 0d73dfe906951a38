package selfattention

// NewOwnAttention returns attention by a function of the scores of one's own, that replaces any number of
// them by their weights. A sum is divided by that of its weights if they are normalized, else by nothing.
func NewOwnAttention(weigh func(scores []float64), tokens int, normalized bool) *Attention {
	a := Attention{tokens: tokens, weigh: weigh, pairs: make([]Vector, pairsOf(tokens))}
	for k := range 4 {
		a.law[2][k], a.law[3][k] = 1, indicator(normalized)
	}
	return &a
}

// pairsOf is the number of pairs of some tokens, each of which is a pair with itself too.
func pairsOf(tokens int) int { return tokens * (tokens + 1) / 2 }

// pairPlace is the place of a pair i ≤ j of n tokens among all, in the order of pairScores: columns j by
// fours, then a two and a one; for each of these the rows before the first column, and then the pairs of the
// columns.
func pairPlace(n, i, j int) int {
	columns, first := 4, j/4*4
	for first+columns > n {
		columns /= 2
		first = j / columns * columns
	}
	place := pairsOf(first)
	if i < first {
		return place + i*columns + j - first
	}
	row := i - first
	return place + first*columns + row*columns - row*(row-1)/2 + j - i
}

func pairScoresGeneric(scores, x, masses []Vector, d int) {
	n := len(masses)
	for j := range n {
		for i := range j + 1 {
			to := &scores[pairPlace(n, i, j)]
			for k := range to {
				to[k] = dot(x[i*d:(i+1)*d], x[j*d:(j+1)*d], k)
			}
		}
	}
}

func pairSumsGeneric(field, totals, heavy, x, masses, weights []Vector, d int, law *attentionParameters) {
	n := len(masses)
	for k := range 8 {
		sumPairs(field, totals, heavy, x, masses, d, k, law, func(i, j int) float64 {
			return weights[pairPlace(n, i, j)][k]
		})
	}
}
