package overlap

import (
	"math"

	"antipode/overlap/internal/line"
)

// A Parameter is one of a diffusion with respect to which a probability has a derivative.
type Parameter int

// The parameters: β; ε of the hybrid model; σ of value matrices, which matters beside an MLP and a drift
// only.
const (
	ByBeta Parameter = iota
	ByEpsilon
	BySigma
)

// String returns beta, epsilon or sigma.
func (p Parameter) String() string { return [...]string{"beta", "epsilon", "sigma"}[p] }

// A Derivative is a computed derivative, and an estimate of its absolute error, which is meant to be on the
// large side but is no proven bound.
type Derivative struct {
	Value, Error float64
}

// AntipodalFromDerivative returns the derivative of AntipodalFrom(z0) with respect to a parameter. With the
// measure m = dS/(S(1)-S(-1)), h_θ the derivative of -log dS/du, u = atanh z, and G(z) = 1 for z > z0, else
// 0,
//
//	P = E_m G, dP/dθ = -Cov_m(G, h_θ).
//
// Where not both ends attract it is 0; at a threshold itself that is one of two one-sided derivatives. It
// returns false where the model has no such parameter, and for random queries and keys, kernels and, in
// blocks, covariances other than Ginibre, of which derivatives are not available. The error is that of
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

// AntipodalUniformDerivative returns the derivative of AntipodalUniform with respect to a parameter. There
// G(z) is the probability that a start is below z; otherwise it is like AntipodalFromDerivative.
func (d *Diffusion) AntipodalUniformDerivative(by Parameter) (value Derivative, ok bool) {
	return d.antipodalDerivative(line.Uniform(d.line.Dim).Distribution(), by)
}

// antipodalDerivative is that of a start with the distribution function G, up to a constant.
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

// repelsNowhere reports whether both ends attract.
func (d *Diffusion) repelsNowhere() bool { return d.line.Minus.Attracting && d.line.Plus.Attracting }

// sensitivity returns the scale with its derivative, of which By is nil where that is 0; it reports false if
// the derivative is not known.
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
			return model.slopeBy(by, line.At(math.Copysign(1, u)))
		}
		return model.slopeBy(by, line.Of(u))
	}
	return s, true
}
