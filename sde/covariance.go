package sde

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sphere/invariant"
)

// Covariance is that of a Gaussian value matrix V over σ², which looks the same in every orthonormal basis;
// package invariant says what A, B and C are. The zero value stands for (1, 0, 0), independent entries.
//
// V is drawn as αG + α'Gᵀ + κ tr(G) I from independent normal entries G, (α±α')² = A±B. The trace of
// the first two has the variance d(A+B), and that of V is to have d(A+B+Cd), which gives κ = (√(A+B+Cd) -
// √(A+B))/d: so a C below 0 is drawn as well, and no number besides the d² of G.
type Covariance = invariant.Covariance

// isGinibre reports whether entries are independent, of variance σ².
func isGinibre(v Covariance) bool { return v.OrGinibre() == invariant.Ginibre }

// checkCovariance refuses a covariance that no matrix has, and laws of entries that cannot have it.
func checkCovariance(v Covariance, dim int, law Law) error {
	if isGinibre(v) {
		return nil
	}
	text := fmt.Sprintf("covariance %v", v)
	if err := v.Check(dim); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	if law != Gaussian && (v.B != 0 || v.C != 0) {
		return fmt.Errorf("%s: needs the gaussian law, not %v, unless b and c are 0", text, law)
	}
	return nil
}

// covarianceAddress describes the covariance, after a space; nothing for independent entries.
func covarianceAddress(v Covariance) string {
	if isGinibre(v) {
		return ""
	}
	return fmt.Sprintf(" covariance=%x,%x,%x", math.Float64bits(v.A), math.Float64bits(v.B+0),
		math.Float64bits(v.C+0))
}

// covarianceReach bounds the factor by which entries are larger than independent ones, their trace included.
func covarianceReach(v Covariance, dim float64) float64 {
	v = v.OrGinibre()
	return math.Sqrt(max(1, v.A+math.Abs(v.B)+float64(math.Abs(v.C)*dim)))
}

// mixture is the coefficients α, α' and κ.
type mixture struct{ own, transposed, trace float64 }

func mixtureOf(v Covariance, dim int) mixture {
	v = v.OrGinibre()
	symmetric, antisymmetric := math.Sqrt(v.A+v.B), math.Sqrt(v.A-v.B)
	return mixture{
		own: 0.5 * (symmetric + antisymmetric), transposed: 0.5 * (symmetric - antisymmetric),
		trace: (math.Sqrt(v.Trace(dim)) - symmetric) / float64(dim),
	}
}

// mixEntries turns a d×d matrix (row-major) of independent entries into one of the covariance.
func mixEntries(v Covariance, matrix []float64) {
	if isGinibre(v) {
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

// mixLanes is mixEntries for matrices in lanes.
func mixLanes(v Covariance, matrix []kernels.Vector, d int) {
	if isGinibre(v) {
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
