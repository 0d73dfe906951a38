package firstpassage

import (
	"math"
	"slices"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// An integrator solves, as an initial-value problem along u = atanh z, the linear equation
//
//	flux' = -h' flux + 2 source/variance
//
// for the slope of a mean passage time (the flux), and integrates the flux. The fields flux and integral lack
// the factor exp(logScale), so that flux and integral themselves may leave the range of float64. The field
// source has no such factor.
type integrator struct {
	d                        *line.Diffusion
	u                        float64
	flux, integral, logScale float64
	source                   float64 // 1 or -1, the sign of the source
	lastWidth                float64 // the width of the last panel that stiffStep tried
}

// resolvedRise bounds |h'|·width on a panel on which both exp(h) and exp(-h) are evaluated at every
// Gauss-Legendre node. Below this bound, interpolating polynomials of exp(h) and exp(-h) have 12 accurate
// digits.
const resolvedRise = 3

// integrateTo continues the flux and its integral from m.u to u.
func (m *integrator) integrateTo(u float64) {
	p := quadrature.Panel{Start: m.u, Width: u - m.u}
	p.Shorten(0.5)
	for m.u != u {
		p.Start = m.u
		p.Width = math.Copysign(min(math.Abs(p.Width), math.Abs(u-m.u)), u-m.u)
		if width, ok := m.stiffStep(u); ok {
			p.Width = width
		} else {
			rate := m.resolve(&p)
			m.quadratureStep(&p, &rate)
		}
		if p.Width == u-m.u {
			m.u = u
		} else {
			m.u += p.Width
		}
		p.Width *= quadrature.Growth
		m.rescale()
	}
}

// resolve shortens the panel until its Gauss-Legendre nodes resolve the slope h' and the rate 2/variance, and
// returns the values of 2/variance at the nodes.
func (m *integrator) resolve(p *quadrature.Panel) (rate [quadrature.Order]float64) {
	slope := m.d.Scale().Slope
	for {
		p.Fit(slope, resolvedRise)
		rate = m.rates(p)
		if quadrature.Gauss.Unresolved(&rate) <= 1e-10*slices.Max(rate[:]) ||
			math.Abs(p.Width) < quadrature.Narrowest {
			return rate
		}
		p.Width *= 0.5
	}
}

// quadratureStep advances the flux and its integral across a panel: it multiplies the equation of the flux by
// the integrating factor exp(h) and integrates the product.
func (m *integrator) quadratureStep(p *quadrature.Panel, rate *[quadrature.Order]float64) {
	half := float64(0.5 * p.Width)
	source := float64(half * m.source * elementary.Exp(-m.logScale))
	var grow, flux, inner [quadrature.Order]float64
	for i := range grow {
		grow[i] = elementary.Exp(p.Rise[i])
		inner[i] = grow[i] * rate[i]
	}
	quadrature.Gauss.Antiderivative(&flux, &inner)
	for i := range flux {
		flux[i] = (m.flux + float64(source*flux[i])) / grow[i]
	}
	m.integral += float64(half * quadrature.Gauss.Integral(&flux))
	m.flux = (m.flux + float64(source*quadrature.Gauss.Integral(&inner))) * elementary.Exp(-p.WholeRise)
}

// rescale moves a common factor of the fields flux and integral to logScale, so that both fields stay within
// the range of float64.
func (m *integrator) rescale() {
	size := max(math.Abs(m.flux), math.Abs(m.integral))
	if size > 1e100 {
		m.flux, m.integral, m.logScale = m.flux/size, m.integral/size, m.logScale+elementary.Log(size)
	}
}
