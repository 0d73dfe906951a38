package network

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/rowwise"
)

// Rotated tokens have the norms and inner products of Simplex tokens exactly. They prefer no direction, so
// that their cosines remain without bias if the mean of the coordinates of each token is subtracted.
func TestRotatedTokens(t *testing.T) {
	n := Network{Input: Rotated, Tokens: 12, Dim: 40, Q: 1.3, P: 0.4, Heads: 1}
	x := newMatrix(n.Tokens, n.Dim)
	for network := range int64(3) {
		newSource(kernels.NewStream(8, n.id()), network).tokens(n, x)
		for i := range n.Tokens {
			for j := range i + 1 {
				want := 40 * 0.4
				if i == j {
					want = 40 * 1.3
				}
				if got := rowwise.Dot(row(x, i), row(x, j)); !(math.Abs(got-want) <= 1e-12) {
					t.Errorf("network %d, tokens %d and %d: %g, want %g", network, i, j, got, want)
				}
			}
		}
	}
	n.P = 0
	const draws = 400
	mean := 0.0
	for network := range int64(draws) {
		newSource(kernels.NewStream(8, n.id()), network).tokens(n, x)
		for i := range n.Tokens {
			centre := rowwise.Sum(row(x, i)) / float64(n.Dim)
			for k := range row(x, i) {
				row(x, i)[k] -= centre
			}
		}
		mean += Observe(x).Cosine / draws
	}
	// The cosine of two tokens is, to first order, minus the product of their means, of order 1/d = 0.025.
	if !(math.Abs(mean) <= 0.002) {
		t.Errorf("mean cosine %g after subtracting means, and -1/39 without rotation", mean)
	}
}
