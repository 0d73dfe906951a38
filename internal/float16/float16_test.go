package float16

import (
	"math"
	"testing"
)

// All 65,536 numbers, subnormal numbers and both zeros included, are those of the definition of the format,
// here with powers of 2 from multiplications.
func TestAllNumbers(t *testing.T) {
	power := func(n int) float64 {
		x := 1.0
		for ; n > 0; n-- {
			x *= 2
		}
		for ; n < 0; n++ {
			x /= 2
		}
		return x
	}
	for bits := range 1 << 16 {
		sign, exponent, m := 1-2*float64(bits/0x8000), bits/0x400%0x20, float64(bits%0x400)/1024
		var want float64
		switch {
		case exponent == 31 && m > 0:
			want = math.NaN()
		case exponent == 31:
			want = math.Inf(int(sign))
		case exponent == 0:
			want = math.Copysign(power(-14)*m, sign)
		default:
			want = sign * power(exponent-15) * (1 + m)
		}
		if got := Float64(uint16(bits)); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("bits %04x: %v, want %v", bits, got, want)
		}
	}
}
