package selfattention

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"antipode/sde/internal/kernels"
)

// randomGroups is n random tokens of masses 1 to 5, some of which coincide, in groups and as the rows of
// one lane.
func randomGroups(r *rand.Rand, n, d int) (g *Groups, rows, masses []Vector) {
	count := kernels.Width(n)
	g = &Groups{
		X: make([]Vector, count*d), Heavy: make([]Vector, count*d), Masses: make([]Vector, count),
		Field: make([]Vector, count*d), Totals: make([]Vector, count), Dim: d,
	}
	rows, masses = make([]Vector, n*d), make([]Vector, n)
	for i := range n {
		same := r.IntN(i + 1)
		masses[i][0] = float64(1 + r.IntN(5))
		g.Masses[i/8][i%8] = masses[i][0]
		for k := range d {
			if rows[i*d+k][0] = r.NormFloat64() / 4; i%3 == 2 {
				rows[i*d+k] = rows[same*d+k]
			}
			x := rows[i*d+k][0]
			g.X[i/8*d+k][i%8], g.Heavy[i/8*d+k][i%8] = x, float64(x*masses[i][0])
		}
	}
	return g, rows, masses
}

// The sums of tokens in groups have the bits of a trajectory in a lane, in every instruction set and for
// every division into ranges.
func TestPairTermsAreThoseOfALane(t *testing.T) {
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(22, 1))
		for _, n := range []int{3, 8, 9, 16, 31, 50, 64} {
			for _, d := range []int{1, 2, 3, 8, 11} {
				a := NewAttention(float64(4*r.Float64()), n, r.IntN(2) == 0)
				g, rows, masses := randomGroups(r, n, d)
				want, work := make([]Vector, n*d), make([]Vector, n*(d+1))
				attentionGeneric(want, work[:n], work[n:], rows, masses, d, &a.law)
				together := 1 + r.IntN(4)
				for top := 0; top < len(g.Masses); top += together {
					for left := 0; left <= top; left += together {
						bottom, right := min(top+together, len(g.Masses)), min(left+together, len(g.Masses))
						a.AddPairs(g, top, bottom, left, right)
					}
				}
				for i := range n {
					factor := a.Factor(g.Totals[i/8][i%8])
					for k := range d {
						got := float64(g.Field[i/8*d+k][i%8] * factor)
						if got != want[i*d+k][0] {
							t.Fatalf("N=%d, d=%d: coordinate %d of A_%d is %v, want %v",
								n, d, k, i, got, want[i*d+k][0])
						}
					}
				}
			}
		}
	})
}

// BenchmarkAddPairs times the attention of one trajectory.
func BenchmarkAddPairs(b *testing.B) {
	for _, size := range [][2]int{{64, 8}, {256, 3}, {256, 8}, {256, 20}, {2048, 8}} {
		n, d := size[0], size[1]
		b.Run(fmt.Sprintf("N=%d,d=%d", n, d), func(b *testing.B) {
			a := NewAttention(4, n, true)
			g, _, _ := randomGroups(rand.New(rand.NewPCG(22, 2)), n, d)
			for b.Loop() {
				for top := 0; top < len(g.Masses); top += 32 {
					for left := 0; left <= top; left += 32 {
						a.AddPairs(g, top, min(top+32, len(g.Masses)), left, min(left+32, len(g.Masses)))
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*(n+1)/2), "ns/pair")
		})
	}
}
