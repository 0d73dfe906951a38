package quadrature

import (
	"math"

	"antipode/sphere/elementary"
)

// Narrowest is the width below which a panel is not divided further to resolve a jump of the density of a
// start.
const Narrowest = 0x1p-32

// A Panel is an interval of u = atanh z with the values of a density exp(-h(u)) at the Gauss-Legendre
// nodes. It extends from start to start+width, to the left if width is negative.
type Panel struct {
	Start, Width float64
	Slope        [Order]float64 // h'(u)
	Rise         [Order]float64 // h(u) - h(start)
	Density      [Order]float64 // exp(-rise)
	WholeRise    float64        // h(start+width) - h(start)
	Uncertainty  float64        // bounds the error of every rise
}

const (
	// Steepest limits |h'|·|width| where a density is integrated. The 16-point rule is then exact to
	// rounding. For a linear exponent with |h'|·|width| = s, its error relative to the largest value is
	// below 2e^(s/4·(r+1/r)) r^-32 for any r > 1, which is 1e-24 for s = 8 and r = 16. For an exponent
	// whose slope grows from 0 to s it is below 2e^(s/8·(1+r/2)²) r^-32, or 1e-17 (r = 6).
	Steepest = 8
	// resolution bounds the error of the rise over a panel, relative to the larger of 1 and |h'|·|width|. The
	// integral of a density takes some 30 panels, so its error is below 1e-11. The actual error is some
	// hundred times smaller.
	resolution = 2e-13
	// Growth is the ratio of the width of a panel that is tried to the width of the panel before. Near 1.4
	// the cost of too narrow panels balances the cost of rejected panels.
	Growth = 1.4
)

// Position returns the u of node i.
func (p *Panel) Position(i int) float64 {
	return p.Start + float64(0.5*p.Width*(1+Gauss.Node[i]))
}

// Shorten makes the panel no wider than distance.
func (p *Panel) Shorten(distance float64) {
	p.Width = math.Copysign(min(math.Abs(p.Width), distance), p.Width)
}

// Advance moves the panel to its far end and widens it.
func (p *Panel) Advance() {
	p.Start += p.Width
	p.Width = float64(Growth * p.Width)
}

// Fit computes the rises for the slope h'. It first shortens the panel until the slope is resolved and
// |h'|·|width| ≤ steep.
func (p *Panel) Fit(slope func(u float64) float64, steep float64) {
	for !p.Resolve(slope, steep) {
	}
	p.Accumulate()
}

// Accumulate computes the rises from the slopes.
func (p *Panel) Accumulate() {
	half := 0.5 * p.Width
	Gauss.Antiderivative(&p.Rise, &p.Slope)
	for i := range p.Rise {
		p.Rise[i] = float64(half * p.Rise[i])
	}
	p.WholeRise = float64(half * Gauss.Integral(&p.Slope))
}

// Resolve computes the slopes and reports whether they satisfy the conditions of Fit; if not, it shortens
// the panel. It begins at the far end, where slopes are usually steepest.
func (p *Panel) Resolve(slope func(u float64) float64, steep float64) bool {
	wide, change := math.Abs(p.Width), 0.0
	for i := Order - 1; i >= 0; i-- {
		p.Slope[i] = slope(p.Position(i))
		change = max(change, float64(wide*math.Abs(p.Slope[i])))
		if change > steep {
			p.Width = float64(p.Width * max(0.25, 0.9*steep/change))
			return false
		}
	}
	p.Uncertainty = float64(wide * Gauss.Unresolved(&p.Slope))
	if p.Uncertainty > resolution*max(1, change) {
		p.Width *= 0.5
		return false
	}
	return true
}

// Mass computes the density and returns its integral over the panel.
func (p *Panel) Mass() float64 {
	for i := range p.Density {
		p.Density[i] = elementary.Exp(-p.Rise[i])
	}
	return float64(0.5 * math.Abs(p.Width) * Gauss.Integral(&p.Density))
}

// Integrate returns the integral of a positive function over the panel. It first shortens the panel until
// the function is resolved.
func (p *Panel) Integrate(f func(u float64) float64) float64 {
	for {
		var value [Order]float64
		greatest := 0.0
		for i := range value {
			value[i] = f(p.Position(i))
			greatest = max(greatest, value[i])
		}
		if Gauss.Unresolved(&value) <= 1e-8*greatest || math.Abs(p.Width) < Narrowest {
			return float64(0.5 * math.Abs(p.Width) * Gauss.Integral(&value))
		}
		p.Width *= 0.5
	}
}
