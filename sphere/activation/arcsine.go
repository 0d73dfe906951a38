package activation

import (
	"math"

	"antipode/sphere/elementary"
)

// An arcsine is arcsin(sz) as a function of an overlap z, with 0 < s ≤ 1. Up to a factor arcsin(sz) is the
// dual activation of erf (Williams 1998). The dual activation of tanh is a mean of functions arcsin(sz).
type arcsine struct{ s, root float64 } // root is √(1-s²)

// whole returns arcsin s, the value of an arcsine at overlap z = 1.
func (a arcsine) whole() float64 { return elementary.Atan2(a.s, a.root) }

// rootAt returns √(1-s²z²) at overlap z.
func (a arcsine) rootAt(at overlap) float64 {
	return math.Sqrt(float64(a.root*a.root) + float64(a.s*a.s*at.above*at.below))
}

// at returns arcsin(sz) at overlap z.
func (a arcsine) at(at overlap) float64 { return elementary.Atan2(float64(a.s*at.z), a.rootAt(at)) }

// fall returns the quotient (arcsin s - arcsin sz)/(1-z) at overlap z without cancellation, and its limit
// s/√(1-s²) at z = 1.
func (a arcsine) fall(at overlap) float64 {
	if at.below == 0 {
		return a.s / a.root
	}
	root := a.rootAt(at)
	sine := float64(a.s*at.above) * at.below / (root + float64(at.z*a.root))
	return elementary.Atan2(sine, float64(a.s*a.s*at.z)+float64(root*a.root)) / at.below
}
