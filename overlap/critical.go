package overlap

import (
	"antipode/overlap/internal/line"
)

// CriticalBeta returns the threshold β = arccosh(dim-2)/2: two tokens of dimension dim can become antipodal
// if and only if beta is above this threshold (Theorem 2). The threshold is accurate to one unit in the last
// place, and 0 for dim = 3. The second result of CriticalBeta is false for dim = 2, where both outcomes occur
// for every β ≥ 0, and for dim < 2, where no diffusion exists.
func CriticalBeta(dim int) (float64, bool) {
	if dim < 3 {
		return 0, false
	}
	return float64(0.5 * line.Arccosh(float64(dim-2))), true
}
