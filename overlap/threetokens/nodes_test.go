package threetokens

import (
	"math"
	"testing"
)

// The Gauss rule for the density (1-x²)^(-1/2) on [0, 1] has the moments of cos φ for uniform φ up to
// degree 2n-1, and its nodes lie inside.
func TestHalfRange(t *testing.T) {
	for _, n := range []int{1, 4, 8} {
		node, weight := halfRange(n)
		moment := [2]float64{1, 2 / math.Pi}
		for degree := range 2 * n {
			sum := 0.0
			for k, x := range node {
				sum += weight[k] * math.Pow(x, float64(degree))
				if !(x > 0 && x < 1) {
					t.Errorf("%d nodes: %v", n, x)
				}
			}
			if !(math.Abs(sum-moment[degree%2]) < 1e-12) {
				t.Errorf("%d nodes: moment %d is %v, want %v", n, degree, sum, moment[degree%2])
			}
			moment[degree%2] *= float64(degree+1) / float64(degree+2)
		}
	}
}

// Shares have the moments of |x| for a coordinate x of a uniform direction in R^(dim-1):
// E|x| = Γ(m/2)/(√π Γ((m+1)/2)), E x² = 1/m and E x⁴ = 3/(m(m+2)) with m = dim-1.
func TestShares(t *testing.T) {
	for _, dim := range []int{3, 4, 9, 50, 200} {
		node, _ := halfRange(6)
		share := shares(node, dim)
		var sum [5]float64
		for k, x := range node {
			for degree := range sum {
				sum[degree] += share[k] * math.Pow(x, float64(degree))
			}
		}
		m := float64(dim - 1)
		first := math.Exp(lgamma(0.5*m)-lgamma(0.5*(m+1))) / math.Sqrt(math.Pi)
		for degree, want := range map[int]float64{0: 1, 1: first, 2: 1 / m, 4: 3 / (m * (m + 2))} {
			if !(math.Abs(sum[degree]-want) < 1e-10) {
				t.Errorf("dimension %d: moment %d is %v, want %v", dim, degree, sum[degree], want)
			}
		}
	}
	if share := shares([]float64{1}, 2); share[0] != 1 {
		t.Errorf("in the plane: %v", share)
	}
}
