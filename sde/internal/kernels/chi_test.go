package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// chiSquaredPair returns the χ² pair of a step, from as many trials as it takes.
func chiSquaredPair(a address, freedom int, block uint32) (first, second float64) {
	if freedom <= mostSummed {
		return summedSquares(a, freedom, block)
	}
	law := newChiSquaredLaw(freedom)
	first, second = -1, -1
	for attempt := uint32(0); first < 0 || second < 0; attempt += 2 {
		x, y := normalPair(a, block, attempt, 1)
		u, v := a.block(block, attempt+1)
		if first < 0 {
			first = chiSquaredTrial(law, x, unit(u))
		}
		if second < 0 {
			second = chiSquaredTrial(law, y, unit(v))
		}
	}
	return first, second
}

// The χ² law of 1 to 1000 degrees of freedom: Kolmogorov-Smirnov at 30,000 draws of each
// number of a pair, or 10^5 for 1000 degrees of freedom, a false alarm in some 10^4 seeds
// (24 tests of 3e-6 each). With one degree of freedom more or less the same samples fail.
func TestChiSquared(t *testing.T) {
	s := NewStream(6, 6)
	for _, freedom := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 62, 1000} {
		draws := 30_000
		if freedom > 100 {
			draws = 100_000
		}
		values := [2][]float64{make([]float64, draws), make([]float64, draws)}
		for k := range int64(draws) {
			values[0][k], values[1][k] = chiSquaredPair(s.at(Increments, k%100, k/100), freedom, 3)
		}
		product := 0.0
		for k := range values[0] {
			product += (values[0][k] - float64(freedom)) * (values[1][k] - float64(freedom))
		}
		if r := product / (2 * float64(freedom) * math.Sqrt(float64(draws))); !(math.Abs(r) <= 5) {
			t.Errorf("%d degrees of freedom: correlation of %.1f standard errors", freedom, r)
		}
		law := func(freedom float64) func(x float64) float64 {
			return func(x float64) float64 { return mathext.GammaIncReg(freedom/2, x/2) }
		}
		for i, v := range values {
			slices.Sort(v)
			if k := kolmogorov(v, law(float64(freedom))); k > 2.6 {
				t.Errorf("%d degrees of freedom, number %d: distance %.2f/√n", freedom, i, k)
			}
			for _, wrong := range []int{freedom - 1, freedom + 1} {
				if wrong > 0 && kolmogorov(v, law(float64(wrong))) < 2.6 {
					t.Errorf("%d degrees of freedom pass for %d", freedom, wrong)
				}
			}
		}
	}
}

// The random numbers of a chain have the same bits in lanes as one by one, also where trials are rejected,
// and after lanes have been moved.
func TestChainDrawsTheNumbersOfTheStream(t *testing.T) {
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(12, 1))
		for dim := 2; dim < 15; dim++ {
			sizes := []int{1, 2, 3}
			if dim-2 > mostSummed {
				sizes = append(sizes, 100) // of which batches of rejected lanes go on together
			}
			for _, vectors := range sizes {
				c := NewChain(vectors, dim, 1, 0.1, true)
				l, trajectories, steps := scattered(r, vectors)
				want := make([]Vector, chainRows*vectors)
				for range 3 {
					c.Step(l)
					for lane := range steps {
						rows, k := want[chainRows*(lane/8):], lane%8
						a := l.stream.at(Increments, trajectories[lane], steps[lane])
						rows[0][k], rows[1][k] = normalPair(a, 0, 0, 1)
						rows[2][k], rows[3][k] = normalPair(a, 1, 0, 1)
						rows[4][k], rows[5][k] = chiSquaredPair(a, dim-2, 2)
					}
					sameBits(t, fmt.Sprintf("d = %d, %d Vectors", dim, vectors), c.draws, want)
					lane := r.IntN(8 * vectors)
					trajectories[lane] = r.Int64N(MaxTrajectories)
					l.Set(lane, Increments, trajectories[lane], steps[lane])
				}
			}
		}
	})
}
