package exactlaw

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sphere/must"
)

// Interpolated rows next to an entrance agree with rows that are computed directly.
func TestEntranceRows(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		dim       int
		beta      float64
		attention overlap.Attention
		m1, m2    float64
		depth     int
	}{
		{2, 1.6, overlap.Softmax, 3, 1, 25},
		{5, 2.5, overlap.Unnormalized, 2.1, 1, 5},
	} {
		r := must.Get(Clusters(c.dim, c.beta, c.attention, 1, c.m1, c.m2, c.depth))(t)
		law, e := r.solver.(*clusters), efforts[4]
		l := must.Get(law.lattice(problem{nil, 10 * c.depth, 1e-3}, e))(t)
		direct := func(i int) span {
			from := law.layer(l.at(i), e)
			s := from.stepLaw(l.width)
			scaleToSum(1, s.p)
			return span{s.first + i, s.p}
		}
		n := l.entranceRows(law.entrancePoint(), 1e-10, direct)
		if len(n.states) != entranceDegree+1 {
			t.Fatalf("%+v: %d rows", c, len(n.states))
		}
		compared := 0
		for i := n.states[0] - 3; i >= 0; i -= max(1, n.states[0]/6) {
			got, want := n.row(i, l, direct), direct(i)
			compared++
			for k, p := range want.p {
				if j := want.first + k - got.first; j < 0 || j >= len(got.p) ||
					!(math.Abs(got.p[j]-p) <= 1e-10) {
					t.Fatalf("%+v: entry %d of the row of u = %.2f is not %.12g", c, k, l.at(i), p)
				}
			}
			for k, p := range l.matrix.rows[i].p { // rows of the lattice itself
				j := l.matrix.rows[i].first + k - want.first
				inside := j >= 0 && j < len(want.p)
				if inside && !(math.Abs(p-want.p[j]) <= 1e-10) || !inside && !(math.Abs(p) <= 1e-10) {
					t.Fatalf("%+v: entry %d of the lattice's row of u = %.2f is %.12g", c, k, l.at(i), p)
				}
			}
		}
		if compared < 5 {
			t.Errorf("%+v: %d rows compared", c, compared)
		}
	}
}
