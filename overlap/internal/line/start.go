package line

import (
	"math"

	"antipode/sphere/elementary"
)

// A Start is the law of the overlap at time 0: a density in u = atanh z, up to a factor, on [-Edge, Edge].
type Start struct {
	Density func(at Position) float64
	Edge    float64
	Scale   float64 // width of a cell that resolves the density
}

// Uniform returns the law of the overlap of two independent uniform tokens. The density in u = atanh z is
// proportional to (cosh u)^(1-dim). At u = Edge the density is e^-40 of its maximum, and the mass beyond Edge
// is negligible.
func Uniform(dim int) Start {
	power := float64(0.5 * float64(dim-1))
	return Start{
		Density: func(at Position) float64 {
			if at.u*at.u > 0.1 {
				return elementary.Exp(float64(power * elementary.Log(float64(at.Above*at.Below))))
			}
			return elementary.Exp(float64(power * elementary.Log1p(-float64(at.Z*at.Z))))
		},
		Edge:  Arccosh(elementary.Exp(40 / float64(dim-1))),
		Scale: 0.8 / math.Sqrt(float64(dim)),
	}
}
