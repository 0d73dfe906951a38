package overlap

import (
	"math"
	"testing"

	"antipode/overlap/internal/line"
)

func TestHyperbolicFunctions(t *testing.T) {
	relative := func(what string, x, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 0x1p-50*math.Abs(want)) {
			t.Errorf("%s(%v) = %.17g, want %.17g", what, x, got, want)
		}
	}
	for x := 0x1p-30; x < 600; x *= 1.37 {
		relative("sech", x, sech(x), 1/math.Cosh(x))
		relative("arccosh", 1+x, line.Arccosh(1+x), math.Acosh(1+x))
	}
	for x := 0x1p-40; x < 1; x *= 1.37 {
		relative("atanh", x, line.Atanh(x), math.Atanh(x))
		relative("atanh", -x, line.Atanh(-x), math.Atanh(-x))
		relative("atanh", 1-x, line.Atanh(1-x), math.Atanh(1-x))
	}
}

// The special arguments that callers use.
func TestHyperbolicFunctionsAtTheirLimits(t *testing.T) {
	if sech(0) != 1 || sech(2000) != 0 || line.Arccosh(1) != 0 || line.Atanh(0) != 0 {
		t.Errorf("sech(0) = %v, sech(2000) = %v, arccosh(1) = %v, atanh(0) = %v", sech(0), sech(2000),
			line.Arccosh(1), line.Atanh(0))
	}
	last := math.Nextafter(1, 0)
	near(t, "atanh of the last float64 below 1", line.Atanh(last), 0.5*54*math.Ln2, 1e-14)
	near(t, "atanh of the first float64 above -1", line.Atanh(-last), -0.5*54*math.Ln2, 1e-14)
}
