package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigAtan2 corrects start, an angle to (x, y) up to rounding, by the remaining angle, which is so small
// that it equals its tangent.
func bigAtan2(y, x, start float64) *big.Float {
	sin, cos := bigSinCos(bigFloat(start))
	across := new(big.Float).Sub(new(big.Float).Mul(bigFloat(y), cos), new(big.Float).Mul(bigFloat(x), sin))
	along := new(big.Float).Add(new(big.Float).Mul(bigFloat(x), cos), new(big.Float).Mul(bigFloat(y), sin))
	r := across.Quo(across, along)
	return r.Add(r, bigFloat(start))
}

func TestAtan2WithinStatedUlps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	size := func() float64 {
		x := math.Exp2(80 * (r.Float64() - 0.5))
		return math.Copysign(x, r.Float64()-0.5)
	}
	worst := 0.0
	for k := range 6000 {
		y, x := size(), size()
		if k%2 == 0 {
			y, x = 2*r.Float64()-1, 2*r.Float64()-1
		}
		got := Atan2(y, x)
		worst = max(worst, ulps(got, bigAtan2(y, x, math.Atan2(y, x))))
	}
	t.Logf("%.3f ulp", worst)
	if !(worst <= 2) {
		t.Errorf("%.3f ulp", worst)
	}
}

func TestAtan2SpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ y, x, want float64 }{
		{0, 0, 0}, {0, 1, 0}, {0, -1, math.Pi}, {1, 0, math.Pi / 2}, {-1, 0, -math.Pi / 2}, {1, 1,
			math.Pi / 4},
		{5e-324, 1, 5e-324}, {1, 5e-324, math.Pi / 2}, {5e-324, -1, math.Pi}, {0x1p1021, 0x1p1021,
			math.Pi / 4},
		{inf, 1, nan}, {1, inf, nan}, {nan, 1, nan}, {1, nan, nan},
	} {
		got := Atan2(c.y, c.x)
		if math.Float64bits(got) != math.Float64bits(c.want) && !(got != got && c.want != c.want) {
			t.Errorf("Atan2(%g, %g) = %v, want %v", c.y, c.x, got, c.want)
		}
	}
}

func TestAtan2SameBitsOnEveryMachine(t *testing.T) {
	var h uint64
	for i := range 20000 {
		sin, cos := SinCos(float64(i) / 3000)
		h = (h ^ math.Float64bits(Atan2(sin, cos))) * 0x100000001b3
	}
	if h != 0xfe934ab86ec8b6dd {
		t.Errorf("digest %#016x", h)
	}
}
