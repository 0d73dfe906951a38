package products

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

func random(r *rand.Rand, rows, columns, stride int) blas64.General {
	m := blas64.General{Rows: rows, Cols: columns, Stride: max(stride, 1), Data: make([]float64, rows*stride)}
	for k := range m.Data {
		m.Data[k] = r.NormFloat64()
	}
	return m
}

// entryOf is the entry (i, j) of op(A).
func entryOf(transpose blas.Transpose, a blas64.General, i, j int) float64 {
	if transpose != blas.NoTrans {
		i, j = j, i
	}
	return a.Data[i*a.Stride+j]
}

// define computes a product by its definition, the lower triangle of which is copied to the upper one if
// it is a Gram matrix.
func define(ta, tb blas.Transpose, alpha float64, a, b blas64.General, depth int, beta float64, c blas64.General, gram bool) {
	for i := range c.Rows {
		for j := range c.Cols {
			if gram && j > i {
				continue
			}
			sum := 0.0
			if beta != 0 {
				sum = beta * c.Data[i*c.Stride+j]
			}
			for l := range depth {
				sum = math.FMA(alpha*entryOf(ta, a, i, l), entryOf(tb, b, l, j), sum)
			}
			c.Data[i*c.Stride+j] = sum
			if gram {
				c.Data[j*c.Stride+i] = sum
			}
		}
	}
}

// operand is a random matrix that op makes rows×columns.
func operand(r *rand.Rand, transpose blas.Transpose, rows, columns int) blas64.General {
	if transpose != blas.NoTrans {
		rows, columns = columns, rows
	}
	return random(r, rows, columns, columns+r.IntN(3))
}

// Every entry is the chain that defines it, and nothing between the rows is touched.
func TestProductsAreChains(t *testing.T) {
	defer kernels.Select(kernels.Active())
	transposes := []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	for _, set := range kernels.Available() {
		if err := kernels.Select(set); err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		multiplier := New(1)
		for range 200 {
			m, n, k := r.IntN(40), r.IntN(60), r.IntN(60)
			switch r.IntN(8) {
			case 0:
				k += 500
			case 1:
				n += 400
			}
			gram := r.IntN(2) == 0
			if gram {
				m = n
			}
			ta, tb := transposes[r.IntN(3)], transposes[r.IntN(3)]
			alpha, beta := []float64{1, 0.7}[r.IntN(2)], []float64{1, 0.7, 0}[r.IntN(3)]
			a, b, c := operand(r, ta, m, k), operand(r, tb, k, n), random(r, m, n, n+r.IntN(3))
			want := c
			want.Data = slices.Clone(c.Data)
			if gram {
				tb = blas.Trans
				if ta != blas.NoTrans {
					tb = blas.NoTrans
				}
				define(ta, tb, alpha, a, a, k, beta, want, true)
				multiplier.Gram(ta, alpha, a, beta, c)
			} else {
				define(ta, tb, alpha, a, b, k, beta, want, false)
				multiplier.Multiply(ta, tb, alpha, a, b, beta, c)
			}
			for place, x := range want.Data {
				if c.Data[place] != x {
					t.Fatalf("%s: %d×%d×%d %c%c Gram %t α %v β %v: entry (%d, %d) is %v, want %v", set, m, k, n, ta, tb,
						gram, alpha, beta, place/c.Stride, place%c.Stride, c.Data[place], x)
				}
			}
		}
	}
}

func BenchmarkProduct(b *testing.B) {
	for _, s := range [][3]int{{8, 8, 8}, {16, 16, 16}, {32, 32, 32}, {64, 64, 64}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024}, {512, 64, 512}, {512, 512, 64}, {512, 768, 768}} {
		for _, tb := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			b.Run(fmt.Sprintf("%dx%dx%d/%c", s[0], s[1], s[2], tb), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				x, y, z := random(r, s[0], s[1], s[1]), random(r, s[1], s[2], s[2]), random(r, s[0], s[2], s[2])
				if tb == blas.Trans {
					y = random(r, s[2], s[1], s[1])
				}
				m := New(1)
				for b.Loop() {
					m.Multiply(blas.NoTrans, tb, 1, x, y, 0, z)
				}
				b.ReportMetric(2*float64(s[0]*s[1]*s[2])*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GF/s")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
