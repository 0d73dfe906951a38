package overlap

import (
	"math"
	"math/big"
	"testing"
)

func TestCriticalBetaIsRounded(t *testing.T) {
	worst, wrong := 0.0, 0
	for dim := 3; dim <= 10000; dim++ {
		if dim > 400 && dim%7 != 0 && dim != 10000 {
			continue
		}
		got, ok := CriticalBeta(dim)
		if !ok {
			t.Fatalf("dim %d has no critical beta", dim)
		}
		want := bigHalfArccosh(int64(dim - 2))
		rounded, _ := want.Float64()
		if got != rounded {
			wrong++
		}
		ulp := math.Nextafter(rounded, math.Inf(1)) - rounded
		off, _ := new(big.Float).Sub(want, big.NewFloat(got)).Float64()
		worst = math.Max(worst, math.Abs(off)/ulp)
	}
	t.Logf("largest error %.3f ulp, %d values not correctly rounded", worst, wrong)
	if worst > 1 {
		t.Errorf("largest error is %.3f ulp, want at most 1", worst)
	}
}

func TestCriticalBetaWithoutThreshold(t *testing.T) {
	for _, dim := range []int{2, 1, 0, -5} {
		if beta, ok := CriticalBeta(dim); ok || beta != 0 {
			t.Errorf("CriticalBeta(%d) = %v, %v", dim, beta, ok)
		}
	}
	if beta, ok := CriticalBeta(3); !ok || beta != 0 {
		t.Errorf("CriticalBeta(3) = %v, %v", beta, ok)
	}
}

// bigHalfArccosh returns log(n+√(n²-1))/2 with 100 bits. It reduces the argument to a number near 1 by
// square roots, and computes the logarithm as 2 atanh((x-1)/(x+1)).
func bigHalfArccosh(n int64) *big.Float {
	const bits = 160
	number := func(v int64) *big.Float { return new(big.Float).SetPrec(bits).SetInt64(v) }
	x := number(n*n - 1)
	x.Sqrt(x).Add(x, number(n))
	factor := number(1)
	for range 12 {
		x.Sqrt(x)
		factor.Add(factor, factor)
	}
	y := new(big.Float).Quo(new(big.Float).Sub(x, number(1)), new(big.Float).Add(x, number(1)))
	square := new(big.Float).Mul(y, y)
	sum, power := number(0), new(big.Float).Copy(y)
	for k := int64(1); k < 60; k += 2 {
		sum.Add(sum, new(big.Float).Quo(power, number(k)))
		power.Mul(power, square)
	}
	return sum.Mul(sum, factor) // half of 2·2^12·atanh y
}
