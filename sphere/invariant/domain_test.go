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
