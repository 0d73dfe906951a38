package overlap

import (
	"antipode/overlap/internal/line"
)

// Lyapunov returns the Lyapunov exponent of the antipodal pair per unit of time, at which log|X¹+X²|
// grows while z is near -1. It is negative if and only if -1 is Attracting. For two tokens under value
// matrices of independent entries it is
//
//	σ² (2(d-2)pq - p² - q²),
//
// the limit of L times the exponent of finitedepth.Antipodal. The second result is false for unequal
// masses, which do not stay antipodal.
func (d *Diffusion) Lyapunov() (float64, bool) {
	if d.line.Minus.Enterable {
		return 0, false
	}
	// The drift of u, as 1+z is 2 exp(2u).
	end := line.Of(-d.line.Minus.Reach)
	if d.line.Velocity != nil {
		return d.line.Velocity(end), true
	}
	return float64(0.5 * times(d.line.Minus.Slope, d.line.Variance(end))), true
}
