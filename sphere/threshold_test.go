package sphere

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sphere/elementary"
)

// An overlap of exactly 1-τ or -1+τ is within the tolerance.
func TestToleranceIsInclusive(t *testing.T) {
	c := NewClassifier(2, 0.5)
	height := math.Sqrt(0.75)
	for _, example := range []struct {
		second float64
		want   Outcome
		pair   bool
	}{
		{0.5, Single, false},
		{math.Nextafter(0.5, 0), Unclustered, false},
		{-0.5, Antipodal, true},
		{math.Nextafter(-0.5, 0), Unclustered, false},
	} {
		outcome, pair := c.Classify([]float64{1, 0, example.second, height}, 2)
		if outcome != example.want || pair != example.pair {
			t.Errorf("overlap %v: %v, %v; want %v, %v", example.second, outcome, pair, example.want,
				example.pair)
		}
	}
}

// If the tolerance is a few rounding errors, no group is tight enough to be decided at once, and the
// pairs within a group are compared one by one.
func TestClassifyWithToleranceNearRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	seen := map[Outcome]int{}
	for range 20_000 {
		n, d := 2+r.IntN(5), 2+r.IntN(3)
		tolerance := []float64{1e-17, 1e-15, 1e-14}[r.IntN(3)]
		x := make([]float64, n*d)
		clusters(r, x, d, 1, r.IntN(2) == 0, []float64{0, 1e-16, 3e-8 * r.Float64()}[r.IntN(3)])
		want, wantPair := classifyAllPairs(x, d, tolerance)
		if outcome, pair := NewClassifier(n, tolerance).Classify(x, d); outcome != want || pair != wantPair {
			t.Fatalf("N=%d d=%d τ=%g: %v, %v; want %v, %v", n, d, tolerance, outcome, pair, want, wantPair)
		}
		seen[want]++
	}
	if seen[Single] < 100 || seen[Antipodal] < 100 || seen[Unclustered] < 100 {
		t.Errorf("too few of some kind to tell: %v", seen)
	}
}

// A group's radius bounds the distance of its members from the centre, and is not much greater. If it
// were greater, outcomes would still be right, but no group would be decided at once. The excess is that
// of chord, √(2·slack), plus its rounding error.
func TestRadiusOfAGroupIsTight(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	const n, d = 200, 4
	x := make([]float64, n*d)
	c := NewClassifier(n, 1e-3)
	for _, spread := range []float64{1e-9, 1e-6, 1e-3} {
		clusters(r, x, d, 1, true, spread)
		c.Classify(x, d)
		farthest := make([]float64, len(c.centre))
		for i, g := range c.group {
			centre := c.centre[g]
			farthest[g] = max(farthest[g], distance(x[i*d:(i+1)*d], x[centre*d:(centre+1)*d]))
		}
		slack := float64(d+20) * 0x1p-52
		for g, radius := range c.radius {
			if radius < farthest[g] || radius > farthest[g]+1.1*math.Sqrt(2*slack) {
				t.Errorf("spread %g: radius %g of a group that extends to %g", spread, radius, farthest[g])
			}
		}
	}
}

// A velocity far below the rounding error still changes coordinates that are zero.
func TestExponentialOfATinyVelocity(t *testing.T) {
	dst := make([]float64, 2)
	for _, v := range []float64{5e-324, 1e-300, 1e-140, 1e-130} {
		if Exponential(dst, []float64{1, 0}, []float64{0, v}); dst[0] != 1 ||
			!(math.Abs(dst[1]-v) <= 1e-15*v) {
			t.Errorf("velocity %g: %v", v, dst)
		}
	}
}

// Two groups of tokens on the circle, at a distance close to the threshold: pairs between the groups fall
// on both sides of it, and each pair counts.
func TestGroupsAtTheThreshold(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	const n, tolerance = 6, 0.1
	x := make([]float64, 2*n)
	mixed := 0
	for range 5000 {
		apart := math.Acos(1 - tolerance)
		if r.IntN(2) == 0 {
			apart = math.Pi - apart
		}
		for i := range n {
			angle := apart*float64(i%2) + 0.02*(2*r.Float64()-1)
			x[2*i], x[2*i+1] = math.Cos(angle), math.Sin(angle)
		}
		want, wantPair := classifyAllPairs(x, 2, tolerance)
		if outcome, pair := NewClassifier(n, tolerance).Classify(x, 2); outcome != want || pair != wantPair {
			t.Fatalf("%v, %v; want %v, %v", outcome, pair, want, wantPair)
		}
		if want == Unclustered && wantPair {
			mixed++
		}
	}
	if mixed < 1000 {
		t.Errorf("only %d configurations are on both sides", mixed)
	}
}

// The same for two clusters whose overlap is known by its logarithms, and for the number of components.
func TestToleranceOfPairsIsInclusive(t *testing.T) {
	bound := elementary.Log(0.25)
	above := math.Nextafter(bound, 0)
	for _, c := range []struct {
		logAbove, logBelow float64
		want               Outcome
	}{
		{0, bound, Single}, {0, above, Unclustered}, {bound, 0, Antipodal}, {above, 0, Unclustered},
		{math.Inf(-1), 0.7, Antipodal}, {0.7, math.Inf(-1), Single},
	} {
		if got := PairOutcome(c.logAbove, c.logBelow, 0.25); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	tokens := &points{[]float64{1, 0, 0.5, 0.5}, 2} // of overlap 0.5
	for threshold, want := range map[float64]int{0.5: 1, math.Nextafter(0.5, 1): 2} {
		if got := Components(2, tokens, threshold); got != want {
			t.Errorf("threshold %v: %d components", threshold, got)
		}
	}
}

// A classifier is for at least one token, and for tolerances between 0 and 1.
func TestDomainOfClassifiers(t *testing.T) {
	for _, c := range []struct {
		tokens    int
		tolerance float64
		allowed   bool
	}{
		{1, 0.5, true}, {0, 0.5, false}, {-1, 0.5, false}, {1, 5e-324, true}, {1, 0, false},
		{1, math.Nextafter(1, 0), true}, {1, 1, false}, {1, math.NaN(), false},
	} {
		func() {
			defer func() {
				if allowed := recover() == nil; allowed != c.allowed {
					t.Errorf("%+v: allowed %v", c, allowed)
				}
			}()
			NewClassifier(c.tokens, c.tolerance)
		}()
	}
}
