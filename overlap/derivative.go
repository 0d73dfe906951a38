package overlap

import (
	"math"
	"strconv"

	"antipode/overlap/internal/line"
)

// A Parameter is a parameter of an overlap diffusion with respect to which probabilities can be
// differentiated.
type Parameter int

// The parameters of an overlap diffusion are the inverse temperature β, the noise amplitude ε of the hybrid
// model, and the standard deviation σ of the entries of value matrices. The standard deviation σ changes
// probabilities only in the presence of an MLP or a drift.
const (
	ByBeta Parameter = iota
	ByEpsilon
	BySigma
)

// parameterNames are the names of the parameters, in the order of the constants from ByBeta on.
var parameterNames = []string{"beta", "epsilon", "sigma"}

// String returns the name of a parameter, beta, epsilon or sigma, and "Parameter(n)" for any other value n.
func (p Parameter) String() string {
	if p < 0 || int(p) >= len(parameterNames) {
		return "Parameter(" + strconv.Itoa(int(p)) + ")"
	}
	return parameterNames[p]
}

// A Derivative is a computed derivative with an estimate of its absolute error. The field Error is meant to
// exceed the actual error but is not a proven bound.
type Derivative struct {
	Value, Error float64
}

// AntipodalFromDerivative returns the derivative of AntipodalFrom(z0) with respect to a parameter θ. Let S be
// the scale function, m the probability measure dS/(S(1)-S(-1)), h_θ the derivative of -log dS/du with
// respect to θ, u = atanh z, and G(z) = 1 for z > z0 and 0 otherwise. The probability P = AntipodalFrom(z0)
// and its derivative are
//
//	P = E_m G, dP/dθ = -Cov_m(G, h_θ).
//
// Unless both ends ±1 attract, the derivative is 0. Exactly at a threshold, the left and the right derivative
// differ, and 0 is one of the two. The second result of AntipodalFromDerivative is false if the model does
// not have the parameter, and for models without implemented derivatives: random queries and keys, kernels,
// and blocks with a covariance other than Ginibre. The errors of AntipodalFromDerivative are those of
// AntipodalFrom.
func (d *Diffusion) AntipodalFromDerivative(z0 float64, by Parameter) (value Derivative, ok bool, err error) {
	if _, err := d.AntipodalFrom(z0); err != nil {
		return Derivative{}, false, err
	}
	if math.Abs(z0) == 1 {
		_, ok = d.sensitivity(by)
		return Derivative{}, ok, nil
	}
	value, ok = d.antipodalDerivative(line.Jump(line.Atanh(z0)), by)
	return value, ok, nil
}

// AntipodalUniformDerivative returns the derivative of AntipodalUniform with respect to a parameter. The
// formula for uniform tokens is that of AntipodalFromDerivative with another G: G(z) is the probability that
// the starting overlap is below z.
func (d *Diffusion) AntipodalUniformDerivative(by Parameter) (value Derivative, ok bool) {
	return d.antipodalDerivative(line.Uniform(d.line.Dim).Distribution(), by)
}

// antipodalDerivative returns the derivative of the probability to become antipodal for a random starting
// overlap whose distribution function is g up to a constant.
func (d *Diffusion) antipodalDerivative(g line.Growing, by Parameter) (value Derivative, ok bool) {
	s, ok := d.sensitivity(by)
	if !ok || s.By == nil {
		return Derivative{}, ok
	}
	all := s.Both(g)
	if all.Absolute == 0 {
		return Derivative{}, true
	}
	mean := all.First / all.Mass
	covariance := all.WeightedFirst/all.Mass - float64(all.Weighted/all.Mass*mean)
	failure := float64((all.Uncertainty+rounding)*all.Absolute/all.Mass) + all.FirstUncertainty
	return Derivative{-covariance, failure}, true
}

// repelsNowhere reports whether both ends -1 and +1 of the overlap attract.
func (d *Diffusion) repelsNowhere() bool { return d.line.Minus.Attracting && d.line.Plus.Attracting }

// sensitivity returns the scale measure of the overlap together with the derivative of this measure with
// respect to a parameter. The field By is nil if the derivative of the probability to become antipodal is 0.
// The second result of sensitivity is false if the derivative is not known.
func (d *Diffusion) sensitivity(by Parameter) (s line.Sensitivity, ok bool) {
	model, ok := d.model.(differentiable)
	if !ok || !model.has(by) {
		return s, false
	}
	s.Scale = d.line.Scale()
	if !d.repelsNowhere() || d.line.Velocity != nil {
		return s, true
	}
	s.By = func(u float64) float64 {
		if math.IsInf(u, 0) {
			return line.Bounded(model.slopeBy(by, line.At(math.Copysign(1, u))))
		}
		return line.Bounded(model.slopeBy(by, line.Of(u)))
	}
	return s, true
}
