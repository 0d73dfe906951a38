package training

import (
	"math"

	"antipode/internal/products"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// ranks computes the stable ranks of matrices of tokens. A ranks reuses its memory.
type ranks struct {
	products     *products.Multiplier
	gram, square blas64.General
}

// newRanks returns a ranks for matrices whose smaller side has the given length.
func newRanks(size int) *ranks {
	matrix := func() blas64.General {
		return blas64.General{Rows: size, Cols: size, Stride: size, Data: make([]float64, size*size)}
	}
	return &ranks{products: products.New(1), gram: matrix(), square: matrix()}
}

// stable returns the stable rank Σλ²/λ₁² of XXᵀ, whose eigenvalues λ ≥ 0 are those of G, the smaller of XXᵀ
// and XᵀX. The stable rank is NaN if X is 0 or not finite. With G₁ = G/tr G and G_(j+1) = G_j²/s_j, s_j = tr
// G_j²,
//
//	λ₁/tr G = s₁^(1/2) s₂^(1/4) ⋯ s_m^(1/2ᵐ) · λ₁(G_(m+1))^(1/2ᵐ),
//
// where λ₁(G_(m+1)) is between 1/n and 1 for n×n matrices. After m = 32 squarings, the last factor is 1 up to
// a relative error of 2⁻³² log n.
func (r *ranks) stable(x blas64.General) float64 {
	const mostSquares = 32
	transpose := blas.NoTrans
	if x.Rows > x.Cols {
		transpose = blas.Trans
	}
	r.products.Gram(transpose, 1, x, 0, r.gram)
	trace := 0.0
	for k := range r.gram.Rows {
		trace += r.gram.Data[k*r.gram.Stride+k]
	}
	if !(trace > 0 && trace <= math.MaxFloat64) {
		return math.NaN()
	}
	scale(r.gram.Data, 1/trace)
	largest, rank := 1.0, 0.0
	for j := range mostSquares {
		s := squares(r.gram.Data) // trace of the square of the Gram matrix
		if j == 0 {
			rank = s
		}
		root := s
		for range j + 1 {
			root = math.Sqrt(root)
		}
		largest *= root
		if s == 1 {
			break
		}
		r.products.Gram(blas.NoTrans, 1, r.gram, 0, r.square)
		scale(r.square.Data, 1/s)
		r.gram, r.square = r.square, r.gram
	}
	return rank / float64(largest*largest)
}

func scale(x []float64, factor float64) {
	for k := range x {
		x[k] *= factor
	}
}
