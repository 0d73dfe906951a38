package overlap

import (
	"antipode/overlap/internal/line"
)

// CriticalBeta returns the inverse temperature β = arccosh(dim-2)/2 above which, and only above which,
// two tokens of dimension dim can become antipodal (Theorem 2), to within one unit in the last
// place. It is 0 for dim = 3. For dim = 2 there is no threshold, as every β ≥ 0 allows both
// outcomes, and the second result is false, as it is for dim < 2, where there is no diffusion.
func CriticalBeta(dim int) (float64, bool) {
	if dim < 3 {
		return 0, false
	}
	return float64(0.5 * line.Arccosh(float64(dim-2))), true
}
