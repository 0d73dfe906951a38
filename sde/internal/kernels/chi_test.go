package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// The χ² law of 1 to 1000 degrees of freedom: Kolmogorov-Smirnov at 10^5 draws of each
// number of a pair, a false alarm in some 2·10^4 seeds (18 tests of 3e-6 each). With one
// degree of freedom more or less the same samples fail.
func TestChiSquared(t *testing.T) {
	s := NewStream(6, 6)
	for _, freedom := range []int{1, 2, 3, 4, 5, 7, 8, 62, 1000} {
		const draws = 100_000
		values := [2][]float64{make([]float64, draws), make([]float64, draws)}
		for k := range int64(draws) {
			values[0][k], values[1][k] = s.ChiSquaredPair(freedom, freedom, 3, Increments, k%100, k/100)
		}
		law := func(freedom float64) func(x float64) float64 {
			return func(x float64) float64 { return mathext.GammaIncReg(freedom/2, x/2) }
		}
		for i, v := range values {
			if k := kolmogorov(v, law(float64(freedom))); k > 2.6 {
				t.Errorf("%d degrees of freedom, number %d: distance %.2f/√n", freedom, i, k)
			}
			for _, wrong := range []int{freedom - 1, freedom + 1} {
				if wrong > 0 && kolmogorov(v, law(float64(wrong))) < 2.6 {
					t.Errorf("%d degrees of freedom pass for %d", freedom, wrong)
				}
			}
		}
		product := 0.0
		for k := range values[0] {
			product += (values[0][k] - float64(freedom)) * (values[1][k] - float64(freedom))
		}
		if r := product / (2 * float64(freedom) * math.Sqrt(draws)); math.Abs(r) > 5 {
			t.Errorf("%d degrees of freedom: correlation of %.1f standard errors", freedom, r)
		}
	}
}

// With no degrees of freedom the number is 0, and the other of the pair is the same
// whatever its neighbour's degrees are.
func TestChiSquaredNumbersDoNotDependOnTheirNeighbour(t *testing.T) {
	s := NewStream(7, 7)
	for freedom := range 6 {
		for step := range int64(1000) {
			first, alone := s.ChiSquaredPair(freedom, 0, 0, Starts, 1, step)
			both, _ := s.ChiSquaredPair(freedom, 3, 0, Starts, 1, step)
			if first != both || alone != 0 || freedom == 0 && first != 0 {
				t.Fatalf("%d degrees of freedom: %v alone (beside %v), %v with another", freedom, first, alone, both)
			}
		}
	}
}

// The pairs in lanes have the bits of the stream's, rejected trials included, after
// lanes were moved.
func TestLanesHaveTheChiSquaredPairsOfTheStream(t *testing.T) {
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(12, 1))
		for freedom := -1; freedom < 12; freedom++ {
			for _, vectors := range []int{1, 2, 3, 8, 40} {
				laws := NewChiSquaredLaws(freedom, freedom-1)
				l, trajectories, steps := scattered(r, vectors)
				got, want := make([]Vector, 2*vectors), make([]Vector, 2*vectors)
				for range 3 {
					l.ChiSquaredPairs(got, laws, 5)
					for lane := range steps {
						v, k := lane/8, lane%8
						want[2*v][k], want[2*v+1][k] = l.stream.ChiSquaredPair(freedom, freedom-1, 5, Increments, trajectories[lane], steps[lane])
					}
					sameBits(t, fmt.Sprintf("%d degrees of freedom, %d Vectors", freedom, vectors), got, want)
					lane := r.IntN(8 * vectors)
					trajectories[lane] = r.Int64N(MaxTrajectories)
					l.Set(lane, Increments, trajectories[lane], steps[lane])
				}
			}
		}
	})
}

func BenchmarkChiSquaredPairs(b *testing.B) {
	l := NewLanes(NewStream(1, 1), 8)
	dst := make([]Vector, 16)
	for _, freedom := range []int{2, 3, 8, 62} {
		laws := NewChiSquaredLaws(freedom, freedom-1)
		b.Run(fmt.Sprint(freedom), func(b *testing.B) {
			benchmarkEach(b, func(b *testing.B) {
				for range b.N {
					l.Advance()
					l.ChiSquaredPairs(dst, laws, 3)
				}
				perLane(b, 64, "ns/pair")
			})
		})
	}
}

func BenchmarkChiSquaredPair(b *testing.B) {
	for _, freedom := range []int{2, 8, 62} {
		b.Run(fmt.Sprint(freedom), func(b *testing.B) {
			s := NewStream(1, 1)
			for k := range b.N {
				x, y := s.ChiSquaredPair(freedom, freedom-1, 3, Increments, 0, int64(k))
				sink += uint64(x) + uint64(y)
			}
		})
	}
}
