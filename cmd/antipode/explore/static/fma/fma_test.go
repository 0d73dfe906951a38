package fma

import (
	"math"
	"math/rand/v2"
	"testing"
)

// FMA agrees with math.FMA bit for bit, apart from the bits of NaNs: for random bits, for sums that cancel,
// for numbers of few digits whose results are halfway between two floating-point numbers, and at the ends of
// the range.
func TestFMA(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	few := func(digits int) float64 {
		return math.Ldexp(float64(r.Int64N(1<<digits)-1<<(digits-1)), r.IntN(80)-40)
	}
	ends := []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), math.MaxFloat64, 0x1p-1022, 0x1p-1074,
		0x1p900, 0x1p-900, 0x1.fffffffffffffp949, 1, -1, 0x1.fffffffffffffp-1, 1 + 0x1p-52}
	check := func(x, y, z float64) {
		got, want := FMA(x, y, z), math.FMA(x, y, z)
		if math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
			t.Fatalf("FMA(%x, %x, %x) = %x, want %x", x, y, z, got, want)
		}
	}
	for range 400_000 {
		x, y := math.Float64frombits(r.Uint64()), math.Float64frombits(r.Uint64())
		check(x, y, math.Float64frombits(r.Uint64()))
		x, y = r.NormFloat64(), r.NormFloat64()
		check(x, y, r.NormFloat64())
		check(x, y, math.Ldexp(r.NormFloat64(), r.IntN(240)-120))
		check(x, y, -x*y)
		check(x, y, -x*y*(1+float64(r.IntN(5)-2)*0x1p-52))
		check(few(27), few(27), few(54))
		check(few(30), few(25), few(3))
		check(few(53), 1, few(53))
		far := func(x float64) float64 { return math.Ldexp(x, r.IntN(2000)-1000) }
		check(far(x), far(y), far(r.NormFloat64()))
	}
	for _, x := range ends {
		for _, y := range ends {
			for _, z := range ends {
				check(x, y, z)
				check(x, y, -z)
			}
		}
	}
}

func BenchmarkFMA(b *testing.B) {
	x, y := 0.3, 0.7
	for b.Loop() {
		x = FMA(x, y, 0.1)
	}
}

func BenchmarkStandard(b *testing.B) {
	x, y := 0.3, 0.7
	for b.Loop() {
		x = exactly(x, y, 0.1)
	}
}
