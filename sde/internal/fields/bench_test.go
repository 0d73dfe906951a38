package fields

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"antipode/internal/team"
	"antipode/sde/internal/kernels"
)

// BenchmarkSums times the direct sum for all tokens and, where there is one, the sum by series, and reports
// the time of a token.
func BenchmarkSums(b *testing.B) {
	r := rand.New(rand.NewPCG(21, 6))
	for _, d := range []int{2, 3, 4} {
		for _, beta := range []float64{1, 3, 5, 20} {
			for _, n := range []int{1000, 16000} {
				x, masses := unit(r, n, d), make([]float64, n)
				for i := range masses {
					masses[i] = 1
				}
				sums := kernels.NewMatrix(n, d)
				f := New(Attention{Beta: beta, Softmax: true, Count: n, Dim: d}, team.New(1))
				ways := map[string]summation{"direct": f.sums}
				if s, is := f.sums.(*series); is {
					ways["direct"], ways["series"] = s.direct, s
				}
				for name, way := range ways {
					b.Run(fmt.Sprintf("d=%d,β=%g,N=%d,%s", d, beta, n, name), func(b *testing.B) {
						f.sums = way
						for b.Loop() {
							f.Sum(&sums, &x, masses)
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/token")
					})
				}
			}
		}
	}
}
