package products

import (
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

func TestRefusals(t *testing.T) {
	memory := make([]float64, 100)
	matrix := func(rows, columns, stride, start int) blas64.General {
		return blas64.General{Rows: rows, Cols: columns, Stride: stride, Data: memory[start:]}
	}
	other := func(rows, columns int) blas64.General {
		return blas64.General{Rows: rows, Cols: columns, Stride: columns, Data: make([]float64, rows*columns)}
	}
	for _, c := range []struct {
		name, want string
		a, b, c    blas64.General
		op         blas.Transpose
	}{
		{"inner dimensions", "products: op(A) is 2×3, op(B) 4×5 and C 2×5",
			other(2, 3), other(4, 5), other(2, 5), 'N'},
		{"columns", "products: op(A) is 2×3, op(B) 3×5 and C 2×4",
			other(2, 3), other(3, 5), other(2, 4), 'N'},
		{"transposed", "products: op(A) is 3×2, op(B) 3×5 and C 2×5",
			other(2, 3), other(3, 5), other(2, 5), 'T'},
		{"operation", `products: op(A) is 'x'`,
			other(2, 3), other(3, 5), other(2, 5), 'x'},
		{"stride", "products: A is 2×3 with stride 2 in 100 numbers",
			matrix(2, 3, 2, 0), other(3, 5), other(2, 5), 'N'},
		{"no stride", "products: B is 0×0 with stride 0 in 0 numbers",
			other(2, 3), blas64.General{}, other(2, 5), 'N'},
		{"data", "products: C is 2×5 with stride 7 in 11 numbers",
			other(2, 3), other(3, 5), matrix(2, 5, 7, 89), 'N'},
		{"same", "products: C shares memory with A",
			matrix(3, 3, 3, 0), other(3, 3), matrix(3, 3, 3, 0), 'N'},
		{"last entry", "products: C shares memory with B",
			other(2, 2), matrix(2, 2, 4, 10), matrix(2, 2, 2, 15), 'N'},
		{"rows cross", "products: C shares memory with A",
			matrix(2, 2, 5, 0), other(2, 2), matrix(2, 2, 4, 3), 'N'},
		{"columns meet", "products: C shares memory with B",
			other(2, 2), matrix(2, 2, 5, 0), matrix(2, 2, 5, 1), 'N'},
		{"around the row's end", "products: C shares memory with B",
			other(2, 2), matrix(2, 2, 5, 0), matrix(2, 2, 5, 4), 'N'},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("panic %v, want %v", got, c.want)
				}
			}()
			New(1).Multiply(c.op, blas.NoTrans, 1, c.a, c.b, 0, c.c)
		})
	}
	t.Run("Gram", func(t *testing.T) {
		defer func() {
			if got, want := recover(), "products: op(A) is 3×2 and C 3×2"; got != want {
				t.Errorf("panic %v, want %v", got, want)
			}
		}()
		New(1).Gram(blas.NoTrans, 1, other(3, 2), 0, other(3, 2))
	})
	for want, run := range map[string]func(){
		"products: the transpose of 2×3 in 2×3": func() { Transpose(other(2, 3), other(2, 3)) },
		"products: the transpose of 2×3 in 3×1": func() { Transpose(other(3, 1), other(2, 3)) },
		"products: the transpose of 3×2 in 3×3": func() { TransposeDivided(other(3, 3), other(3, 2), nil) },
		"products: 2 divisors of 3 columns": func() {
			TransposeDivided(other(3, 2), other(2, 3), memory[:2])
		},
		"products: 4 divisors of 3 columns": func() {
			TransposeDivided(other(3, 2), other(2, 3), memory[:4])
		},
		"products: the matrix is 2×3 with stride 2 in 100 numbers": func() {
			Transpose(other(3, 2), matrix(2, 3, 2, 0))
		},
	} {
		t.Run(want, func(t *testing.T) {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v", got)
				}
			}()
			run()
		})
	}
	// A matrix may lie between the rows of another; they do not share memory.
	m := New(1)
	m.Multiply(blas.NoTrans, blas.NoTrans, 1, matrix(2, 2, 6, 0), matrix(2, 2, 6, 4), 0, matrix(2, 2, 6, 2))
	m.Multiply(blas.NoTrans, blas.NoTrans, 1, matrix(2, 2, 6, 12), matrix(2, 2, 5, 24), 0, matrix(2, 2, 3, 0))
}

func TestProductsDoNotAllocate(t *testing.T) {
	for _, workers := range []int{1, 2} {
		m := New(workers)
		a := blas64.General{Rows: 150, Cols: 150, Stride: 150, Data: make([]float64, 150*150)}
		c := a
		c.Data = make([]float64, 150*150)
		if n := testing.AllocsPerRun(20, func() {
			m.Multiply(blas.Trans, blas.Trans, 0.5, a, a, 1, c)
			m.Gram(blas.NoTrans, 1, a, 0, c)
		}); n > 0 {
			t.Errorf("%d workers: %v allocations", workers, n)
		}
	}
}
