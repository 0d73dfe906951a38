package selfattention

import (
	"math"

	"antipode/sde/internal/kernels"
)

// Vector holds one number for each of eight lanes; a lane belongs to one trajectory.
type Vector = kernels.Vector

// Attention is self-attention of unit tokens, with the identity as interaction matrix B, for eight
// trajectories in the lanes of Vectors. With user-defined weights (NewOwnAttention, NewRowAttention), an
// Attention has working memory and must not be used concurrently.
type Attention struct {
	law    attentionParameters
	tokens int
	weigh  func(scores []float64) // user-defined weights of pairs of tokens; nil for exponentials
	pairs  []Vector               // working memory for weigh
	rows   *rowWeights            // user-defined function of the scores of a token; nil if there is none
}

// attentionParameters are the four numbers that determine exponential attention. The first two numbers are
// the parameters of the weights; see weightParameters. The third number is the factor of an unnormalised sum.
// The fourth number is 1 for normalised sums, and 0 for unnormalised sums. Each parameter is stored four
// times for vector instructions.
type attentionParameters = [4][4]float64

// NewAttention returns, for N = tokens, the softmax attention of eq. (2) or, without softmax, the
// unnormalised attention of eq. (3).
func NewAttention(beta float64, tokens int, softmax bool) *Attention {
	a := Attention{tokens: tokens}
	scale, shifted := weightParameters(beta)
	factor := 0.0
	if !softmax {
		factor = unweighted(beta) / float64(tokens)
	}
	for k := range 4 {
		a.law[0][k], a.law[1][k], a.law[2][k], a.law[3][k] = scale, shifted, factor, indicator(softmax)
	}
	return &a
}

// Field writes the attention field of the tokens x (n rows of d Vectors) to field. The argument masses (n
// Vectors) holds the masses of the rows: the number of tokens that each row stands for, or 0 for a row that
// is not used. The argument work is working memory of n(d+1) Vectors.
//
// Rows of x that coincide get the same field bit for bit. If N = 2, two opposite rows of equal mass get
// opposite fields bit for bit. Rows of mass 0 at the end do not change a bit of the fields of other rows, so
// that for N > 2 the number of rows may change during a run.
func (a *Attention) Field(field, work, x, masses []Vector, d int) {
	if a.rows != nil {
		a.rows.field(field, x, len(masses), d)
		return
	}
	in := active()
	if a.law[0][0] > largestWeightScale {
		in = &generic
	}
	if a.tokens == 2 && a.weigh == nil {
		in.pairField(field, x, masses, d, &a.law)
		return
	}
	n := len(masses)
	if a.weigh != nil {
		pairs := a.pairs[:pairsOf(n)]
		in.pairScores(pairs, x, masses, d)
		a.weigh(kernels.Numbers(pairs))
		in.pairSums(field, work[:n], work[n:], x, masses, pairs, d, &a.law)
		return
	}
	in.attention(field, work[:n], work[n:], x, masses, d, &a.law)
}

// pairFieldGeneric writes the attention field of two tokens, each of which is the sum of the term of the
// token itself and the term of the other token.
func pairFieldGeneric(field, x, masses []Vector, d int, law *attentionParameters) {
	x1, x2, field1, field2 := x[:d], x[d:], field[:d], field[d:]
	for k := range 8 {
		first, both, second := dot(x1, x1, k), dot(x1, x2, k), dot(x2, x2, k)
		w11, w12 := float64(weight(law, first)*masses[0][k]), float64(weight(law, both)*masses[1][k])
		w22, w21 := float64(weight(law, second)*masses[1][k]), float64(weight(law, both)*masses[0][k])
		f1, f2 := factor(law, w11+w12), factor(law, w22+w21)
		own1, other1, own2, other2 := float64(w11*f1), float64(w12*f1), float64(w22*f2), float64(w21*f2)
		for i := range d {
			field1[i][k] = math.FMA(other1, x2[i][k], float64(own1*x1[i][k]))
			field2[i][k] = math.FMA(other2, x1[i][k], float64(own2*x2[i][k]))
		}
	}
}

func attentionGeneric(field, totals, heavy, x, masses []Vector, d int, law *attentionParameters) {
	for k := range 8 {
		sumPairs(field, totals, heavy, x, masses, d, k, law, func(i, j int) float64 {
			return weight(law, dot(x[i*d:(i+1)*d], x[j*d:(j+1)*d], k))
		})
	}
}

// sumPairs computes the attention field in lane k, given the weights of the pairs i ≤ j of tokens. The weight
// of a pair serves both tokens, and each sum still runs over the tokens in their order. The products of
// tokens and masses are written to heavy.
func sumPairs(field, totals, heavy, x, masses []Vector, d, k int, law *attentionParameters,
	weightOf func(i, j int) float64) {
	n := len(masses)
	row := func(v []Vector, i int) []Vector { return v[i*d : (i+1)*d] }
	for i := range n {
		totals[i][k] = 0
		for c, v := range row(x, i) {
			row(field, i)[c][k] = 0
			row(heavy, i)[c][k] = float64(v[k] * masses[i][k])
		}
	}
	collect := func(i, j int, weight float64) {
		to := row(field, i)
		for c, v := range row(heavy, j) {
			to[c][k] = math.FMA(weight, v[k], to[c][k])
		}
		totals[i][k] = math.FMA(weight, masses[j][k], totals[i][k])
	}
	for i := range n {
		collect(i, i, weightOf(i, i))
		for j := i + 1; j < n; j++ {
			w := weightOf(i, j)
			collect(i, j, w)
			collect(j, i, w)
		}
		f := factor(law, totals[i][k])
		for c := range row(field, i) {
			row(field, i)[c][k] = float64(row(field, i)[c][k] * f)
		}
	}
}

// dot returns the inner product of the tokens x and y in a lane.
func dot(x, y []Vector, lane int) float64 {
	sum := 0.0
	for k := range x {
		sum = math.FMA(x[k][lane], y[k][lane], sum)
	}
	return sum
}

func factor(law *attentionParameters, total float64) float64 {
	if law[3][0] > 0 {
		return 1 / total
	}
	return law[2][0]
}

func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
