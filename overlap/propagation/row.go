package propagation

import (
	"fmt"
	"math"

	"antipode/overlap/internal/special"
	"antipode/sphere/elementary"
)

// Row holds statistics of a row A_1, ..., A_T of the attention matrix: means over random query and key
// weights.
type Row struct {
	Y2        float64 // E Σ A_s², the inverse of the effective number of tokens attended to
	Y3        float64 // E Σ A_s³
	Y2Squared float64 // E (Σ A_s²)², which is not Y2²
	Entropy   float64 // E Σ -A_s log A_s, in nats; +Inf in the limit T → ∞ below β_c
}

// Phase is the phase of attention in the limit of many tokens.
type Phase int

// The phases of attention: below β_c a row of attention is spread over all tokens, and the output of
// attention is the mean of the tokens (rank collapse); above β_c the row is concentrated on a few tokens
// (entropy collapse).
const (
	Spread Phase = iota
	Condensed
)

// PhaseNames are the names of the phases of attention, in the order of the constants from Spread on.
var PhaseNames = []string{"rank collapse", "entropy collapse"}

// String returns the name of the phase.
func (p Phase) String() string { return PhaseNames[p] }

// Labels returns the names of all phases of attention in the order of the constants, as labels for a table
// column.
func (Phase) Labels() []string { return PhaseNames }

// CriticalBeta returns β_c(q, p) = √(2/(q(q-p))) of Result 1 for tokens of squared norm q and overlap p ≤ q,
// both divided by the dimension. The critical β_c is the largest β for which the partition function of a row
// of attention obeys the law of large numbers. β_c is +Inf if all tokens coincide. The central limit theorem
// holds up to β_c/2, and up to β_c/2 the attention of finite sequences is close to the limit T → ∞.
func CriticalBeta(q, p float64) float64 { return math.Sqrt(2 / float64(q*(q-p))) }

// PhaseAt returns the phase of attention at β for tokens of squared norm q and overlap p; at β_c itself a row
// of attention is spread.
func PhaseAt(beta, q, p float64) Phase {
	if beta > CriticalBeta(q, p) {
		return Condensed
	}
	return Spread
}

// LimitRow returns the statistics of a row of attention for T → ∞ tokens as a function of m = β_c/β > 0, with
// m = +Inf for β = 0. For m ≥ 1 the row is spread: its moments are 0 and its entropy (1 - 1/m²) log T is
// infinite. For m < 1 the attention weights follow the Poisson-Dirichlet law with parameter m, and
//
//	Y2 = 1-m, Y3 = (1-m)(2-m)/2, E(Y2)² = (1-m)(3-2m)/3, entropy ψ(1) - ψ(1-m)
//
// where ψ is the digamma function. The formula for the participation ratio Y2 is equation (12) of "Two
// Failure Modes".
func LimitRow(m float64) Row {
	if !(m < 1) {
		return Row{Entropy: math.Inf(1)}
	}
	return Row{
		Y2:        1 - m,
		Y3:        0.5 * float64((1-m)*(2-m)),
		Y2Squared: float64((1-m)*(3-2*m)) / 3,
		Entropy:   special.Digamma(1) - special.Digamma(1-m),
	}
}

// EntropyShare returns the limit, as T → ∞, of the entropy of a row of attention divided by log T, as a
// function of m = β_c/β: 1 - (β/β_c)² below β_c, and 0 above. EntropyShare corrects equation (33), in which
// the β_c of the denominator should be squared.
func EntropyShare(m float64) float64 {
	if !(m > 1) {
		return 0
	}
	return float64((1 - 1/m) * (1 + 1/m))
}

// MomentExponent returns the limit of log Y2 / log T as T → ∞, as a function of b = β/β_c < 1:
//
//	2b² - 1 for b ≤ 1/√3, and -(1-b²)²/4b² for larger b.
//
// For b ≤ 1/√3, Y2 is of the order of the ratio E e^(2a) / T (E e^a)² for scores a of variance 2b² log T. For
// larger b, the mean Y2 is dominated by rows with one score as large as (1+b²) log T, whose attention weight
// is of order 1. The paper's exponent b² - 1 (after (34), and (15) of its first version) identifies Y2 with
// e^(-entropy), which is only a lower bound of Y2.
func MomentExponent(b float64) float64 {
	if float64(3*b*b) <= 1 {
		return float64(2*b*b) - 1
	}
	rest := float64((1 - b) * (1 + b))
	return -float64(rest*rest) / float64(4*b*b)
}

// ScoreDeviation returns the standard deviation s = β√(q(q-p) log T) of the scores of a row of T tokens,
// apart from their common part, to which softmax is invariant. So the attention weights of a row are those of
// T independent normal scores of standard deviation s, equation (8).
func ScoreDeviation(beta, tokens, q, p float64) float64 {
	return float64(beta * math.Sqrt(float64(q*(q-p))*elementary.Log(tokens)))
}

// EffectiveBeta returns the β of a Transformer whose query and key weights have standard deviation
// weightDeviation, for tokens of dimension dim after LayerNorm:
//
//	β = weightDeviation² dim / √log T.
//
// Equation (B.1) of the first version has the dimension of a head instead of dim, and the example to (B.1)
// takes the square root of log T twice: BERT-base (0.02, 768) at T = 512 has β = 0.123, not 0.016.
// EffectiveBeta returns an error if weightDeviation is infinite or negative, if dim < 1 or if tokens < 2.
func EffectiveBeta(weightDeviation float64, dim, tokens int) (float64, error) {
	switch {
	case !(weightDeviation >= 0 && weightDeviation <= math.MaxFloat64):
		return 0, fmt.Errorf("propagation: weight deviation %v is not allowed: "+
			"it must be finite and not negative", weightDeviation)
	case dim < 1:
		return 0, fmt.Errorf("propagation: dimension %d is not allowed: it must be at least 1", dim)
	case tokens < 2:
		return 0, errTokens(float64(tokens))
	}
	logTokens := elementary.Log(float64(tokens))
	return float64(weightDeviation*weightDeviation*float64(dim)) / math.Sqrt(logTokens), nil
}

func errTokens(tokens float64) error {
	return fmt.Errorf("propagation: %v tokens are not allowed: there must be at least 2", tokens)
}
