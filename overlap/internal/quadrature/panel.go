package quadrature

import (
	"math"

	"antipode/sphere/elementary"
)

// Narrowest is the width below which a panel is not divided further, as if a function jumps on the panel.
const Narrowest = 0x1p-32

// A Panel is an interval of u = atanh z with the values of a density exp(-h(u)) at the Gauss-Legendre nodes.
// A Panel extends from Start to Start+Width, to the left if Width is negative.
type Panel struct {
	Start, Width float64
	Slope        [Order]float64 // slopes h'(u) at the nodes
	Rise         [Order]float64 // rises h(u) - h(Start) at the nodes
	Density      [Order]float64 // densities exp(-Rise) at the nodes
	WholeRise    float64        // rise of h over the whole panel
	Uncertainty  float64        // bounds the error of every rise of h
}

const (
	// Steepest limits |h'|·|width| of a panel on which a density exp(-h) is integrated, so that the 16-point
	// rule is exact to rounding. For a linear h with |h'|·|width| = s, the error of the 16-point rule
	// relative to the largest value of exp(-h) is below 2e^(s/4·(r+1/r)) r^-32 for any r > 1, which is 1e-24
	// for s = 8 and r = 16. For an h whose slope grows from 0 to s, the relative error is below
	// 2e^(s/8·(1+r/2)²) r^-32, or 1e-17 for s = 8 and r = 6.
	Steepest = 8
	// resolution bounds the estimated error of the rise of h over a panel, relative to the larger of 1 and
	// |h'|·|width|. The integral of a density exp(-h) takes some 30 panels, so the relative error of the
	// integral is below 1e-11. The actual error is some hundred times smaller.
	resolution = 2e-13
	// Growth is the ratio of the width at which a new panel is tried to the width of the panel before. For
	// ratios near 1.4 the cost of too narrow panels balances the cost of rejected panels.
	Growth = 1.4
)

// Position returns the position u of node i of the panel.
func (p *Panel) Position(i int) float64 {
	return p.Start + float64(0.5*p.Width*(1+Gauss.Node[i]))
}

// Shorten reduces the width of the panel to at most distance.
func (p *Panel) Shorten(distance float64) {
	p.Width = math.Copysign(min(math.Abs(p.Width), distance), p.Width)
}

// Advance moves the start of the panel to the far end of the panel, and widens the panel by the factor
// Growth.
func (p *Panel) Advance() {
	p.Start += p.Width
	p.Width = float64(Growth * p.Width)
}

// Fit shortens the panel until its nodes resolve the slope h' and |h'|·|width| ≤ steep, and then computes the
// rises of h.
func (p *Panel) Fit(slope func(u float64) float64, steep float64) {
	for !p.Resolve(slope, steep) {
	}
	p.Accumulate()
}

// Accumulate computes the rises of h from the slopes h' at the nodes.
func (p *Panel) Accumulate() {
	half := 0.5 * p.Width
	Gauss.Antiderivative(&p.Rise, &p.Slope)
	for i := range p.Rise {
		p.Rise[i] = float64(half * p.Rise[i])
	}
	p.WholeRise = float64(half * Gauss.Integral(&p.Slope))
}

// Resolve computes the slopes h' at the nodes and reports whether the panel satisfies the conditions of Fit;
// otherwise, Resolve shortens the panel. Resolve begins at the far end of the panel, where slopes are usually
// steepest.
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

// Mass computes the density exp(-h), relative to the start of the panel, at the nodes and returns the
// integral of the density over the panel.
func (p *Panel) Mass() float64 {
	for i := range p.Density {
		p.Density[i] = elementary.Exp(-p.Rise[i])
	}
	return float64(0.5 * math.Abs(p.Width) * Gauss.Integral(&p.Density))
}

// Integrate returns the integral of f, which must be positive, over the interval that the panel covers.
// Integrate first shortens the panel until its nodes resolve the function.
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
