package sphere

import (
	"fmt"
	"math"
)

// Dot returns the inner product <x, y>, which is the overlap of two tokens if both are unit vectors. Dot(x,
// y) and Dot(y, x) have the same bits, and so do Dot(-x, y) and -Dot(x, y). The inner product of empty
// vectors is 0.
func Dot(x, y []float64) float64 {
	sum := 0.0
	y = y[:len(x)]
	for k, v := range x {
		sum = math.FMA(v, y[k], sum)
	}
	return sum
}

// Gram writes the N×N matrix of the inner products of the tokens x (N×d) to dst, which must not overlap x.
// The Gram matrix is exactly symmetric.
func Gram(dst, x []float64, d int) {
	n := Tokens(x, d)
	if len(dst) != n*n {
		panic(fmt.Sprintf("sphere: Gram matrix of %d tokens needs %d entries, not %d", n, n*n, len(dst)))
	}
	for i := range n {
		xi := x[i*d : (i+1)*d]
		for j := range i + 1 {
			g := Dot(xi, x[j*d:(j+1)*d])
			dst[i*n+j] = g
			dst[j*n+i] = g
		}
	}
}

// Tokens returns N, the number of tokens of dimension d in x. Tokens panics if d < 1 or len(x) is not a
// multiple of d.
func Tokens(x []float64, d int) int {
	if d < 1 || len(x)%d != 0 {
		panic(fmt.Sprintf("sphere: a slice of length %d does not hold tokens of dimension %d", len(x), d))
	}
	return len(x) / d
}
