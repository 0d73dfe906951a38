//go:build unix

package products

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/sphere/must"
)

// processorTime returns the processor time of this process so far, in nanoseconds. Other processes do not
// count.
func processorTime(b *testing.B) int64 {
	var usage syscall.Rusage
	must.Do(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// benchmarkRate reports the rate of a computation that consists of so many additions and multiplications, in
// billions of these per second of processor time.
func benchmarkRate(b *testing.B, name string, operations int, call func()) {
	b.Run(name, func(b *testing.B) {
		call()
		start := processorTime(b)
		for b.Loop() {
			call()
		}
		b.ReportMetric(float64(operations)*float64(b.N)/float64(processorTime(b)-start), "GF/s")
		b.ReportMetric(0, "ns/op")
	})
}

// shape is the shape of a product of an m×k and a k×n matrix.
type shape struct{ m, k, n int }

func (s shape) String() string { return fmt.Sprintf("%dx%dx%d", s.m, s.k, s.n) }

func (s shape) operations() int { return 2 * s.m * s.k * s.n }

// operands returns A, B and C for a product. B is transposed if transposeB says so.
func (s shape) operands(transposeB blas.Transpose) (a, b, c blas64.General) {
	r := rand.New(rand.NewPCG(1, 2))
	matrix := func(rows, columns int) blas64.General {
		m := blas64.General{Rows: rows, Cols: columns, Stride: columns, Data: make([]float64, rows*columns)}
		for k := range m.Data {
			m.Data[k] = r.NormFloat64()
		}
		return m
	}
	if transposeB != blas.NoTrans {
		return matrix(s.m, s.k), matrix(s.n, s.k), matrix(s.m, s.n)
	}
	return matrix(s.m, s.k), matrix(s.k, s.n), matrix(s.m, s.n)
}

// BenchmarkProduct times AB and ABᵀ on one core, with this package and with gonum, for squares and for the
// shapes of attention; and AAᵀ, for which half of the operations are counted.
func BenchmarkProduct(b *testing.B) {
	m := New(1)
	for _, s := range []shape{{8, 8, 8}, {16, 16, 16}, {32, 32, 32}, {64, 64, 64}, {256, 256, 256},
		{512, 512, 512}, {1024, 1024, 1024}, {512, 64, 512}, {512, 512, 64}, {512, 768, 768}} {
		for _, transpose := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			x, y, z := s.operands(transpose)
			name := fmt.Sprintf("%v/N%c/", s, transpose)
			benchmarkRate(b, name+"antipode", s.operations(), func() {
				m.Multiply(blas.NoTrans, transpose, 1, x, y, 0, z)
			})
			benchmarkRate(b, name+"gonum", s.operations(), func() {
				blas64.Gemm(blas.NoTrans, transpose, 1, x, y, 0, z)
			})
		}
		if s.m == s.n {
			x, _, z := s.operands(blas.NoTrans)
			symmetric := blas64.Symmetric{N: s.n, Stride: z.Stride, Data: z.Data, Uplo: blas.Lower}
			name := fmt.Sprintf("%v/Gram/", s)
			half := s.operations() / 2
			benchmarkRate(b, name+"antipode", half, func() { m.Gram(blas.NoTrans, 1, x, 0, z) })
			benchmarkRate(b, name+"gonum", half, func() { blas64.Syrk(blas.NoTrans, 1, x, 0, symmetric) })
		}
	}
}

// BenchmarkSizes times AB on a fine grid of sizes, to show that no size is much slower than its neighbours.
func BenchmarkSizes(b *testing.B) {
	m := New(1)
	for n := 1; n <= 512; n += max(1, n/64*4) {
		s := shape{n, n, n}
		x, y, z := s.operands(blas.NoTrans)
		benchmarkRate(b, s.String(), s.operations(), func() {
			m.Multiply(blas.NoTrans, blas.NoTrans, 1, x, y, 0, z)
		})
	}
}

// BenchmarkWorkers times a product that is divided among goroutines.
func BenchmarkWorkers(b *testing.B) {
	for _, s := range []shape{{128, 128, 128}, {256, 256, 256}, {512, 64, 512}, {1024, 1024, 1024}} {
		x, y, z := s.operands(blas.NoTrans)
		for workers := 1; workers <= 4; workers *= 2 {
			m := New(workers)
			b.Run(fmt.Sprintf("%v/workers=%d", s, workers), func(b *testing.B) {
				for b.Loop() {
					m.Multiply(blas.NoTrans, blas.NoTrans, 1, x, y, 0, z)
				}
			})
		}
	}
}
