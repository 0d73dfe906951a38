package invariant

import (
	"math"
	"testing"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		v    Covariance
		dim  int
		want string
	}{
		{Covariance{0.5, 0.6, 0}, 3, "no matrix has it; a must be at least |b|"},
		{Covariance{0.5, -0.6, 1}, 3, "no matrix has it; a must be at least |b|"},
		{Covariance{1, 0, -0.4}, 3, "no matrix of dimension 3 has it; a + b + c·d must be at least 0"},
		{Covariance{}, 3, "one of a, b and c must be at least 1e-06"},
		{Covariance{9e-7, 0, 0}, 3, "one of a, b and c must be at least 1e-06"},
		{Covariance{math.NaN(), 0, 0}, 3, "a, b and c must be from -1e+06 to 1e+06"},
		{Covariance{1, 0, 1e7}, 3, "a, b and c must be from -1e+06 to 1e+06"},
		{Covariance{0, 0, -1}, 3, "no matrix of dimension 3 has it; a + b + c·d must be at least 0"},
	} {
		err := c.v.Check(c.dim)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.v, err, c.want)
		}
	}
	for _, v := range []Covariance{{1, 0, 0}, {0.5, 0.5, 0}, {0.5, -0.5, 0}, {0, 0, 1}, {0.3, 0, -0.1},
		{1, 0.5, -0.5}} {
		if err := v.Check(3); err != nil {
			t.Error(err)
		}
	}
}

// 0.3 - 3·0.1 is -5.6e-17, by rounding alone.
func TestTrace(t *testing.T) {
	if got := (Covariance{A: 0.3, C: -0.1}).Trace(3); got != 0 {
		t.Errorf("trace %g, want 0", got)
	}
	if got := (Covariance{A: 1, B: 0.25, C: 0.5}).Trace(4); got != 3.25 {
		t.Errorf("trace %g, want 3.25", got)
	}
}

// The entries are independent if only A is not 0; their standard deviation is √A.
func TestIndependent(t *testing.T) {
	for v, want := range map[Covariance]bool{Ginibre: true, {A: 6.25}: true, {A: 1, B: 1e-9}: false,
		{A: 1, C: -1e-9}: false, Scalar: false, Symmetric: false} {
		if _, got := v.Independent(); got != want {
			t.Errorf("%v: independent %v, want %v", v, got, want)
		}
	}
	for v, want := range map[Covariance]float64{{A: 6.25}: 2.5, {}: 1} {
		if got, independent := v.Independent(); got != want || !independent {
			t.Errorf("%v: standard deviation %v, independent %v; want %v", v, got, independent, want)
		}
	}
}

// A trace is 0 up to 2^-50 of the sum of its terms, and not beyond.
func TestTraceUpToRounding(t *testing.T) {
	for rest, zero := range map[float64]bool{0: true, 0x1p-50: true, 0x1p-49: false, 0x1p-48: false} {
		v := Covariance{A: 1, C: rest - 1}
		if got := v.Trace(1); (got == 0) != zero || !zero && got != rest {
			t.Errorf("trace %v for a rest of %v", got, rest)
		}
	}
}
