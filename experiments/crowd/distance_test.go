package crowd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// energy returns the squared energy distance between two sets of points in dimension d, by its definition.
func energy(x, y []float64, d int) float64 {
	mean := func(x, y []float64) (sum float64) {
		for i := 0; i < len(x); i += d {
			for j := 0; j < len(y); j += d {
				square := 0.0
				for k := range d {
					square += (x[i+k] - y[j+k]) * (x[i+k] - y[j+k])
				}
				sum += math.Sqrt(square)
			}
		}
		return sum * float64(d) * float64(d) / float64(len(x)*len(y))
	}
	return 2*mean(x, y) - mean(x, x) - mean(y, y)
}

// points returns n standard normal numbers.
func points(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 8))
	x := make([]float64, n)
	for k := range x {
		x[k] = r.NormFloat64()
	}
	return x
}

// The mean over rotations of the plane of the distance along the axes is the energy distance. Two of the
// points coincide.
func TestDistanceIsTheEnergyDistance(t *testing.T) {
	all := points(14, 1)
	copy(all[6:8], all[0:2])
	const turns = 4000
	sum := 0.0
	for k := range turns {
		sin, cos := math.Sincos(math.Pi / 2 * float64(k) / turns)
		turned := make([]float64, len(all))
		for i := 0; i < len(all); i += 2 {
			turned[i], turned[i+1] = cos*all[i]-sin*all[i+1], sin*all[i]+cos*all[i+1]
		}
		crowds := []crowd{{tokens: turned[:6]}, {tokens: turned}}
		compare(crowds, 2)
		sum += crowds[0].distance / turns
	}
	if want := energy(all[:6], all, 2); !(math.Abs(sum-want) <= 1e-6*want) {
		t.Errorf("%v, want %v", sum, want)
	}
	x, y := []float64{0.3, 0.3, 2}, []float64{-1, 0.3, 0.5, 5}
	if got, want := squaredDifference(x, y), energy(x, y, 1)/2; !(math.Abs(got-want) <= 1e-14) {
		t.Errorf("on a line: %v, want %v", got, want)
	}
}

// The mean squared distance over all subsets of the tokens is the one predicted for tokens that are drawn
// without replacement.
func TestDistanceOfIndependentTokens(t *testing.T) {
	const d, n = 3, 6
	all := points(n*d, 2)
	for size := 1; size < n; size++ {
		sum, subsets, independent := 0.0, 0.0, 0.0
		for set := range 1 << n {
			var part []float64
			for i := range n {
				if set>>i&1 == 1 {
					part = append(part, all[i*d:(i+1)*d]...)
				}
			}
			if len(part) != size*d {
				continue
			}
			crowds := []crowd{{tokens: part}, {tokens: all}}
			compare(crowds, d)
			sum, subsets, independent = sum+crowds[0].distance, subsets+1, crowds[0].independent
		}
		if got := sum / subsets; !(math.Abs(got-independent) <= 1e-12*got) {
			t.Errorf("%d of %d tokens: %v, want %v", size, n, independent, got)
		}
	}
}

func TestMeanProjection(t *testing.T) {
	got := []float64{}
	for d := 1; d <= 6; d++ {
		got = append(got, meanProjection(d))
	}
	want := []float64{1, 2 / math.Pi, 0.5, 4 / (3 * math.Pi), 0.375, 16 / (15 * math.Pi)}
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
		t.Errorf("%v, want %v", got, want)
	}
}
