package overlap

import (
	"antipode/overlap/internal/line"
)

// AntipodalUniform returns the probability that two independent tokens, uniform on the sphere, become
// antipodal: the average of AntipodalFrom over the density of the starting overlap z, which is proportional
// to (1-z²)^((dim-3)/2).
func (d *Diffusion) AntipodalUniform() Probability {
	return d.average(line.Uniform(d.line.Dim), -1)
}

// SingleUniform returns the probability that two independent tokens, uniform on the sphere, finally coincide:
// the average of SingleFrom over the law of the starting overlap.
func (d *Diffusion) SingleUniform() Probability {
	return d.average(line.Uniform(d.line.Dim), 1)
}
