package sphere

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// classifyAllPairs classifies by the definition.
func classifyAllPairs(x []float64, d int, tolerance float64) (Outcome, bool) {
	n := Tokens(x, d)
	single, clustered, pair := true, true, false
	for i := range n {
		for j := range i {
			z := Dot(x[i*d:(i+1)*d], x[j*d:(j+1)*d])
			single = single && z >= 1-tolerance
			clustered = clustered && (z >= 1-tolerance || z <= -1+tolerance)
			pair = pair || z <= -1+tolerance
		}
	}
	switch {
	case single:
		return Single, pair
	case clustered && pair:
		return Antipodal, true
	}
	return Unclustered, pair
}

// clusters fills x with tokens near a few centres (and their opposites), at distances of about the given
// spread.
func clusters(r *rand.Rand, x []float64, d, centres int, oppositeOnly bool, spread float64) {
	base := make([][]float64, centres)
	for k := range base {
		base[k] = unit(r, d)
		if oppositeOnly && k > 0 {
			base[k] = base[0]
		}
	}
	for i := range Tokens(x, d) {
		xi := x[i*d : (i+1)*d]
		sign := float64(1 - 2*r.IntN(2))
		scale(xi, base[r.IntN(centres)], sign)
		for k := range xi {
			xi[k] += spread * r.NormFloat64()
		}
		Normalize(xi, xi)
	}
}

func TestClassifyEqualsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	seen := map[Outcome]int{}
	pairs := 0
	for range 40_000 {
		d := 1 + r.IntN(5)
		n := 1 + r.IntN(12)
		tolerance := []float64{1e-9, 1e-3, 0.1, 0.9}[r.IntN(4)]
		spread := math.Sqrt(tolerance) * []float64{0, 1e-6, 0.02, 0.1, 0.3, 1, 3}[r.IntN(7)]
		x := make([]float64, n*d)
		clusters(r, x, d, 1+r.IntN(3), r.IntN(2) == 0, spread)
		if r.IntN(3) == 0 { // one cluster without its opposite
			for i := range n {
				if Dot(x[:d], x[i*d:(i+1)*d]) < 0 {
					scale(x[i*d:(i+1)*d], x[i*d:(i+1)*d], -1)
				}
			}
		}
		wantOutcome, wantPair := classifyAllPairs(x, d, tolerance)
		outcome, pair := NewClassifier(n, tolerance).Classify(x, d)
		if outcome != wantOutcome || pair != wantPair {
			t.Fatalf("N=%d d=%d τ=%g spread=%g: %v, %v; want %v, %v", n, d, tolerance, spread, outcome, pair,
				wantOutcome, wantPair)
		}
		seen[outcome]++
		if pair && outcome == Unclustered {
			pairs++
		}
	}
	if seen[Single] < 1000 || seen[Antipodal] < 1000 || seen[Unclustered] < 1000 || pairs < 1000 {
		t.Errorf("too few of some kind to tell: %v, %d", seen, pairs)
	}
}

func TestClassifyMergedTokensByGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	const n, d = 5000, FewDimensions + 1
	x := make([]float64, n*d)
	clusters(r, x, d, 1, true, 1e-9)
	c := NewClassifier(n, 1e-3)
	if outcome, pair := c.Classify(x, d); outcome != Antipodal || !pair {
		t.Errorf("%v, %v", outcome, pair)
	}
	if len(c.centre) != 2 {
		t.Errorf("%d groups of two clusters", len(c.centre))
	}
	if k := c.between(n, &c.points, 0, 1, 1e-14); k != opposite {
		t.Errorf("opposite clusters stand in relation %b", k)
	}
}

func TestClassifyDegenerate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name string
		x    []float64
		want Outcome
		pair bool
	}{
		{"one token", []float64{1, 0}, Single, false},
		{"equal tokens", []float64{0.6, 0.8, 0.6, 0.8}, Single, false},
		{"opposite tokens", []float64{0.6, 0.8, -0.6, -0.8}, Antipodal, true},
		{"orthogonal tokens", []float64{1, 0, 0, 1}, Unclustered, false},
		{"a pair and one between", []float64{1, 0, -1, 0, 0, 1}, Unclustered, true},
		{"NaN in one", []float64{nan, 0, 1, 0}, Unclustered, false},
		{"NaN in all", []float64{nan, nan, nan, nan}, Unclustered, false},
		{"NaN beside a pair", []float64{1, 0, nan, 0, -1, 0}, Unclustered, true},
	} {
		outcome, pair := NewClassifier(3, 1e-3).Classify(c.x, 2)
		if outcome != c.want || pair != c.pair {
			t.Errorf("%s: %v, %v; want %v, %v", c.name, outcome, pair, c.want, c.pair)
		}
	}
	if Outcome(7).String() != "Outcome(7)" || Antipodal.String() != "antipodal" {
		t.Error("names")
	}
}

// BenchmarkClassify classifies tokens in two opposite clusters, tight or as wide as the tolerance, and
// uniform tokens.
func BenchmarkClassify(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 3))
	const tolerance = 1e-3
	for _, d := range []int{2, 4, 8} {
		for _, n := range []int{50, 500, 5000, 500_000} {
			for name, spread := range map[string]float64{"merged": 1e-9, "wide": 0.1, "close": 0.015,
				"uniform": 1e9} {
				if d > FewDimensions && n > 5000 {
					continue
				}
				x := make([]float64, n*d)
				clusters(r, x, d, 1, true, spread)
				c := NewClassifier(n, tolerance)
				b.Run(fmt.Sprintf("d=%d,N=%d,%s", d, n, name), func(b *testing.B) {
					for range b.N {
						c.Classify(x, d)
					}
				})
			}
		}
	}
}
