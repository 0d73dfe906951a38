package products

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// A transpose, divided or not, has every entry of the matrix in its place, for all small shapes. Nothing
// between its rows is written.
func TestTranspose(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	withEach(t, func(t *testing.T) {
		for rows := range 14 {
			for columns := range 14 {
				from := filled(r, rows, columns, columns+1+r.IntN(3))
				by := make([]float64, columns)
				for k := range by {
					by[k] = 1 + r.Float64()
				}
				for _, divided := range []bool{false, true} {
					to := filled(r, columns, rows, rows+1+r.IntN(3))
					before := append([]float64{}, to.Data...)
					if divided {
						TransposeDivided(to, from, by)
					} else {
						Transpose(to, from)
					}
					for k, got := range to.Data {
						want, i, j := before[k], k%to.Stride, k/to.Stride
						if i < rows && j < columns {
							want = from.Data[i*from.Stride+j]
							if divided {
								want /= by[j]
							}
						}
						if got != want {
							t.Fatalf("%d×%d, divided %v: entry (%d, %d) is %v, want %v",
								rows, columns, divided, j, i, got, want)
						}
					}
				}
			}
		}
	})
}

// filled returns a matrix of random numbers, also in the memory between its rows.
func filled(r *rand.Rand, rows, columns, stride int) blas64.General {
	m := blas64.General{Rows: rows, Cols: columns, Stride: stride, Data: make([]float64, rows*stride)}
	for k := range m.Data {
		m.Data[k] = r.NormFloat64()
	}
	return m
}
