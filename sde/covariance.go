package sde

import (
	"fmt"
	"math"

	"antipode/sphere/invariant"
)

// Covariance is the covariance of a Gaussian value matrix V, divided by σ². It is the same in every
// orthonormal basis; package invariant defines A, B and C. The zero value stands for (1, 0, 0), independent
// entries.
type Covariance = invariant.Covariance

// checkCovariance returns an error if no matrix has the covariance, or if the entries have a law for which
// only independent entries are allowed.
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

// covarianceAddress describes the covariance, after a space; it is empty for independent entries.
func covarianceAddress(v Covariance) string {
	if v.IsGinibre() {
		return ""
	}
	return fmt.Sprintf(" covariance=%x,%x,%x", math.Float64bits(v.A), math.Float64bits(v.B+0),
		math.Float64bits(v.C+0))
}

// covarianceReach returns a bound of the ratio of the size of entries with the covariance v, including their
// trace, to that of independent entries.
func covarianceReach(v Covariance, dim float64) float64 {
	v = v.OrGinibre()
	return math.Sqrt(max(1, v.A+math.Abs(v.B)+float64(math.Abs(v.C)*dim)))
}
