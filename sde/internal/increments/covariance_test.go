package increments

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sphere/invariant"
	"antipode/sphere/must"
)

var covariances = []invariant.Covariance{
	{}, {A: 1}, {A: 2}, {A: 0.8, B: 0.6, C: 0.3}, {A: 1, B: -0.5, C: 0.2},
	{A: 0.5, B: 0.5}, {A: 0.5, B: -0.5}, {C: 1.3}, {A: 0.6, B: 0.2, C: -0.16}, {A: 1, B: -1, C: 0.4},
}

// The matrix is a linear function of independent entries, which has the second moments of the definition,
// all d⁴ of them; in lanes it has the same bits.
func TestMixedMatricesHaveTheCovariance(t *testing.T) {
	const d = 4
	is := func(a, b int) float64 {
		if a == b {
			return 1
		}
		return 0
	}
	for _, v := range covariances {
		must.Do(t, v.OrGinibre().Check(d))
		images := make([][]float64, d*d)
		for m := range images {
			images[m] = make([]float64, d*d)
			images[m][m] = 1
			lanes := make([]kernels.Vector, d*d)
			lanes[m][m%8] = 1
			Mix(v, images[m])
			MixLanes(v, lanes, d)
			for k := range lanes {
				if lanes[k][m%8] != images[m][k] || lanes[k][(m+1)%8] != 0 {
					t.Fatalf("%v: entry %d in lanes is %v, want %v", v, k, lanes[k], images[m][k])
				}
			}
		}
		e := v.OrGinibre()
		for n := range d * d {
			for o := range d * d {
				i, j, k, l := n/d, n%d, o/d, o%d
				want := e.A*is(i, k)*is(j, l) + e.B*is(i, l)*is(j, k) + e.C*is(i, j)*is(k, l)
				got := 0.0
				for _, image := range images {
					got += image[n] * image[o]
				}
				if !(math.Abs(got-want) <= 1e-14) {
					t.Errorf("%v: E V_%d%d V_%d%d = %v, want %v", v, i, j, k, l, got, want)
				}
			}
		}
	}
}
