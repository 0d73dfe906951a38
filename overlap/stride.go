package overlap

import (
	"math"

	"antipode/sphere/elementary"
)

const (
	// steep is the |h'|·width from which a panel may be crossed by a stride: what is not
	// slaved to the source has fallen by e^-40.
	steep = 40
	// stridden is the precision to which a stride may begin at the slaved flux.
	stridden = 1e-10
	// farthest is the greatest width of a stride.
	farthest = 4
)

// stride crosses a panel towards u on which the slope is so steep that exp(h) need not
// be resolved, and returns its width; or else it reports false.
func (m *march) stride(u float64) (width float64, ok bool) {
	p := panel{start: m.u, width: u - m.u}
	p.shorten(min(farthest, max(float64(4*m.wide), 1e-9)))
	slope := m.d.scale().slope
	first := slope(m.u)
	for ; math.Abs(first*p.width) > steep; p.width *= 0.5 {
		if !p.resolve(slope, math.Inf(1)) {
			p.width *= 2 // resolve has halved it
			continue
		}
		p.climb()
		if first*p.width > 0 && m.follow(&p) || m.carry(&p) {
			m.wide = math.Abs(p.width)
			return p.width, true
		}
	}
	m.wide = math.Abs(p.width)
	return 0, false
}

// rates returns 2/variance at the nodes.
func (m *march) rates(p *panel) (rate [order]float64) {
	for i := range rate {
		rate[i] = 2 / m.d.model.variance(positionOf(p.position(i)))
	}
	return rate
}

// follow crosses a panel on which the flux is slaved to the source: it is the polynomial
// that solves its equation at the nodes, whatever it was before. Follow reports false if
// that is not resolved or not what the flux is at the start.
func (m *march) follow(p *panel) bool {
	half := float64(0.5 * p.width)
	source := float64(m.source * elementary.Exp(-m.level))
	rate := m.rates(p)
	var system [order][order + 1]float64
	for i, slope := range p.slope {
		if !(slope*p.width > steep) {
			return false
		}
		for j := range order {
			system[i][j] = gauss.slope[i][j] / half
		}
		system[i][i] += slope
		system[i][order] = float64(source * rate[i])
	}
	flux := solve(&system)
	greatest := 0.0
	for _, f := range flux {
		greatest = max(greatest, math.Abs(f))
	}
	first := dot(&gauss.first, &flux)
	if !(gauss.unresolved(&flux) <= stridden*greatest && math.Abs(first-m.flux) <= stridden*math.Abs(first)) {
		return false
	}
	m.integral += float64(half * gauss.integral(&flux))
	m.flux = dot(&gauss.final, &flux)
	return true
}

// carry crosses a panel on which the source is nothing beside the flux, which is then
// proportional to exp(-h). Its integral comes from the end where it is greater.
func (m *march) carry(p *panel) bool {
	for _, s := range p.slope {
		if !(s*p.slope[0] > 0 && math.Abs(s*p.width) > steep) {
			return false
		}
	}
	rate := m.rates(p)
	greatest := 0.0
	for _, r := range rate {
		greatest = max(greatest, r)
	}
	added := float64(greatest * math.Abs(p.width) * elementary.Exp(max(0, p.wholeRise)-m.level))
	if !(added <= 1e-17*math.Abs(m.flux)) || p.wholeRise > 600 {
		return false
	}
	s := m.d.scale()
	s.convex = true // as far as the slope keeps its sign
	end := p.start + p.width
	if p.wholeRise < 0 {
		m.level -= p.wholeRise
		m.integral *= elementary.Exp(p.wholeRise)
		m.integral += math.Copysign(float64(s.tail(end, p.start).mass*m.flux), m.flux*p.width)
		return true
	}
	m.integral += math.Copysign(float64(s.tail(p.start, end).mass*m.flux), m.flux*p.width)
	m.flux *= elementary.Exp(-p.wholeRise)
	return true
}

// solve eliminates a system whose last column is its right side.
func solve(system *[order][order + 1]float64) (x [order]float64) {
	for k := range order {
		pivot := k
		for i := k + 1; i < order; i++ {
			if math.Abs(system[i][k]) > math.Abs(system[pivot][k]) {
				pivot = i
			}
		}
		system[k], system[pivot] = system[pivot], system[k]
		for i := k + 1; i < order; i++ {
			factor := system[i][k] / system[k][k]
			for j := k; j <= order; j++ {
				system[i][j] -= float64(factor * system[k][j])
			}
		}
	}
	for i := order - 1; i >= 0; i-- {
		sum := system[i][order]
		for j := i + 1; j < order; j++ {
			sum -= float64(system[i][j] * x[j])
		}
		x[i] = sum / system[i][i]
	}
	return x
}
