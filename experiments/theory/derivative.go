package theory

import (
	"math"

	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/overlap/exactlaw"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// Derivative holds the derivatives of the probability of the antipodal outcome with respect to a parameter:
// at infinite depth and horizon (Limit), at infinite depth and a finite horizon (Horizon), and at finite
// depth (Depth). The field Overlap is the derivative of the mean overlap at the horizon. A derivative is NaN
// if it is not known, or if its error exceeds LargestDerivativeError.
type Derivative struct{ Limit, Horizon, Depth, Overlap overlap.Derivative }

// Estimated holds two columns of a table: a number, which is null if it is not known, and the estimated error
// of the number.
type Estimated struct {
	Value float64 `column:"@,nullable" meaning:"@"`
	Error float64 `column:"@_error,nullable" meaning:"estimated absolute error of the @"`
}

// LargestDerivativeError is the estimated error above which a derivative counts as unknown.
const LargestDerivativeError = 1e-3

// UnknownDerivative is a Derivative whose fields are all unknown.
var UnknownDerivative = Derivative{noDerivative, noDerivative, noDerivative, noDerivative}

var noDerivative = overlap.Derivative{Value: math.NaN(), Error: math.NaN()}

// knownDerivative returns the derivative d, or NaN if d does not exist (ok is false) or has an error above
// LargestDerivativeError.
func knownDerivative(d overlap.Derivative, ok bool) overlap.Derivative {
	if !ok || !(d.Error <= LargestDerivativeError) {
		return noDerivative
	}
	return d
}

// Derivative differentiates the probability of the antipodal outcome with respect to a parameter, for the
// diffusion d at infinite depth and, if r is not nil, for the recursion r at finite depth. The overlap of the
// two tokens starts at *z0 or, if z0 is nil, from uniform tokens. If the horizon of the question is 0, only
// the probability at infinite horizon is differentiated.
func (q Question) Derivative(
	d *overlap.Diffusion, r *exactlaw.Recursion, z0 *float64, by overlap.Parameter,
) Derivative {
	result := UnknownDerivative
	result.Limit = knownDerivative(limitDerivative(d, z0, by))
	if q.Horizon == 0 {
		return result
	}
	if law, ok := q.horizonDerivative(d, z0, by); ok {
		result.Horizon = knownDerivative(law.Antipodal(q.Tolerance), true)
		mean := law.Expectation(func(z float64) float64 { return z })
		result.Overlap = knownDerivative(overlap.Derivative{Value: mean, Error: 2 * law.Error}, true)
	}
	if r != nil {
		depth, ok := q.depthDerivative(r, z0, by)
		result.Depth = knownDerivative(depth.Antipodal, ok)
	}
	return result
}

// derivativeAccuracy is the requested accuracy of derivatives at a horizon, at infinite and at finite depth.
const derivativeAccuracy = 1e-5

func limitDerivative(
	d *overlap.Diffusion, z0 *float64, by overlap.Parameter,
) (limit overlap.Derivative, ok bool) {
	if z0 == nil {
		return d.AntipodalUniformDerivative(by)
	}
	limit, ok, _ = d.AntipodalFromDerivative(*z0, by)
	return limit, ok
}

func (q Question) horizonDerivative(
	d *overlap.Diffusion, z0 *float64, by overlap.Parameter,
) (law fokkerplanck.Derivative, ok bool) {
	times := []float64{q.Horizon}
	var laws []fokkerplanck.Derivative
	var err error
	if z0 == nil {
		laws, ok, err = fokkerplanck.UniformDerivative(d, by, times, derivativeAccuracy)
	} else {
		laws, ok, err = fokkerplanck.FromDerivative(d, *z0, by, times, derivativeAccuracy)
	}
	if !ok || err != nil {
		return law, false
	}
	return laws[0], true
}

func (q Question) depthDerivative(
	r *exactlaw.Recursion, z0 *float64, by overlap.Parameter,
) (depth exactlaw.Derivatives, ok bool) {
	var err error
	if z0 == nil {
		depth, ok, err = r.UniformDerivative(by, int(q.Layers), q.Tolerance, derivativeAccuracy)
	} else {
		depth, ok, err = r.FromDerivative(*z0, by, int(q.Layers), q.Tolerance, derivativeAccuracy)
	}
	return depth, ok && err == nil
}

// derivatives returns the derivatives with respect to the parameters of the question, for a cell that starts
// from uniform tokens.
func (q Question) derivatives(c sde.Cell, d *overlap.Diffusion) (all []Derivative) {
	r, err := Recursion(c)
	if err != nil {
		r = nil
	}
	return lists.Map(q.By, func(by overlap.Parameter) Derivative { return q.Derivative(d, r, nil, by) })
}
