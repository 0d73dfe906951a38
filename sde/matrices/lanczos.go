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

// Lanczos computes the largest eigenvalues of a symmetric positive semidefinite matrix by Lanczos' method
// with full reorthogonalisation. The method restricts the matrix M to the span of v, Mv, M²v, … for a random
// vector v, and requires only products of M with vectors.
type Lanczos struct {
	apply         func(dst, src []float64)
	basis         [][]float64
	diagonal, off []float64 // entries of the matrix in the basis, in which it is tridiagonal
	next          []float64 // next basis vector, normalised
	residual      float64   // norm of next before it was normalised
}

// NewLanczos starts Lanczos' method with the span of a single random vector of dimension n ≥ 1. The function
// apply writes the product of the matrix with the vector src to dst.
func NewLanczos(apply func(dst, src []float64), n int) *Lanczos {
	l := &Lanczos{apply: apply, next: make([]float64, n)}
	kernels.NewStream(0, 0).Normals(l.next, 1, kernels.Starts, 0, 0)
	scaleTo1(l.next)
	return l
}

// Step adds one vector to the basis of Lanczos' method. Step reports whether the basis can grow no further,
// because the matrix maps the span of the basis to itself.
func (l *Lanczos) Step() (exhausted bool) {
	v := l.next
	if len(l.basis) > 0 {
		l.off = append(l.off, l.residual)
	}
	l.basis = append(l.basis, v)
	w := make([]float64, len(v))
	l.apply(w, v)
	l.diagonal = append(l.diagonal, blas64.Dot(dense(w), dense(v)))
	for range 2 { // a single pass would leave rounding errors due to cancellation
		for _, b := range l.basis {
			blas64.Axpy(-blas64.Dot(dense(w), dense(b)), dense(b), dense(w))
		}
	}
	l.next, l.residual = w, scaleTo1(w)
	return len(l.basis) == len(v) || l.residual <= 0x1p-50*math.Abs(l.diagonal[0])
}

// Top returns, after a step, the largest eigenvalue of the restriction of the matrix to the span, and the
// norm of the residual of its eigenvector. The matrix has an eigenvalue within this norm of the returned
// value.
func (l *Lanczos) Top() (value, residual float64, err error) {
	values, coordinates, ok := tridiagonal(l.diagonal, l.off)
	if !ok {
		return 0, 0, ErrNoConvergence
	}
	n := len(values)
	return values[n-1], l.residual * math.Abs(coordinates[n*n-1]), nil
}

// largest returns the count largest eigenvalues of a symmetric positive semidefinite matrix of dimension n,
// in descending order, and a unit eigenvector of the largest eigenvalue. If n is less than count, largest
// returns only n eigenvalues.
//
// Lanczos' method stops when the residuals of all count eigenvalues are below tolerance times the eigenvalue.
// The relative error of an eigenvalue is then at most tolerance; if tolerance is small compared with the
// relative distance of the eigenvalues, the relative error is at most the square of tolerance divided by this
// distance.
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

// converged reports whether the residuals of the k largest eigenvalues in ritz are small. A residual is norm
// times the last coordinate of the eigenvector, an entry of last.
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

// tridiagonal returns the eigenvalues of a symmetric tridiagonal matrix in ascending order, and its
// eigenvectors as columns.
func tridiagonal(diagonal, off []float64) (values, vectors []float64, ok bool) {
	n := len(diagonal)
	values, vectors = slices.Clone(diagonal), make([]float64, n*n)
	ok = gonum.Implementation{}.Dsteqr(lapack.EVTridiag, n, values, slices.Clone(off), vectors, n,
		make([]float64, max(1, 2*n-2)))
	return values, vectors, ok
}

// combine returns the normalised vector whose coordinates in the basis are the last column of coordinates.
func combine(basis [][]float64, coordinates []float64) []float64 {
	n := len(basis)
	vector := make([]float64, len(basis[0]))
	for k, b := range basis {
		blas64.Axpy(coordinates[k*n+n-1], dense(b), dense(vector))
	}
	scaleTo1(vector)
	return vector
}

// scaleTo1 divides a vector by its norm, unless the norm is 0, and returns the norm.
func scaleTo1(v []float64) float64 {
	norm := blas64.Nrm2(dense(v))
	if norm > 0 {
		blas64.Scal(1/norm, dense(v))
	}
	return norm
}

func dense(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Data: v, Inc: 1} }
