package sde

import (
	"testing"

	"antipode/sphere/invariant"
)

// Matrices of independent Gaussian entries are drawn on the span of the tokens if there are two tokens, or at
// most half as many as dimensions; other matrices are drawn in full. This choice determines the bits that a
// seed gives.
func TestRankOfDrawnMatrices(t *testing.T) {
	symmetric := invariant.Covariance{A: 1, B: 1}
	for _, c := range []struct {
		model             Transformer
		tokens, dim, want int
	}{
		{Transformer{Law: Gaussian, Sigma: 1}, 4, 8, 4}, {Transformer{Law: Gaussian, Sigma: 1}, 5, 8, 8},
		{Transformer{Law: Gaussian, Sigma: 1}, 2, 3, 2}, {Transformer{Law: Gaussian, Sigma: 1}, 2, 1, 1},
		{Transformer{Law: Rademacher, Sigma: 1}, 2, 8, 8},
		{Transformer{Law: Gaussian, Sigma: 1, Covariance: symmetric}, 2, 8, 8},
	} {
		if got := c.model.rank(c.tokens, c.dim); got != c.want {
			t.Errorf("%+v, %d tokens, d = %d: %d, want %d", c.model, c.tokens, c.dim, got, c.want)
		}
	}
}
