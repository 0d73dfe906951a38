package firstpassage

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// A march solves, along u = atanh z, the linear equation
//
//	flux' = -h' flux + 2 source/variance
//
// for the slope of a mean passage time, and integrates the solution. Flux and integral are stored without the
// factor exp(level), so that their values may leave the range of float64. The source is stored as it is.
type march struct {
	d                     *line.Diffusion
	u                     float64
	flux, integral, level float64
	source                float64 // ±1
	lastWidth             float64 // the last stride that was tried
}

// gentle bounds |h'|·width on a panel on which both exp(h) and exp(-h) are evaluated at every node. The
// polynomials that interpolate both functions then have 12 digits.
const gentle = 3

// to moves the march to u.
func (m *march) to(u float64) {
	p := quadrature.Panel{Start: m.u, Width: u - m.u}
	p.Shorten(0.5)
	for m.u != u {
		p.Start = m.u
		p.Width = math.Copysign(min(math.Abs(p.Width), math.Abs(u-m.u)), u-m.u)
		if width, ok := m.stride(u); ok {
			p.Width = width
		} else {
			rate := m.fit(&p)
			m.cross(&p, &rate)
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

// fit fits the panel to the slope and to 2/variance, and returns the values of 2/variance at the nodes.
func (m *march) fit(p *quadrature.Panel) (rate [quadrature.Order]float64) {
	slope := m.d.Scale().Slope
	for {
		p.Fit(slope, gentle)
		greatest := 0.0
		for i := range rate {
			rate[i] = 2 / m.d.Variance(line.Of(p.Position(i)))
			greatest = max(greatest, rate[i])
		}
		if quadrature.Gauss.Unresolved(&rate) <= 1e-10*greatest || math.Abs(p.Width) < quadrature.Narrowest {
			return rate
		}
		p.Width *= 0.5
	}
}

// cross advances the solution across a panel.
func (m *march) cross(p *quadrature.Panel, rate *[quadrature.Order]float64) {
	half := float64(0.5 * p.Width)
	source := float64(half * m.source * elementary.Exp(-m.level))
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

// rescale moves a factor from the flux and the integral to the level, so that both stay within the range of
// float64.
func (m *march) rescale() {
	size := max(math.Abs(m.flux), math.Abs(m.integral))
	if size > 1e100 {
		m.flux, m.integral, m.level = m.flux/size, m.integral/size, m.level+elementary.Log(size)
	}
}
