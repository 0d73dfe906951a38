package firstpassage

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

const (
	// stiff is the least |h'|·width of a panel that stiffStep may cross: across such a panel, the effect of
	// the flux at the start of the panel falls by the factor e^-40.
	stiff = 40
	// collocationTolerance is the greatest relative difference at the start of a panel between the flux and
	// the quasi-steady flux, which only the source determines.
	collocationTolerance = 1e-10
	// widestPanel is the greatest width of a panel that stiffStep crosses.
	widestPanel = 4
)

// stiffStep crosses a panel towards u on which the slope h' is so steep that the nodes need not resolve
// exp(h), and returns the width of the panel. stiffStep reports false if the slope is not steep enough on any
// panel.
func (m *integrator) stiffStep(u float64) (width float64, ok bool) {
	p := quadrature.Panel{Start: m.u, Width: u - m.u}
	p.Shorten(min(widestPanel, max(float64(4*m.lastWidth), 1e-9)))
	slope := m.d.Scale().Slope
	first := slope(m.u)
	for ; math.Abs(first*p.Width) > stiff; p.Width *= 0.5 {
		if !p.Resolve(slope, math.Inf(1)) {
			p.Width *= 2 // Resolve has halved the width
			continue
		}
		p.Accumulate()
		if first*p.Width > 0 && m.collocationStep(&p) || m.homogeneousStep(&p) {
			m.lastWidth = math.Abs(p.Width)
			return p.Width, true
		}
	}
	m.lastWidth = math.Abs(p.Width)
	return 0, false
}

// rates returns the values of 2/variance at the Gauss-Legendre nodes of a panel.
func (m *integrator) rates(p *quadrature.Panel) (rate [quadrature.Order]float64) {
	for i := range rate {
		rate[i] = 2 / m.d.Variance(line.Of(p.Position(i)))
	}
	return rate
}

// collocationStep crosses a panel on which the flux is quasi-steady: the source determines the flux, whatever
// the flux at the start of the panel. The quasi-steady flux is the polynomial that solves the equation of the
// flux at the Gauss-Legendre nodes. collocationStep reports false if the nodes do not resolve this
// polynomial, or if the polynomial differs from the flux at the start of the panel.
func (m *integrator) collocationStep(p *quadrature.Panel) bool {
	half := float64(0.5 * p.Width)
	source := float64(m.source * elementary.Exp(-m.logScale))
	rate := m.rates(p)
	var system [quadrature.Order][quadrature.Order + 1]float64
	for i, slope := range p.Slope {
		if !(slope*p.Width > stiff) {
			return false
		}
		for j := range quadrature.Order {
			system[i][j] = quadrature.Gauss.Slope[i][j] / half
		}
		system[i][i] += slope
		system[i][quadrature.Order] = float64(source * rate[i])
	}
	flux := solveLinear(&system)
	greatest := 0.0
	for _, f := range flux {
		greatest = max(greatest, math.Abs(f))
	}
	first := quadrature.Dot(&quadrature.Gauss.First, &flux)
	if !(quadrature.Gauss.Unresolved(&flux) <= collocationTolerance*greatest &&
		math.Abs(first-m.flux) <= collocationTolerance*math.Abs(first)) {
		return false
	}
	m.integral += float64(half * quadrature.Gauss.Integral(&flux))
	m.flux = quadrature.Dot(&quadrature.Gauss.Final, &flux)
	return true
}

// homogeneousStep crosses a panel on which the source is negligible compared with the flux, so that the flux
// is proportional to exp(-h). homogeneousStep reports false if the source is not negligible. The integral of
// the flux is computed from the end of the panel at which the flux is greater.
func (m *integrator) homogeneousStep(p *quadrature.Panel) bool {
	for _, s := range p.Slope {
		if !(s*p.Slope[0] > 0 && math.Abs(s*p.Width) > stiff) {
			return false
		}
	}
	rate := m.rates(p)
	greatest := 0.0
	for _, r := range rate {
		greatest = max(greatest, r)
	}
	added := float64(greatest * math.Abs(p.Width) * elementary.Exp(max(0, p.WholeRise)-m.logScale))
	if !(added <= 1e-17*math.Abs(m.flux)) || p.WholeRise > 600 {
		return false
	}
	s := m.d.Scale()
	s.Convex = true // sufficient where the slope h' does not change sign
	end := p.Start + p.Width
	if p.WholeRise < 0 {
		m.logScale -= p.WholeRise
		m.integral *= elementary.Exp(p.WholeRise)
		m.integral += math.Copysign(float64(s.Tail(end, p.Start).Mass*m.flux), m.flux*p.Width)
		return true
	}
	m.integral += math.Copysign(float64(s.Tail(p.Start, end).Mass*m.flux), m.flux*p.Width)
	m.flux *= elementary.Exp(-p.WholeRise)
	return true
}

// solveLinear solves a linear system of equations by elimination; the last column of system is the right-hand
// side.
func solveLinear(system *[quadrature.Order][quadrature.Order + 1]float64) (x [quadrature.Order]float64) {
	for k := range quadrature.Order {
		pivot := k
		for i := k + 1; i < quadrature.Order; i++ {
			if math.Abs(system[i][k]) > math.Abs(system[pivot][k]) {
				pivot = i
			}
		}
		system[k], system[pivot] = system[pivot], system[k]
		for i := k + 1; i < quadrature.Order; i++ {
			factor := system[i][k] / system[k][k]
			for j := k; j <= quadrature.Order; j++ {
				system[i][j] -= float64(factor * system[k][j])
			}
		}
	}
	for i := quadrature.Order - 1; i >= 0; i-- {
		sum := system[i][quadrature.Order]
		for j := i + 1; j < quadrature.Order; j++ {
			sum -= float64(system[i][j] * x[j])
		}
		x[i] = sum / system[i][i]
	}
	return x
}
