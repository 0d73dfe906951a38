package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
)

// A sphereMean is the mean of exp(κ<e,x>) over the unit sphere of R^k, a Bessel function of order
// k/2-1 but for a power of κ. What it tabulates is the logarithm, in panels of width 1/2 in
// log(1+κ/scale).
type sphereMean struct {
	dim    int // k
	scale  float64
	rule   *chebyshev
	panels []polynomial
}

func newSphereMean(k int) *sphereMean {
	return &sphereMean{k, float64(0.5*float64(k)) + 1, chebyshevRule(20), make([]polynomial, mostPanels)}
}

// log returns the logarithm of the mean of exp(κ(<e,x>-1)), but for a constant.
func (m *sphereMean) log(kappa float64) float64 {
	if m.dim == 1 {
		return elementary.Log1p(elementary.Exp(-2 * kappa))
	}
	x := elementary.Log1p(kappa / m.scale)
	half := float64(0.5 * float64(m.dim-1))
	k := int(panelsPerUnit * x)
	p := m.panels[k]
	if p == nil {
		var values []float64
		for _, node := range m.rule.nodes {
			at := (float64(k) + node) / panelsPerUnit
			values = append(values, m.integral(m.scale*elementary.Expm1(at))+float64(half*at))
		}
		p = m.rule.interpolate(values).shortened(1e-15)
		m.panels[k] = p
	}
	return p.at(float64(panelsPerUnit*x)-float64(k)) - float64(half*x)
}

// integral is the same by the trapezoidal rule in v, <e,x> = tanh v: the logarithm of the integral
// of exp(κ(tanh v-1)) (cosh v)^(1-k).
func (m *sphereMean) integral(kappa float64) float64 {
	power := float64(m.dim - 1)
	root := math.Sqrt(float64(power*power) + float64(4*kappa*kappa))
	z := 2 * kappa / (power + root) // where the integrand is greatest
	below := (power + float64(power*power)/(root+float64(2*kappa))) / (power + root)
	middle := float64(0.5 * elementary.Log1p(2*z/below))
	return logTrapezoid(middle, 0.2/math.Sqrt(power), func(v float64) float64 {
		return -float64(2*kappa)/(1+elementary.Exp(2*v)) - float64(power*logCosh(v))
	})
}

// logTrapezoid returns the logarithm of the integral over the line of exp(f), which has one maximum,
// by the trapezoidal rule. It seeks the maximum from a point on.
func logTrapezoid(from, step float64, f func(x float64) float64) float64 {
	top := f(from)
	for _, side := range []float64{step, -step} {
		for next := f(from + side); next > top; next = f(from + side) {
			from, top = from+side, next
		}
	}
	sum := 1.0
	for _, side := range []float64{step, -step} {
		for k, term := 1, 1.0; term > 1e-15*sum; k++ {
			term = elementary.Exp(f(from+float64(side*float64(k))) - top)
			sum += term
		}
	}
	return top + elementary.Log(sum*step)
}

// logCosh returns log cosh v, which does not overflow.
func logCosh(v float64) float64 {
	v = math.Abs(v)
	return v + elementary.Log1p(0.5*elementary.Expm1(-2*v))
}
