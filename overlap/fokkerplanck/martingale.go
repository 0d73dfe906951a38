package fokkerplanck

import (
	"antipode/overlap"
	"antipode/overlap/internal/line"
)

// A martingaleConstraint is the condition that the law satisfies if both ends attract: the probability to
// become antipodal from the present overlap is a martingale, so its mean is the same at every time.
type martingaleConstraint struct {
	diffusion *overlap.Diffusion
	antipodal float64 // the mean at the start
}

// antipodalFrom returns the probability to become antipodal from u, if both ends attract.
func antipodalFrom(d *overlap.Diffusion, u float64) float64 {
	p, _ := d.AntipodalFrom(line.Of(u).Z)
	return p.Value
}

// violation returns by how much the probabilities of u ≤ low and u ≥ high, with low ≤ high, violate the
// constraint. From u ≤ low the overlap becomes antipodal with at least the probability from low. From u ≥
// high it becomes antipodal with at most the probability from high.
func (e *martingaleConstraint) violation(low, high, antipodal, single float64) float64 {
	least := float64(antipodal * antipodalFrom(e.diffusion, low))
	most := 1 - single + float64(single*antipodalFrom(e.diffusion, high))
	return max(0, least-e.antipodal, e.antipodal-most)
}
