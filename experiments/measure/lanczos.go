package measure

import (
	"math"

	"antipode/sde/matrices"

	"gonum.org/v1/gonum/blas/blas64"
)

// The number of Lanczos steps after which the function largest gives up, and the relative error that it
// tolerates.
const (
	lanczosSteps = 40
	lanczosError = 1e-9
)

// largest returns the largest eigenvalue of a positive semidefinite matrix a whose squared entries have the
// sum squares, by the Lanczos algorithm. The result ok is false if the value cannot be proved to be the
// largest eigenvalue.
//
// For a Ritz value θ with residual r there is an eigenvalue within distance r of θ. Because θ is a Rayleigh
// quotient, this eigenvalue is even within r² / distance of θ, where distance is the distance of θ from the
// other eigenvalues (Parlett, The Symmetric Eigenvalue Problem, 11.7). The eigenvalue is the largest if
// 2(θ-r)² > Σλ², because the squares of two eigenvalues of this size would then exceed the sum Σλ² of all
// squares. All other eigenvalues are at most √(Σλ² - (θ-r)²).
func largest(a blas64.Symmetric, squares float64) (value float64, ok bool) {
	n := a.N
	l := matrices.NewLanczos(func(dst, src []float64) {
		blas64.Symv(1, a, blas64.Vector{N: n, Inc: 1, Data: src}, 0, blas64.Vector{N: n, Inc: 1, Data: dst})
	}, n)
	for range lanczosSteps {
		exhausted := l.Step()
		theta, r, err := l.Top()
		if err != nil {
			return 0, false
		}
		r += 1e-14 * theta
		if below := theta - r; below > 0 && 2*below*below > squares {
			distance := theta - math.Sqrt(max(0, squares-below*below))
			if r <= lanczosError*theta || distance > 0 && r*r/distance <= lanczosError*theta {
				return theta, true
			}
		}
		if exhausted {
			return 0, false
		}
	}
	return 0, false
}
