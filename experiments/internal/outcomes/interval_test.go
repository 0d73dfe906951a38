package outcomes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The ends of the Wilson interval are the probabilities p for which the observed fraction lies 1.96 standard
// deviations √(p(1-p)/n) from p.
func TestWilsonSolvesItsEquation(t *testing.T) {
	quantile := distuv.UnitNormal.Quantile(0.975)
	for _, c := range [][2]int64{{0, 1}, {1, 1}, {0, 10}, {3, 10}, {10, 10}, {500, 1000}, {1, 1e12},
		{123456, 1e6}} {
		k, n := float64(c[0]), float64(c[1])
		low, high := Wilson(c[0], c[1])
		for _, p := range []float64{low, high} {
			left, right := math.Abs(k/n-p), quantile*math.Sqrt(p*(1-p)/n)
			if !(math.Abs(left-right) <= 1e-9*math.Max(left, right)) {
				t.Errorf("%v: end %v: %v is not %v", c, p, left, right)
			}
		}
		if !(0 <= low && low <= k/n && k/n <= high && high <= 1 && low < high) {
			t.Errorf("%v: interval %v, %v", c, low, high)
		}
	}
	if low, _ := Wilson(0, 7); low != 0 {
		t.Errorf("low end %v of no successes", low)
	}
	if _, high := Wilson(7, 7); high != 1 {
		t.Errorf("high end %v of all successes", high)
	}
}
