package sphere

import (
	"math"
	"math/rand/v2"
	"testing"
)

// components returns the connected components, by a search from each token that is not yet in one.
func components(x []float64, d int, tolerance float64) (count, largest int) {
	n := Tokens(x, d)
	seen := make([]bool, n)
	for start := range n {
		if seen[start] {
			continue
		}
		count++
		size, open := 0, []int{start}
		seen[start] = true
		for len(open) > 0 {
			i := open[0]
			open, size = open[1:], size+1
			for j := range n {
				if !seen[j] && Dot(x[i*d:(i+1)*d], x[j*d:(j+1)*d]) >= 1-tolerance {
					seen[j] = true
					open = append(open, j)
				}
			}
		}
		largest = max(largest, size)
	}
	return count, largest
}

// Tokens near several places have, with and without the tree, the clusters that a search over all pairs
// finds. Some clusters are connected by only a few pairs.
func TestMassesAreThoseOfAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 1))
	several := 0
	for range 200 {
		d, n, places := 2+r.IntN(4), 3+r.IntN(500), 1+r.IntN(12)
		tolerance := math.Pow(10, -4+3.5*r.Float64())
		spread := math.Sqrt(tolerance) * math.Pow(10, 1-3*r.Float64())
		x := make([]float64, n*d)
		Uniform(x[:min(n, places)*d], d, r.NormFloat64)
		for i := min(n, places); i < n; i++ {
			at := r.IntN(places)
			for k := range d {
				x[i*d+k] = x[at*d+k] + spread*r.NormFloat64()
			}
			Normalize(x[i*d:(i+1)*d], x[i*d:(i+1)*d])
		}
		c := NewClassifier(n, tolerance)
		outcome, _ := c.Classify(x, d)
		m := c.Masses(x, d, outcome)
		clusters, largest := components(x, d, tolerance)
		if outcome == Unclustered {
			several++
			if m.Clusters != clusters || m.Largest != largest || !math.IsNaN(m.Imbalance) {
				t.Fatalf("N=%d, d=%d, τ=%.3g: %+v, want %d clusters, the largest of %d", n, d, tolerance, m,
					clusters, largest)
			}
		}
	}
	if several < 60 {
		t.Errorf("%d configurations are unclustered", several)
	}
}

func TestMassesOfTwoClusters(t *testing.T) {
	const n, d = 700, 3
	for _, first := range []int{1, 350, 500, n} {
		x := make([]float64, n*d)
		for i := range n {
			x[i*d+1] = 1
			if i >= first {
				x[i*d+1] = -1
			}
		}
		c := NewClassifier(n, 1e-3)
		outcome, _ := c.Classify(x, d)
		m := c.Masses(x, d, outcome)
		want := Masses{2, max(first, n-first), math.Abs(float64(2*first-n)) / n}
		if first == n {
			want = Masses{1, n, math.NaN()}
		}
		if m != want && !(first == n && m.Clusters == 1 && m.Largest == n && math.IsNaN(m.Imbalance)) {
			t.Errorf("%d of %d on one side: %+v, want %+v", first, n, m, want)
		}
		if pair := PairMasses(first, n-first, outcome); pair.Clusters != m.Clusters ||
			pair.Largest != m.Largest {
			t.Errorf("%d of %d on one side: %+v as a pair", first, n, pair)
		}
	}
}
