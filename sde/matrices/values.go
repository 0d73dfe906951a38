package matrices

import (
	"errors"
	"math"
	"slices"

	"antipode/internal/products"

	"gonum.org/v1/gonum/mat"
)

// ErrNoConvergence is returned if singular values or eigenvalues were not found to the
// requested precision. No matrix is known for which this happens.
var ErrNoConvergence = errors.New("singular values or eigenvalues do not converge")

// SingularValues returns all singular values of a matrix, the largest first, each up to
// rounding of the largest.
func SingularValues(m mat.Matrix) ([]float64, error) {
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDNone) {
		return nil, ErrNoConvergence
	}
	return svd.Values(nil), nil
}

// Eigenvalues returns all eigenvalues of a square matrix, the largest absolute value first;
// of two that are conjugate the one with positive imaginary part first.
func Eigenvalues(m mat.Matrix) ([]complex128, error) {
	var eigen mat.Eigen
	if !eigen.Factorize(m, mat.EigenNone) {
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

// Excess returns sr(Σ)-1 for the covariance Σ = XXᵀ of a signal with these singular values,
// the largest first and above 0: the sum of (s_i/s₁)⁴ over i ≥ 2. The stable rank (4) is 1
// more, which rounding would hide where the rank collapses.
func Excess(singularValues []float64) (excess float64) {
	for _, s := range singularValues[1:] {
		ratio := s / singularValues[0]
		square := float64(ratio * ratio)
		excess += float64(square * square)
	}
	return excess
}

// CovarianceExcess is Excess of a signal without its singular values, which takes less time:
// the largest is found by Lanczos' method and taken away, and the Gram matrix of what is
// left has the sum as its squared norm.
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

// denseGram is dst = MᵀM src.
func denseGram(dst, src []float64, m *mat.Dense) {
	rows, columns := m.Dims()
	var y mat.VecDense
	y.MulVec(m, mat.NewVecDense(columns, src))
	mat.NewVecDense(columns, dst).MulVec(m.T(), mat.NewVecDense(rows, y.RawVector().Data))
}
