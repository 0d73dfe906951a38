package fokkerplanck

import (
	"antipode/overlap"
	"antipode/overlap/internal/line"
)

// A martingaleConstraint is a condition that the law of the overlap satisfies if both ends attract: the
// probability to become antipodal from the present overlap is a martingale, so the mean of this probability
// is the same at every time.
type martingaleConstraint struct {
	diffusion *overlap.Diffusion
	antipodal float64 // the mean of the probability at the start
}

// antipodalFrom returns the probability that an overlap started at tanh u becomes antipodal, if both ends
// attract.
func antipodalFrom(d *overlap.Diffusion, u float64) float64 {
	p, _ := d.AntipodalFrom(line.Of(u).Z)
	return p.Value
}

// violation returns by how much the probability antipodal of u ≤ low and the probability single of u ≥ high,
// with low ≤ high, violate the martingale constraint. From u ≤ low the overlap becomes antipodal with at
// least the probability from low. From u ≥ high the overlap becomes antipodal with at most the probability
// from high.
func (e *martingaleConstraint) violation(low, high, antipodal, single float64) float64 {
	least := float64(antipodal * antipodalFrom(e.diffusion, low))
	most := 1 - single + float64(single*antipodalFrom(e.diffusion, high))
	return max(0, least-e.antipodal, e.antipodal-most)
}
