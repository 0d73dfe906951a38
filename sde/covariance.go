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
type Covariance invariant.Covariance

// Independent reports whether entries are independent, of variance σ².
func (v Covariance) Independent() bool { return v == Covariance{} || v == Covariance{A: 1} }

// explicit is the covariance with that of the zero value written out.
func (v Covariance) explicit() Covariance {
	if v == (Covariance{}) {
		return Covariance{A: 1}
	}
	return v
}

// validate refuses a covariance that no matrix has, and laws of entries that cannot have it.
func (v Covariance) validate(dim int, law Law) error {
	if v.Independent() {
		return nil
	}
	text := fmt.Sprintf("covariance %v,%v,%v", v.A, v.B, v.C)
	if err := invariant.Covariance(v).Check(dim); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	if law != Gaussian && (v.B != 0 || v.C != 0) {
		return fmt.Errorf("%s: needs the gaussian law, not %v, unless b and c are 0", text, law)
	}
	return nil
}

// address describes the covariance, after a space; nothing for independent entries.
func (v Covariance) address() string {
	if v.Independent() {
		return ""
	}
	return fmt.Sprintf(" covariance=%x,%x,%x", math.Float64bits(v.A), math.Float64bits(v.B+0),
		math.Float64bits(v.C+0))
}

// reach bounds the factor by which entries are larger than independent ones, their trace included.
func (v Covariance) reach(dim float64) float64 {
	v = v.explicit()
	return math.Sqrt(max(1, v.A+math.Abs(v.B)+float64(math.Abs(v.C)*dim)))
}

// mixture is the coefficients α, α' and κ.
type mixture struct{ own, transposed, trace float64 }

func (v Covariance) mixture(dim int) mixture {
	v = v.explicit()
	symmetric, antisymmetric := math.Sqrt(v.A+v.B), math.Sqrt(v.A-v.B)
	return mixture{
		own: 0.5 * (symmetric + antisymmetric), transposed: 0.5 * (symmetric - antisymmetric),
		trace: (math.Sqrt(invariant.Covariance(v).Trace(dim)) - symmetric) / float64(dim),
	}
}

// mix turns a d×d matrix (row-major) of independent entries into one of the covariance.
func (v Covariance) mix(matrix []float64) {
	if v.Independent() {
		return
	}
	d := int(math.Round(math.Sqrt(float64(len(matrix)))))
	m, trace := v.mixture(d), 0.
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

// mixLanes is mix for matrices in lanes.
func (v Covariance) mixLanes(matrix []kernels.Vector, d int) {
	if v.Independent() {
		return
	}
	m := v.mixture(d)
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
