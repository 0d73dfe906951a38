package theory

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/exactlaw"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// Derivative is the derivatives of the probability of the antipodal outcome with respect to a parameter, in
// the limit, at a horizon and at a depth, and that of the mean overlap at the horizon; NaN where they are not
// known, or only to worse than LargestDerivativeError.
type Derivative struct{ Limit, Horizon, Depth, Overlap overlap.Derivative }

// LargestDerivativeError is the estimated error from which on a derivative is not known.
const LargestDerivativeError = 1e-3

// UnknownDerivative is a Derivative of which nothing is known.
var UnknownDerivative = Derivative{noDerivative, noDerivative, noDerivative, noDerivative}

var noDerivative = overlap.Derivative{Value: math.NaN(), Error: math.NaN()}

// knownDerivative is a derivative, or NaN where it is not known.
func knownDerivative(d overlap.Derivative, ok bool) overlap.Derivative {
	if !ok || !(d.Error <= LargestDerivativeError) {
		return noDerivative
	}
	return d
}

// Derivative differentiates the probabilities that the question is about, of a diffusion, and of a recursion
// unless that is nil, from an overlap, or from a uniform start if it is nil. Without a horizon there is the
// limit alone.
func (q Question) Derivative(
	d *overlap.Diffusion, r *exactlaw.Recursion, z0 *float64, by overlap.Parameter,
) Derivative {
	result := UnknownDerivative
	limit, ok := d.AntipodalUniformDerivative(by)
	if z0 != nil {
		limit, ok, _ = d.AntipodalFromDerivative(*z0, by)
	}
	result.Limit = knownDerivative(limit, ok)
	if q.Horizon == 0 {
		return result
	}
	const accuracy = 1e-5
	times := []float64{q.Horizon}
	laws, ok, err := fokkerplanck.UniformDerivative(d, by, times, accuracy)
	if z0 != nil {
		laws, ok, err = fokkerplanck.FromDerivative(d, *z0, by, times, accuracy)
	}
	if ok && err == nil {
		result.Horizon = knownDerivative(laws[0].Antipodal(q.Tolerance), true)
		mean := laws[0].Expectation(func(z float64) float64 { return z })
		result.Overlap = knownDerivative(overlap.Derivative{Value: mean, Error: 2 * laws[0].Error}, true)
	}
	if r == nil {
		return result
	}
	depth, ok, err := r.UniformDerivative(by, int(q.Layers), q.Tolerance, accuracy)
	if z0 != nil {
		depth, ok, err = r.FromDerivative(*z0, by, int(q.Layers), q.Tolerance, accuracy)
	}
	result.Depth = knownDerivative(depth.Antipodal, ok && err == nil)
	return result
}

// derivatives are those of a cell that starts uniformly, with respect to what is asked for.
func (q Question) derivatives(c sde.Cell, d *overlap.Diffusion) (all []Derivative) {
	r, err := Recursion(c)
	if err != nil {
		r = nil
	}
	for _, by := range q.By {
		all = append(all, q.Derivative(d, r, nil, by))
	}
	return all
}
