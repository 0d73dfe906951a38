package overlap

import (
	"math"

	"antipode/sphere/elementary"
)

// AntipodalUniform returns the probability that two independent tokens, uniform on
// the sphere, become antipodal: the average of AntipodalFrom over the density of
// their overlap, proportional to (1-z²)^((dim-3)/2).
func (d *Diffusion) AntipodalUniform() Probability {
	return d.average(uniformStart(d.dim), -1)
}

// SingleUniform returns the probability that two independent tokens, uniform on the
// sphere, coincide in the end: the average of SingleFrom.
func (d *Diffusion) SingleUniform() Probability {
	return d.average(uniformStart(d.dim), 1)
}

// uniformStart returns the law of the overlap of two independent uniform tokens. Its
// density in u = atanh z is proportional to (cosh u)^(1-dim), and has fallen to e^-40
// of its maximum at the edge. What lies beyond is less than rounding.
func uniformStart(dim int) start {
	power := float64(0.5 * float64(dim-1))
	return start{
		density: func(at position) float64 {
			if at.u*at.u > 0.1 {
				return elementary.Exp(float64(power * elementary.Log(float64(at.above*at.below))))
			}
			return elementary.Exp(float64(power * elementary.Log1p(-float64(at.z*at.z))))
		},
		edge:  arccosh(elementary.Exp(40 / float64(dim-1))),
		scale: 0.8 / math.Sqrt(float64(dim)),
	}
}
