package matrices

import (
	"errors"
	"math"
	"slices"

	"antipode/internal/products"

	"gonum.org/v1/gonum/mat"
)

// ErrNoConvergence is returned if singular values or eigenvalues cannot be computed to the requested
// precision. No matrix with finite entries is known for which ErrNoConvergence is returned.
var ErrNoConvergence = errors.New("singular values or eigenvalues do not converge")

// SingularValues returns all singular values of a matrix in descending order. The errors are of the order of
// the rounding error of the largest singular value. SingularValues returns ErrNoConvergence if an entry is
// not finite.
func SingularValues(m mat.Matrix) ([]float64, error) {
	var svd mat.SVD
	if !isFinite(m) || !svd.Factorize(m, mat.SVDNone) {
		return nil, ErrNoConvergence
	}
	return svd.Values(nil), nil
}

// Eigenvalues returns all eigenvalues of a square matrix by descending absolute value. Of two conjugate
// eigenvalues, that with positive imaginary part comes first. Eigenvalues returns ErrNoConvergence if an
// entry is not finite.
func Eigenvalues(m mat.Matrix) ([]complex128, error) {
	var eigen mat.Eigen
	if !isFinite(m) || !eigen.Factorize(m, mat.EigenNone) {
		return nil, ErrNoConvergence
	}
	values := eigen.Values(nil)
	slices.SortStableFunc(values, func(a, b complex128) int {
		switch x, y := math.Hypot(real(a), imag(a)), math.Hypot(real(b), imag(b)); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return values, nil
}

// isFinite reports whether all entries of a matrix are finite. For other entries, LAPACK may panic or never
// return.
func isFinite(m mat.Matrix) bool {
	rows, columns := m.Dims()
	for i := range rows {
		for j := range columns {
			if !(math.Abs(m.At(i, j)) <= math.MaxFloat64) {
				return false
			}
		}
	}
	return true
}

// Excess returns sr(Σ)-1, where sr(Σ) is the stable rank (4) of the covariance Σ = XXᵀ of a signal X with the
// given singular values. The excess is the sum of (s_i/s₁)⁴ over i ≥ 2. The singular values s_i must be in
// descending order, with s₁ > 0. If the rank of X collapses, rounding would hide the excess in the stable
// rank itself.
func Excess(singularValues []float64) (excess float64) {
	for _, s := range singularValues[1:] {
		ratio := s / singularValues[0]
		square := float64(ratio * ratio)
		excess += float64(square * square)
	}
	return excess
}

// CovarianceExcess returns the Excess of a signal without computing all singular values, which would take
// longer. The largest singular value is computed by Lanczos' method and removed. The squared norm of the Gram
// matrix of the remainder is then the sum of s_i⁴ over the other singular values s_i.
func CovarianceExcess(x *mat.Dense) (float64, error) {
	rest := mat.DenseCopyOf(x)
	rest.Scale(1/mat.Norm(x, 2), rest)
	gram := func(dst, src []float64) { denseGram(dst, src, rest) }
	_, width := rest.Dims()
	squares, right, err := largest(gram, width, 1, 1e-9)
	if err != nil {
		return 0, err
	}
	var left mat.VecDense
	left.MulVec(rest, mat.NewVecDense(width, right))
	rest.RankOne(rest, -1, &left, mat.NewVecDense(width, right))
	rows, op := width, transposed
	if tokens, _ := rest.Dims(); tokens <= width {
		rows, op = tokens, plain
	}
	product := mat.NewDense(rows, rows, nil)
	products.New(1).Gram(op, 1, rest.RawMatrix(), 0, product.RawMatrix())
	ratio := mat.Norm(product, 2) / squares[0]
	return float64(ratio * ratio), nil
}

// denseGram sets dst to the product MᵀM src, for a matrix m and a vector src.
func denseGram(dst, src []float64, m *mat.Dense) {
	rows, columns := m.Dims()
	var y mat.VecDense
	y.MulVec(m, mat.NewVecDense(columns, src))
	mat.NewVecDense(columns, dst).MulVec(m.T(), mat.NewVecDense(rows, y.RawVector().Data))
}
