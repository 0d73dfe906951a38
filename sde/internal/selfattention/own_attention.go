package selfattention

import (
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
	"antipode/sde/internal/kernels"
)

// NewOwnAttention returns attention with a user-defined function weigh, which replaces any number of scores
// by weights. With normalized, a sum over tokens is divided by the sum of the weights.
func NewOwnAttention(weigh func(scores []float64), tokens int, normalized bool) *Attention {
	a := Attention{tokens: tokens, weigh: weigh, pairs: make([]Vector, pairsOf(tokens))}
	for k := range 4 {
		a.law[2][k], a.law[3][k] = 1, indicator(normalized)
	}
	return &a
}

// pairsOf returns the number of pairs i ≤ j of the given number of tokens.
func pairsOf(tokens int) int { return tokens * (tokens + 1) / 2 }

// pairPlace returns the index of the pair i ≤ j of n tokens in the order of pairScores. The columns j are
// taken in groups of four, then of two, then of one. For each group of columns, the pairs whose row i is
// before the first column of the group come first. The pairs of two tokens of the group follow.
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

// rowWeights computes attention with a user-defined function of the scores of one token with all tokens. A
// rowWeights computes the scores of several tokens at a time.
type rowWeights struct {
	kernel  func(weights []float64, i int)
	scores  []Vector  // scores of several tokens, which are then replaced by their weights
	byLane  []float64 // the scores or weights, one lane after the other
	columns []Vector  // coordinates of the tokens, d×N
}

// NewRowAttention returns attention with a user-defined kernel, which replaces the scores of token i with all
// tokens by weights. The tokens have dimension d and mass 1.
func NewRowAttention(kernel func(weights []float64, i int), tokens, d int) *Attention {
	scores := min(tokens, max(1, rowScores/tokens)) * tokens
	return &Attention{tokens: tokens, rows: &rowWeights{
		kernel: kernel, scores: make([]Vector, scores), byLane: make([]float64, 8*scores),
		columns: make([]Vector, d*tokens),
	}}
}

// rowScores is about the number of scores that rowWeights computes at a time, so few that they stay in the
// cache.
const rowScores = 1024

// field writes, for each token, the sum over the n tokens x weighted by the user-defined kernel.
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

// weigh replaces scores by attention weights, by the user-defined kernel. The scores are rows of n numbers,
// one row for each token from token first on.
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
