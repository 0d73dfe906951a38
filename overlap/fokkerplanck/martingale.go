package fokkerplanck

import (
	"antipode/overlap"
	"antipode/overlap/internal/line"
)

// A longTimeLimit is the constraint that the scale function imposes on the law if both ends attract: the
// mean of the probability to become antipodal from the present overlap is the same at every time.
type longTimeLimit struct {
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
func (e *longTimeLimit) violation(low, high, antipodal, single float64) float64 {
	least := float64(antipodal * antipodalFrom(e.diffusion, low))
	most := 1 - single + float64(single*antipodalFrom(e.diffusion, high))
	return max(0, least-e.antipodal, e.antipodal-most)
}
