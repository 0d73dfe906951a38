package collapse

import (
	"fmt"
	"math"
)

// scoreLaw describes the scores M of a sequence, over random query and key weights, as far as the theory
// of uniform attention needs them (A.5).
type scoreLaw struct {
	moments  moments
	variance float64 // variance of a score, divided by the squared norms of its two tokens
}

// newScores returns the scores of tokens with the given moments under Glorot initialisation (Theorem
// A.7). It is an error if keyDim is below 1.
func newScores(m moments, keyDim int) (scoreLaw, error) {
	if keyDim < 1 {
		return scoreLaw{}, fmt.Errorf("collapse: key dimension %d is not allowed: it must be at least 1",
			keyDim)
	}
	v := Glorot(m.Dim, keyDim)
	return scoreLaw{m, float64(v * v)}, nil
}

// Variance returns E M_ij² = σ_k⁴‖x_i‖²‖x_j‖² of Theorem A.7, given the squared norms of the two tokens.
// It falls like 1/d_k².
func (s scoreLaw) Variance(squareI, squareJ float64) float64 {
	return float64(s.variance * squareI * squareJ)
}

// Distance returns E‖A - 1/n‖² to first order in the variance of the scores. Subtracting the mean of each
// row gives (σ_k⁴/n²)‖X‖²‖LX‖². Omitted terms are smaller by a factor of the order of that variance. It
// falls like 1/d_k², as the attention does almost surely (Theorem A.2).
func (s scoreLaw) Distance() float64 {
	n := float64(s.moments.Tokens)
	return float64(s.variance*s.moments.Square*s.moments.Spread) / float64(n*n)
}

// Exceedance returns a bound on the probability that any score exceeds size > 0, by Markov's inequality:
// σ_k⁴‖X‖⁴/size², at most 1. As the sum of the bound over d_k is finite, the convergence of Theorem A.2
// is almost sure. It is an error if size is not positive.
func (s scoreLaw) Exceedance(size float64) (float64, error) {
	if !(size > 0) {
		return 0, fmt.Errorf("collapse: a score of %v is not allowed: it must be above 0", size)
	}
	root := math.Sqrt(s.variance) * s.moments.Square / size
	return min(1, float64(root*root)), nil
}
