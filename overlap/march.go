package overlap

import (
	"math"

	"antipode/sphere/elementary"
)

// A march solves along u = atanh z the linear equations
//
//	flux' = -h' flux + 2 source g/variance, g' = -loss flux.
//
// With loss = 0 and g = source = 1 the flux is the slope of a mean passage time; with
// source·loss = λ, g is an eigenfunction of the generator for the eigenvalue -λ.
// The flux and the integral of it are to be multiplied by exp(level), which lets them
// leave the range of float64; loss and source have no such factor.
type march struct {
	d                     *Diffusion
	u                     float64
	flux, integral, level float64
	g, source             float64
	logLoss               float64 // -Inf for no loss
	wide                  float64 // the last stride that was tried
	panels                *int    // what is left of a number of panels, if it is limited
	// spent says that g has reached 0 somewhere, or that no panels are left.
	spent bool
}

// gentle bounds |h'|·width of a panel on which exp(h) and exp(-h) both are needed at
// every node: their polynomials then have 12 digits.
const gentle = 3

// to moves the march to u.
func (m *march) to(u float64) {
	p := panel{start: m.u, width: u - m.u}
	p.shorten(0.5)
	for m.u != u && !m.spent {
		p.start = m.u
		p.width = math.Copysign(min(math.Abs(p.width), math.Abs(u-m.u)), u-m.u)
		if wide, ok := m.stride(u); ok {
			p.width = wide
		} else {
			rate := m.fit(&p)
			m.cross(&p, &rate)
			if m.panels != nil {
				*m.panels--
				m.spent = m.spent || *m.panels < 0
			}
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

// cross solves the equations on a panel by iteration on the values of g.
func (m *march) cross(p *panel, rate *[order]float64) {
	half := float64(0.5 * p.width)
	source := float64(half * m.source * elementary.Exp(-m.level))
	loss := float64(half * elementary.Exp(m.logLoss+m.level))
	var grow, g, flux, inner [order]float64
	for i := range grow {
		grow[i] = elementary.Exp(p.rise[i])
		g[i] = m.g
	}
	for range 40 {
		change := 0.0
		for i := range inner {
			inner[i] = grow[i] * rate[i] * g[i]
		}
		gauss.antiderivative(&flux, &inner)
		for i := range flux {
			flux[i] = (m.flux + float64(source*flux[i])) / grow[i]
		}
		if loss == 0 {
			break
		}
		var lost [order]float64
		gauss.antiderivative(&lost, &flux)
		for i := range g {
			next := m.g - float64(loss*lost[i])
			change = max(change, math.Abs(next-g[i]))
			g[i] = next
		}
		if change <= 1e-14*math.Abs(m.g) {
			break
		}
	}
	whole := gauss.integral(&flux)
	m.integral += float64(half * whole)
	m.flux = (m.flux + float64(source*gauss.integral(&inner))) * elementary.Exp(-p.wholeRise)
	m.g -= float64(loss * whole)
	m.spent = m.spent || !(m.g > 0)
}

// rescale brings the flux and the integral back into the middle of float64.
func (m *march) rescale() {
	if !math.IsInf(m.logLoss, -1) && !m.spent {
		m.flux, m.g = m.flux/m.g, 1 // only their ratio is asked for
	}
	size := max(math.Abs(m.flux), math.Abs(m.integral))
	if size > 1e100 {
		m.flux, m.integral, m.level = m.flux/size, m.integral/size, m.level+elementary.Log(size)
	}
}
