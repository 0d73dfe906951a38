package measure

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// lanczos finds largest eigenvalues, with a proof of each. It keeps its memory.
type lanczos struct{ basis []float64 }

// The steps after which it gives up, and the relative error that it allows.
const (
	lanczosSteps = 40
	lanczosError = 1e-9
)

// largest is the largest eigenvalue of a positive semidefinite matrix with the given sum of squared entries;
// it is not ok if it cannot be proved to be that.
//
// A Ritz value θ with residual r has an eigenvalue within r, and, because θ is a Rayleigh quotient and the
// other eigenvalues are at a distance, within r² / distance (Parlett, The Symmetric Eigenvalue Problem, 11.7).
// That eigenvalue is the largest if two as large would have squares that exceed the sum of all: if
// 2(θ-r)² > Σλ². All others are then at most √(Σλ² - (θ-r)²).
func (l *lanczos) largest(a blas64.Symmetric, squares float64) (value float64, ok bool) {
	n := a.N
	steps := min(lanczosSteps, n)
	if cap(l.basis) < (steps+1)*n {
		l.basis = make([]float64, (steps+1)*n)
	}
	l.basis = l.basis[:(steps+1)*n]
	vector := func(k int) []float64 { return l.basis[k*n : (k+1)*n] }
	start := vector(0)
	for i := range start { // as many signs as there are, so that hardly any eigenvector is orthogonal
		start[i] = 1 + 0.5*math.Sin(float64(i+1))
	}
	floats.Scale(1/floats.Norm(start, 2), start)
	var diagonal, beside []float64
	for k := range steps {
		next := vector(k + 1)
		blas64.Symv(1, a, blas64.Vector{N: n, Inc: 1, Data: vector(k)}, 0, blas64.Vector{N: n, Inc: 1, Data: next})
		diagonal = append(diagonal, floats.Dot(next, vector(k)))
		for range 2 { // orthogonal to all before, twice for the rounding
			for j := range k + 1 {
				floats.AddScaled(next, -floats.Dot(next, vector(j)), vector(j))
			}
		}
		residual := floats.Norm(next, 2)
		theta, last := topOfTridiagonal(diagonal, beside)
		r := residual*math.Abs(last) + 1e-14*theta
		if below := theta - r; below > 0 && 2*below*below > squares {
			distance := theta - math.Sqrt(max(0, squares-below*below))
			if r <= lanczosError*theta || distance > 0 && r*r/distance <= lanczosError*theta {
				return theta, true
			}
		}
		if residual <= 1e-14*theta {
			return 0, false
		}
		beside = append(beside, residual)
		floats.Scale(1/residual, next)
	}
	return 0, false
}

// topOfTridiagonal is the largest eigenvalue of a symmetric tridiagonal matrix, and the last entry of its
// unit eigenvector.
func topOfTridiagonal(diagonal, beside []float64) (value, last float64) {
	n := len(diagonal)
	t := mat.NewSymDense(n, nil)
	for k, x := range diagonal {
		t.SetSym(k, k, x)
		if k+1 < n {
			t.SetSym(k, k+1, beside[k])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(t, true) {
		return math.NaN(), math.NaN()
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	return eigen.Values(nil)[n-1], vectors.At(n-1, n-1)
}
