package increments

import (
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sphere/invariant"
)

// A mixture says how a value matrix with a covariance is sampled: V = αG + α'Gᵀ + κ tr(G) I, where G has
// independent normal entries, A, B and C are the coefficients of the covariance, and (α±α')² = A±B. The trace
// of the first two terms has the variance d(A+B), and the trace of V must have the variance d(A+B+Cd). So κ =
// (√(A+B+Cd) - √(A+B))/d. The formula for κ also holds for C < 0, and the d² entries of G are the only random
// numbers.
type mixture struct{ own, transposed, trace float64 } // coefficients α, α' and κ

func mixtureOf(v invariant.Covariance, dim int) mixture {
	v = v.OrGinibre()
	symmetric, antisymmetric := math.Sqrt(v.A+v.B), math.Sqrt(v.A-v.B)
	return mixture{
		own: 0.5 * (symmetric + antisymmetric), transposed: 0.5 * (symmetric - antisymmetric),
		trace: (math.Sqrt(v.Trace(dim)) - symmetric) / float64(dim),
	}
}

// Mix transforms a d×d matrix (row-major) of independent normal entries to a matrix with the given
// covariance, in place.
func Mix(v invariant.Covariance, matrix []float64) {
	if v.IsGinibre() {
		return
	}
	d := int(math.Round(math.Sqrt(float64(len(matrix)))))
	m, trace := mixtureOf(v, d), 0.
	for i := range d {
		trace += matrix[i*d+i]
	}
	trace = float64(m.trace * trace)
	for i := range d {
		matrix[i*d+i] = math.FMA(m.own+m.transposed, matrix[i*d+i], trace)
		for j := i + 1; j < d; j++ {
			x, y := matrix[i*d+j], matrix[j*d+i]
			matrix[i*d+j] = math.FMA(m.own, x, float64(m.transposed*y))
			matrix[j*d+i] = math.FMA(m.own, y, float64(m.transposed*x))
		}
	}
}

// MixLanes transforms d×d matrices in the lanes of Vectors as Mix transforms one matrix.
func MixLanes(v invariant.Covariance, matrix []kernels.Vector, d int) {
	if v.IsGinibre() {
		return
	}
	m := mixtureOf(v, d)
	var trace kernels.Vector
	for i := range d {
		for k, x := range &matrix[i*d+i] {
			trace[k] += x
		}
	}
	for k := range trace {
		trace[k] = float64(m.trace * trace[k])
	}
	for i := range d {
		diagonal := &matrix[i*d+i]
		for k, x := range diagonal {
			diagonal[k] = math.FMA(m.own+m.transposed, x, trace[k])
		}
		for j := i + 1; j < d; j++ {
			upper, lower := &matrix[i*d+j], &matrix[j*d+i]
			for k := range upper {
				x, y := upper[k], lower[k]
				upper[k] = math.FMA(m.own, x, float64(m.transposed*y))
				lower[k] = math.FMA(m.own, y, float64(m.transposed*x))
			}
		}
	}
}
