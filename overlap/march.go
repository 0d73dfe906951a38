package overlap

import (
	"math"

	"antipode/sphere/elementary"
)

// A march solves along u = atanh z the linear equation
//
//	flux' = -h' flux + 2 source/variance
//
// of the slope of a mean passage time, and its integral. Both are to be multiplied by
// exp(level), which lets them leave the range of float64; the source has no such factor.
type march struct {
	d                     *Diffusion
	u                     float64
	flux, integral, level float64
	source                float64 // ±1
	wide                  float64 // the last stride that was tried
}

// gentle bounds |h'|·width of a panel on which exp(h) and exp(-h) both are needed at
// every node: their polynomials then have 12 digits.
const gentle = 3

// to moves the march to u.
func (m *march) to(u float64) {
	p := panel{start: m.u, width: u - m.u}
	p.shorten(0.5)
	for m.u != u {
		p.start = m.u
		p.width = math.Copysign(min(math.Abs(p.width), math.Abs(u-m.u)), u-m.u)
		if wide, ok := m.stride(u); ok {
			p.width = wide
		} else {
			rate := m.fit(&p)
			m.cross(&p, &rate)
		}
		if p.width == u-m.u {
			m.u = u
		} else {
			m.u += p.width
		}
		p.width *= growth
		m.rescale()
	}
}

// fit fits the panel to the slope and to 2/variance, whose values it returns.
func (m *march) fit(p *panel) (rate [order]float64) {
	slope := m.d.scale().slope
	for {
		p.fit(slope, gentle)
		greatest := 0.0
		for i := range rate {
			rate[i] = 2 / m.d.model.variance(positionOf(p.position(i)))
			greatest = max(greatest, rate[i])
		}
		if gauss.unresolved(&rate) <= 1e-10*greatest || math.Abs(p.width) < narrowest {
			return rate
		}
		p.width *= 0.5
	}
}

// cross solves the equation on a panel.
func (m *march) cross(p *panel, rate *[order]float64) {
	half := float64(0.5 * p.width)
	source := float64(half * m.source * elementary.Exp(-m.level))
	var grow, flux, inner [order]float64
	for i := range grow {
		grow[i] = elementary.Exp(p.rise[i])
		inner[i] = grow[i] * rate[i]
	}
	gauss.antiderivative(&flux, &inner)
	for i := range flux {
		flux[i] = (m.flux + float64(source*flux[i])) / grow[i]
	}
	m.integral += float64(half * gauss.integral(&flux))
	m.flux = (m.flux + float64(source*gauss.integral(&inner))) * elementary.Exp(-p.wholeRise)
}

// rescale brings the flux and the integral back into the middle of float64.
func (m *march) rescale() {
	size := max(math.Abs(m.flux), math.Abs(m.integral))
	if size > 1e100 {
		m.flux, m.integral, m.level = m.flux/size, m.integral/size, m.level+elementary.Log(size)
	}
}
