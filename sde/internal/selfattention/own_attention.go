package selfattention

import (
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
	"antipode/sde/internal/kernels"
)

// NewOwnAttention returns attention with a user's function weigh, which replaces any number of scores by
// their weights. If normalized is set, a sum over tokens is divided by the sum of its weights.
func NewOwnAttention(weigh func(scores []float64), tokens int, normalized bool) *Attention {
	a := Attention{tokens: tokens, weigh: weigh, pairs: make([]Vector, pairsOf(tokens))}
	for k := range 4 {
		a.law[2][k], a.law[3][k] = 1, indicator(normalized)
	}
	return &a
}

// pairsOf returns the number of pairs i ≤ j of tokens.
func pairsOf(tokens int) int { return tokens * (tokens + 1) / 2 }

// pairPlace returns the index of the pair i ≤ j of n tokens in the order of pairScores. The columns j are
// grouped by fours, then by two, then by one. For each group of columns, the pairs with the rows i before the
// group's first column come first. Then come the pairs of two tokens of the group.
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

// rowWeights computes attention with a user's function of the scores of one token with all tokens. It handles
// several tokens at a time.
type rowWeights struct {
	kernel  func(weights []float64, i int)
	scores  []Vector  // scores of several tokens, then their weights
	byLane  []float64 // the same, one lane after the other
	columns []Vector  // the tokens, d×N
}

// NewRowAttention returns attention with a user's kernel, which replaces the scores of token i with all
// tokens by their weights. The tokens have dimension d and mass 1.
func NewRowAttention(kernel func(weights []float64, i int), tokens, d int) *Attention {
	scores := min(tokens, max(1, rowScores/tokens)) * tokens
	return &Attention{tokens: tokens, rows: &rowWeights{
		kernel: kernel, scores: make([]Vector, scores), byLane: make([]float64, 8*scores),
		columns: make([]Vector, d*tokens),
	}}
}

// rowScores is about the number of scores that are computed at a time, small enough for them to stay in the
// cache.
const rowScores = 1024

// field writes the sums over the n tokens x, weighted by the kernel, for each token.
func (a *rowWeights) field(field, x []Vector, n, d int) {
	for i := range n {
		for k, v := range x[i*d : (i+1)*d] {
			a.columns[k*n+i] = v
		}
	}
	clear(field)
	together := len(a.scores) / n
	for first := 0; first < n; first += together {
		rows := min(together, n-first)
		scores := a.scores[:rows*n]
		clear(scores)
		active().addProducts(scores, x, x[first*d:], rows, n, d, 1)
		a.weigh(scores, first, n)
		active().addProducts(field[first*d:], a.columns, scores, rows, d, n, 1)
	}
}

// weigh replaces scores by weights. scores has rows of n, the first of them for token first.
func (a *rowWeights) weigh(scores []Vector, first, n int) {
	size := len(scores)
	inLanes := blas64.General{Rows: size, Cols: 8, Stride: 8, Data: kernels.Numbers(scores)}
	byLane := blas64.General{Rows: 8, Cols: size, Stride: size, Data: a.byLane[:8*size]}
	products.Transpose(byLane, inLanes)
	for k := range 8 * size / n {
		a.kernel(byLane.Data[k*n:(k+1)*n:(k+1)*n], first+k%(size/n))
	}
	products.Transpose(inLanes, byLane)
}
