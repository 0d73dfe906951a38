package overlap

import (
	"math"

	"antipode/sphere/elementary"
)

// A panel is an interval of u = atanh z on which a density exp(-h(u)) is known at
// the Gauss-Legendre nodes. It extends from start to start+width, to the left if
// the width is negative.
type panel struct {
	start, width float64
	slope        [order]float64 // h'(u)
	rise         [order]float64 // h(u) - h(start)
	density      [order]float64 // exp(-rise)
	wholeRise    float64        // h(start+width) - h(start)
	uncertainty  float64        // bounds the error of every rise
}

const (
	// steepest bounds |h'|·|width| where a density is integrated. The 16-point rule
	// is then exact to rounding: for a straight exponent its error is below
	// 2e^(s/4·(r+1/r)) r^-32 of the largest value for any r > 1, which is 1e-24 for
	// s = 8 and r = 16; for an exponent that bends from slope 0 to slope s it is
	// below 2e^(s/8·(1+r/2)²) r^-32, or 1e-17 (r = 6).
	steepest = 8
	// resolution bounds the error of the rise over a panel, relative to the larger
	// of 1 and |h'|·|width|. A density takes some 30 panels, so it is then known to
	// 1e-11 by a bound that is itself a few hundred times too large.
	resolution = 2e-13
	// growth is how much wider than the last panel the next one is tried. Near 1.4
	// the numbers of narrow panels and of rejected ones balance.
	growth = 1.4
)

// position returns the u of node i.
func (p *panel) position(i int) float64 {
	return p.start + float64(0.5*p.width*(1+gauss.node[i]))
}

// shorten makes the panel no wider than distance.
func (p *panel) shorten(distance float64) {
	p.width = math.Copysign(min(math.Abs(p.width), distance), p.width)
}

// advance moves the panel to its far end and widens it.
func (p *panel) advance() {
	p.start += p.width
	p.width = float64(growth * p.width)
}

// fit computes the rises for the slope h', first shortening the panel until the
// slope is resolved and |h'|·|width| ≤ steep.
func (p *panel) fit(slope func(u float64) float64, steep float64) {
	for !p.resolve(slope, steep) {
	}
	p.climb()
}

// climb computes the rises from the slopes.
func (p *panel) climb() {
	half := 0.5 * p.width
	gauss.antiderivative(&p.rise, &p.slope)
	for i := range p.rise {
		p.rise[i] = float64(half * p.rise[i])
	}
	p.wholeRise = float64(half * gauss.integral(&p.slope))
}

// resolve computes the slopes and reports whether they are as fit wants them; if
// not, it shortens the panel. It begins at the far end, where slopes are mostly
// steepest.
func (p *panel) resolve(slope func(u float64) float64, steep float64) bool {
	wide, change := math.Abs(p.width), 0.0
	for i := order - 1; i >= 0; i-- {
		p.slope[i] = slope(p.position(i))
		change = max(change, float64(wide*math.Abs(p.slope[i])))
		if change > steep {
			p.width = float64(p.width * max(0.25, 0.9*steep/change))
			return false
		}
	}
	p.uncertainty = float64(wide * gauss.unresolved(&p.slope))
	if p.uncertainty > resolution*max(1, change) {
		p.width *= 0.5
		return false
	}
	return true
}

// mass computes the density and returns its integral over the panel.
func (p *panel) mass() float64 {
	for i := range p.density {
		p.density[i] = elementary.Exp(-p.rise[i])
	}
	return float64(0.5 * math.Abs(p.width) * gauss.integral(&p.density))
}

// integrate returns the integral of a positive function over the panel, first shortening
// the panel until it is resolved.
func (p *panel) integrate(f func(u float64) float64) float64 {
	for {
		var value [order]float64
		greatest := 0.0
		for i := range value {
			value[i] = f(p.position(i))
			greatest = max(greatest, value[i])
		}
		if gauss.unresolved(&value) <= 1e-8*greatest || math.Abs(p.width) < narrowest {
			return float64(0.5 * math.Abs(p.width) * gauss.integral(&value))
		}
		p.width *= 0.5
	}
}
