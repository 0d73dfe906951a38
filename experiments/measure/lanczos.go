package measure

import (
	"math"

	"antipode/sde/matrices"

	"gonum.org/v1/gonum/blas/blas64"
)

// The steps after which largest gives up, and the relative error that it allows.
const (
	lanczosSteps = 40
	lanczosError = 1e-9
)

// largest is the largest eigenvalue of a positive semidefinite matrix with the given sum of squared entries;
// it is not ok if it cannot be proved to be that.
//
// A Ritz value θ with residual r has an eigenvalue within r, and, because θ is a Rayleigh quotient and the
// other eigenvalues are at a distance, within r² / distance (Parlett, The Symmetric Eigenvalue Problem,
// 11.7). That eigenvalue is the largest if two as large would have squares that exceed the sum of all: if
// 2(θ-r)² > Σλ². All others are then at most √(Σλ² - (θ-r)²).
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
