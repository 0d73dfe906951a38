package exactlaw

import (
	"testing"

	"antipode/overlap"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/must"
)

// near fails unless |got-want| ≤ tolerance.
var near = overlaptest.Near

// recursion returns recursion (4) of two clusters, which must be accepted.
func recursion(
	t testing.TB, dim int, beta float64, attention overlap.Attention, sigma, m1, m2 float64, depth int,
) *Recursion {
	t.Helper()
	return must.Get(Clusters(dim, beta, attention, sigma, m1, m2, depth))(t)
}

// uniform returns the law of a recursion from a uniform start, which must be available.
func uniform(t testing.TB, r *Recursion, layers int, accuracy float64) Outcomes {
	t.Helper()
	return must.Get(r.Uniform(layers, 1e-3, accuracy))(t)
}
