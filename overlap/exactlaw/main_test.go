package exactlaw

import (
	"math"
	"testing"

	"antipode/overlap"
)

// near fails unless |got-want| ≤ tolerance.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.15g, want %.15g: off by %.2g, more than %.2g", what, got, want, got-want, tolerance)
	}
}

// recursion returns recursion (4) of two clusters, which must be accepted.
func recursion(
	t testing.TB, dim int, beta float64, attention overlap.Attention, sigma, m1, m2 float64, depth int,
) *Recursion {
	t.Helper()
	r, err := Clusters(dim, beta, attention, sigma, m1, m2, depth)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// uniform returns the law of a recursion from a uniform start, which must be available.
func uniform(t testing.TB, r *Recursion, layers int, accuracy float64) Outcomes {
	t.Helper()
	o, err := r.Uniform(layers, 1e-3, accuracy)
	if err != nil {
		t.Fatal(err)
	}
	return o
}
