// Package invariant describes Gaussian matrices whose law is the same in every orthonormal basis.
//
//	v := invariant.Covariance{A: 1, B: -0.5, C: 0.2}
//	err := v.Check(4) // nil: there is such a matrix with 4 rows
package invariant

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// A Covariance is the law of a Gaussian d×d matrix V such that O V Oᵀ has the same law for every
// orthogonal O:
//
//	E V_ij V_kl = A δ_ik δ_jl + B δ_il δ_jk + C δ_ij δ_kl.
//
// A random matrix with this covariance exists if and only if A ≥ |B| and A + B + Cd ≥ 0. A-B is the variance
// of the antisymmetric part of V, A+B that of the traceless symmetric part, and A+B+Cd that of the trace of V
// divided by √d.
//
// The JSON form of a Covariance is the list [A, B, C].
type Covariance struct{ A, B, C float64 }

// The common covariances of Gaussian matrices: independent entries; symmetric and antisymmetric matrices; and
// random multiples of the identity matrix.
var (
	Ginibre       = Covariance{A: 1}
	Symmetric     = Covariance{A: 0.5, B: 0.5}
	Antisymmetric = Covariance{A: 0.5, B: -0.5}
	Scalar        = Covariance{C: 1}
)

// String returns the numbers A, B and C, separated by commas.
func (v Covariance) String() string { return fmt.Sprintf("%v,%v,%v", v.A, v.B, v.C) }

// OrGinibre returns v or, if v is the zero value, Ginibre: independent entries of variance 1. (Taken
// literally, the zero value is the covariance of the zero matrix.)
func (v Covariance) OrGinibre() Covariance {
	if v == (Covariance{}) {
		return Ginibre
	}
	return v
}

// IsGinibre reports whether the entries of a matrix of covariance v are independent and of variance 1, as for
// the zero value of v.
func (v Covariance) IsGinibre() bool { return v.OrGinibre() == Ginibre }

// Independent reports whether the entries of a matrix of covariance v are independent, that is, whether B and
// C are 0, and returns the standard deviation √A of the entries. The zero value of v has the deviation 1.
func (v Covariance) Independent() (deviation float64, independent bool) {
	v = v.OrGinibre()
	return math.Sqrt(v.A), v.B == 0 && v.C == 0
}

// MarshalJSON implements json.Marshaler.
func (v Covariance) MarshalJSON() ([]byte, error) { return json.Marshal([3]float64{v.A, v.B, v.C}) }

// UnmarshalJSON implements json.Unmarshaler. Missing entries of the list [A, B, C] are 0.
func (v *Covariance) UnmarshalJSON(text []byte) error {
	var numbers [3]float64
	err := json.Unmarshal(text, &numbers)
	*v = Covariance{numbers[0], numbers[1], numbers[2]}
	return err
}

// Least and Largest are the limits of the greatest of |A|, |B| and |C| of a Covariance.
const (
	Least   = 1e-6
	Largest = 1e6
)

// Check returns an error if no non-zero random matrix of dimension dim has the covariance v, or if the
// greatest of |A|, |B| and |C| is not from Least to Largest.
func (v Covariance) Check(dim int) error {
	for _, x := range []float64{v.A, v.B, v.C} {
		if !(math.Abs(x) <= Largest) {
			return fmt.Errorf("a, b and c must be from %g to %g", -float64(Largest), float64(Largest))
		}
	}
	switch {
	case !(max(math.Abs(v.A), math.Abs(v.B), math.Abs(v.C)) >= Least):
		return fmt.Errorf("one of a, b and c must be at least %g", Least)
	case v.A < math.Abs(v.B):
		return errors.New("no matrix has it; a must be at least |b|")
	case v.Trace(dim) < 0:
		return fmt.Errorf("no matrix of dimension %d has it; a + b + c·d must be at least 0", dim)
	}
	return nil
}

// Trace returns A+B+Cd, the variance of the trace of a d×d matrix divided by √d, for d = dim. A sum that
// differs from 0 only by rounding is returned as 0.
func (v Covariance) Trace(dim int) float64 {
	part := float64(v.C * float64(dim))
	sum := v.A + v.B + part
	if math.Abs(sum) <= 0x1p-50*(v.A+math.Abs(v.B)+math.Abs(part)) {
		return 0
	}
	return sum
}
