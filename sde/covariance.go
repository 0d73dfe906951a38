package sde

import (
	"fmt"
	"math"

	"antipode/sphere/invariant"
)

// Covariance is the covariance of the entries of a Gaussian value matrix V, divided by σ², if the law of V is
// the same in every orthonormal basis. Package invariant defines the coefficients A, B and C of this
// covariance. The zero value of Covariance stands for the coefficients (1, 0, 0), that is for independent
// entries.
type Covariance = invariant.Covariance

// checkCovariance returns an error if no random matrix has the covariance v, or if the law of the entries
// allows only independent entries.
func checkCovariance(v Covariance, dim int, law Law) error {
	if v.IsGinibre() {
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

// covarianceAddress returns a text that describes the covariance, after a space, for Cell.ID; the text is
// empty for independent entries.
func covarianceAddress(v Covariance) string {
	if v.IsGinibre() {
		return ""
	}
	return fmt.Sprintf(" covariance=%x,%x,%x", math.Float64bits(v.A), math.Float64bits(v.B+0),
		math.Float64bits(v.C+0))
}

// covarianceReach returns an upper bound of the size of the entries and of the trace of a matrix with
// covariance v, divided by the size of independent entries.
func covarianceReach(v Covariance, dim float64) float64 {
	v = v.OrGinibre()
	return math.Sqrt(max(1, v.A+math.Abs(v.B)+float64(math.Abs(v.C)*dim)))
}
