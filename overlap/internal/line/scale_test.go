package line

import (
	"math"
	"testing"
)

func TestStraight(t *testing.T) {
	near(t, "constant", exponential(0, 3), 3, 0)
	near(t, "falling", exponential(2, math.Inf(1)), 0.5, 0)
	near(t, "rising", exponential(-1, 2), math.Expm1(2), 1e-14)
	near(t, "nothing", exponential(1, -1), 0, 0)
}
