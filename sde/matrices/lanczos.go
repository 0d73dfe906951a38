package matrices

import (
	"fmt"
	"math"
	"slices"

	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

// Lanczos finds the largest eigenvalues of a symmetric matrix that is not negative by Lanczos' method with
// full reorthogonalisation: those of the matrix on the span of v, Mv, M²v, … from a random v. Nothing is
// needed of the matrix but products with vectors.
type Lanczos struct {
	apply         func(dst, src []float64)
	basis         [][]float64
	diagonal, off []float64 // of the matrix in this basis, which is tridiagonal
	next          []float64 // unit vector
	residual      float64   // norm of what next was
}

// NewLanczos begins with the span of a single vector of dimension n, from 1. apply multiplies by the matrix.
func NewLanczos(apply func(dst, src []float64), n int) *Lanczos {
	l := &Lanczos{apply: apply, next: make([]float64, n)}
	kernels.NewStream(0, 0).Normals(l.next, 1, kernels.Starts, 0, 0)
	scaleTo1(l.next)
	return l
}

// Step adds a vector to the basis, and reports whether its span is all that the matrix makes of it; then
// there is no further step.
func (l *Lanczos) Step() (exhausted bool) {
	v := l.next
	if len(l.basis) > 0 {
		l.off = append(l.off, l.residual)
	}
	l.basis = append(l.basis, v)
	w := make([]float64, len(v))
	l.apply(w, v)
	l.diagonal = append(l.diagonal, blas64.Dot(dense(w), dense(v)))
	for range 2 { // once leaves what rounding makes of cancellation
		for _, b := range l.basis {
			blas64.Axpy(-blas64.Dot(dense(w), dense(b)), dense(b), dense(w))
		}
	}
	l.next, l.residual = w, scaleTo1(w)
	return len(l.basis) == len(v) || l.residual <= 0x1p-50*math.Abs(l.diagonal[0])
}

// Top returns the largest eigenvalue of the matrix on the span, after a step, and the norm of the residual
// of its eigenvector: the matrix has an eigenvalue that is no farther from it than that.
func (l *Lanczos) Top() (value, residual float64, err error) {
	values, coordinates, ok := tridiagonal(l.diagonal, l.off)
	if !ok {
		return 0, 0, ErrNoConvergence
	}
	n := len(values)
	return values[n-1], l.residual * math.Abs(coordinates[n*n-1]), nil
}

// largest returns the largest eigenvalues of a symmetric matrix of dimension n that is not
// negative, the largest first, and a unit eigenvector of the first; fewer than count if n
// is less.
//
// It ends when all residuals are below tolerance times their eigenvalue, which is then off by no
// more than that, and for a tolerance small beside the distances of the eigenvalues by its square
// over the relative distance.
func largest(apply func(dst, src []float64), n, count int,
	tolerance float64) (values, vector []float64, err error) {
	const mostSteps = 2000
	l := NewLanczos(apply, n)
	for steps := 1; ; steps++ {
		exhausted := l.Step()
		if exhausted || steps%10 == 0 {
			ritz, coordinates, ok := tridiagonal(l.diagonal, l.off)
			if !ok {
				return nil, nil, ErrNoConvergence
			}
			last := coordinates[(steps-1)*steps:]
			k := min(count, steps)
			if exhausted || converged(ritz, last, k, l.residual, tolerance) {
				values = slices.Clone(ritz[steps-k:])
				slices.Reverse(values)
				return values, combine(l.basis, coordinates), nil
			}
		}
		if steps == mostSteps {
			return nil, nil, fmt.Errorf("%w in %d steps", ErrNoConvergence, mostSteps)
		}
	}
}

// converged reports whether the residuals of the k largest are small: norm times the last
// coordinates of their eigenvectors.
func converged(ritz, last []float64, k int, norm, tolerance float64) bool {
	n := len(ritz)
	if n <= k {
		return false
	}
	for i := n - k; i < n; i++ {
		if !(norm*math.Abs(last[i]) <= tolerance*ritz[i]) {
			return false
		}
	}
	return true
}

// tridiagonal returns the eigenvalues of a symmetric tridiagonal matrix, the smallest
// first, and the eigenvectors as columns.
func tridiagonal(diagonal, off []float64) (values, vectors []float64, ok bool) {
	n := len(diagonal)
	values, vectors = slices.Clone(diagonal), make([]float64, n*n)
	ok = gonum.Implementation{}.Dsteqr(lapack.EVTridiag, n, values, slices.Clone(off), vectors, n,
		make([]float64, max(1, 2*n-2)))
	return values, vectors, ok
}

// combine is the unit vector whose coordinates in the basis are the last column.
func combine(basis [][]float64, coordinates []float64) []float64 {
	n := len(basis)
	vector := make([]float64, len(basis[0]))
	for k, b := range basis {
		blas64.Axpy(coordinates[k*n+n-1], dense(b), dense(vector))
	}
	scaleTo1(vector)
	return vector
}

// scaleTo1 divides a vector by its norm, which it returns, unless that is 0.
func scaleTo1(v []float64) float64 {
	norm := blas64.Nrm2(dense(v))
	if norm > 0 {
		blas64.Scal(1/norm, dense(v))
	}
	return norm
}

func dense(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Data: v, Inc: 1} }
