package finitedepth

import (
	"math"
	"testing"

	"antipode/overlap"
)

// The remainder of the series falls like 1/L³, down to the rounding error of the zero.
func TestExpandedCriticalBeta(t *testing.T) {
	for _, attention := range []overlap.Attention{overlap.Softmax, overlap.Unnormalized} {
		for _, dim := range []int{4, 5, 7, 8, 12, 30, 100} {
			for _, sigma := range []float64{0.5, 1, 2} {
				checkRemainder(t, dim, attention, sigma)
			}
		}
	}
}

func checkRemainder(t *testing.T, dim int, attention overlap.Attention, sigma float64) {
	const rounding = 2e-11
	remainder := func(depth int) float64 {
		expanded, ok, err := ExpandedCriticalBeta(dim, attention, sigma, depth)
		zero, found, problem := CriticalBeta(dim, attention, sigma, depth)
		if !ok || !found || err != nil || problem != nil {
			t.Fatal(dim, attention, sigma, depth, ok, found, err, problem)
		}
		return math.Abs(expanded - zero)
	}
	scale := int(float64(dim) * sigma * sigma)
	if attention == overlap.Unnormalized {
		scale *= dim / 2
	}
	// With a wrong term in 1/L² it would fall to at most 1/16.
	coarse, fine := remainder(64*scale), remainder(256*scale)
	if fine > coarse/25+rounding {
		t.Errorf("d=%d σ=%v %v: remainder %.3g, then %.3g at four times the depth", dim, sigma, attention,
			coarse, fine)
	}
	if last := remainder(8192 * scale); last > rounding {
		t.Errorf("d=%d σ=%v %v: remainder %.3g at depth %d", dim, sigma, attention, last, 8192*scale)
	}
}

// On the circle there is no boundary, in three dimensions it is 0, and at small depths the series is
// below 1.
func TestExpandedCriticalBetaWithoutBoundary(t *testing.T) {
	for _, c := range []struct {
		dim, depth int
		exists     bool
	}{{2, 100, false}, {3, 100, true}, {100, 20, false}} {
		got, ok, err := ExpandedCriticalBeta(c.dim, overlap.Softmax, 1, c.depth)
		if got != 0 || ok != c.exists || err != nil {
			t.Errorf("d=%d, L=%d: %v %v %v", c.dim, c.depth, got, ok, err)
		}
	}
	if _, _, err := ExpandedCriticalBeta(4, overlap.Softmax, 1, 0); err == nil {
		t.Error("depth 0 is taken")
	}
}

// At the returned depth, the distance of the boundary from its limit is the tolerance, to the next order.
func TestLimitDepth(t *testing.T) {
	for _, attention := range []overlap.Attention{overlap.Softmax, overlap.Unnormalized} {
		for _, dim := range []int{4, 5, 10, 50, 1000} {
			for _, tolerance := range []float64{0.01, 0.001} {
				depth, ok, err := LimitDepth(dim, attention, 1.5, tolerance)
				if !ok || err != nil {
					t.Fatal(dim, ok, err)
				}
				zero, _, err := CriticalBeta(dim, attention, 1.5, int(math.Ceil(depth)))
				if err != nil {
					t.Fatal(err)
				}
				limit, _ := overlap.CriticalBeta(dim)
				ratio := (zero/limit - 1) / tolerance
				if !(math.Abs(ratio-1) <= 12*tolerance) {
					t.Errorf("d=%d %v: %v of the tolerance %v at depth %v", dim, attention, ratio, tolerance,
						depth)
				}
			}
		}
	}
	if depth, ok, err := LimitDepth(4, overlap.Softmax, 1, 0.01); math.Abs(depth-58.453) > 1e-3 || !ok ||
		err != nil {
		t.Error("d=4:", depth, ok, err)
	}
	for _, dim := range []int{2, 3} {
		if _, ok, err := LimitDepth(dim, overlap.Softmax, 1, 0.01); ok || err != nil {
			t.Errorf("d=%d: %v %v", dim, ok, err)
		}
	}
	for _, tolerance := range []float64{0, -1, 0.11, math.NaN(), math.Inf(1)} {
		if _, _, err := LimitDepth(4, overlap.Softmax, 1, tolerance); err == nil {
			t.Errorf("tolerance %v is taken", tolerance)
		}
	}
}
