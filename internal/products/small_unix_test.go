//go:build unix

package products

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// BenchmarkSmall times products of few rows and columns, where the cost of a call shows besides that of the
// multiplications, on one core and in turn with gonum: general products with either factor transposed or not,
// and symmetric products. Of the latter, Gram computes both triangles, and Lower only the lower one, as gonum
// does.
func BenchmarkSmall(b *testing.B) {
	m := New(1)
	for _, n := range []int{8, 12, 16, 24, 32} {
		x, y, z := shape{n, n, n}.operands(blas.NoTrans)
		lower := blas64.Symmetric{N: n, Stride: z.Stride, Data: z.Data, Uplo: blas.Lower}
		for _, left := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			for _, right := range []blas.Transpose{blas.NoTrans, blas.Trans} {
				benchmarkTurns(b, fmt.Sprintf("n=%d/%c%c", n, left, right), 2*n*n*n,
					func() { m.Multiply(left, right, 1, x, y, 0, z) },
					func() { blas64.Gemm(left, right, 1, x, y, 0, z) })
			}
			gonum := func() { blas64.Syrk(left, 1, x, 0, lower) }
			benchmarkTurns(b, fmt.Sprintf("n=%d/%c/Gram", n, left), n*n*n,
				func() { m.Gram(left, 1, x, 0, z) }, gonum)
			benchmarkTurns(b, fmt.Sprintf("n=%d/%c/Lower", n, left), n*n*n,
				func() { m.Lower(left, 1, x, 0, z) }, gonum)
		}
	}
}

// benchmarkTurns runs two operations in turn, and reports the best rate of the first one, and how many times
// the best rate of the second one that is.
func benchmarkTurns(b *testing.B, name string, operations int, call, other func()) {
	const calls = 1000
	b.Run(name, func(b *testing.B) {
		least := [2]int64{math.MaxInt64, math.MaxInt64}
		for b.Loop() {
			for k, f := range []func(){call, other} {
				start := processorTime(b)
				for range calls {
					f()
				}
				least[k] = min(least[k], processorTime(b)-start)
			}
		}
		b.ReportMetric(float64(calls*operations)/float64(least[0]), "GF/s")
		b.ReportMetric(float64(least[1])/float64(least[0]), "times-gonum")
		b.ReportMetric(0, "ns/op")
	})
}
