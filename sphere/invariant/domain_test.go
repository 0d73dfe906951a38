package invariant

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
)

// The greatest of |A|, |B| and |C| is from Least to Largest, A is at least |B|, and the trace has no negative
// variance.
func TestDomains(t *testing.T) {
	above, below := domaintest.Above, domaintest.Below
	domaintest.Check(t, "covariance", func(v Covariance) error { return v.Check(4) }, []Covariance{
		{Least, 0, 0}, {0, 0, Least}, {Largest, 0, 0}, {Largest, Largest, Largest}, {Largest, -Largest, 0},
		{1, 1, 0}, {1, -1, 0}, {1, 0, -0.25}, {1, 1, -0.5},
	}, []Covariance{
		{below(Least), 0, 0}, {0, 0, below(Least)}, {above(Largest), 0, 0}, {Largest, 0, above(Largest)},
		{1, above(1), 0}, {1, below(-1), 0}, {-Least, 0, 1}, {1, 0, -0.250001}, {1, -1, -Least},
		{1, math.NaN(), 0}, {1, 0, math.Inf(1)},
	})
	if v := (Covariance{}).OrGinibre(); v != Ginibre {
		t.Errorf("the zero value stands for %v", v)
	}
	for _, v := range []Covariance{Scalar, {B: 1}, {A: 2}} {
		if v.OrGinibre() != v || v.IsGinibre() {
			t.Errorf("%v stands for %v", v, v.OrGinibre())
		}
	}
}

// The common covariances, by the variance of the three parts of a matrix in four dimensions: antisymmetric,
// traceless symmetric, and a multiple of the identity.
func TestCommonCovariances(t *testing.T) {
	for name, c := range map[string]struct {
		v                                Covariance
		antisymmetric, traceless, scalar float64
	}{
		"ginibre": {Ginibre, 1, 1, 1}, "symmetric": {Symmetric, 0, 1, 1},
		"antisymmetric": {Antisymmetric, 1, 0, 0}, "scalar": {Scalar, 0, 0, 4},
	} {
		if c.v.A-c.v.B != c.antisymmetric || c.v.A+c.v.B != c.traceless || c.v.Trace(4) != c.scalar {
			t.Errorf("%s: %v", name, c.v)
		}
	}
}
