package overlap

import (
	"fmt"
	"math"

	"antipode/sphere/elementary"
)

// DecayTime returns the inverse of the rate at which the probability that two clusters
// of unequal mass have not come together falls in the end: the slowest eigenvalue
// of the generator, or the edge variance·(h')²/8 at +1 of its continuous spectrum where
// no eigenvalue lies below. Where both are long it is the longer, as some overlaps
// that reach 0 go back. It is infinite for equal masses. Errors are those of
// PassageTime, and that the eigenvalue cannot be told from the continuous spectrum in
// bounded work, as may happen in high dimension where there is hardly a barrier.
//
// With flux = -g', the eigenfunction leaves -1 without flux and falls like
// exp(-κu), κ = (h' + sqrt(h'² - 8λ/variance))/2, towards +1. The ratio flux/g at z = 0
// rises with λ from the left and falls from the right.
func (d *Diffusion) DecayTime() (Time, error) {
	life, err := d.Lifetime()
	if err != nil || math.IsInf(life.Log, 1) {
		return life, err
	}
	variance := d.model.variance(positionOf(d.plus.reach))
	edge := elementary.Log(variance * d.plus.slope * d.plus.slope / 8)
	// The slowest rate is the inverse of the mean time to +1, but for itself over the
	// other rates: those of walking down the slopes.
	whole := d.absorption(life)
	others := min(edge, elementary.Log(d.model.variance(positionOf(0))/d.minus.reach/d.minus.reach))
	if whole.Log+others > 23 {
		return whole, nil
	}
	panels := 15_000
	mismatch := func(logRate float64) float64 {
		return d.leftRatio(logRate, &panels) - d.rightRatio(min(logRate, edge), variance, &panels)
	}
	if mismatch(edge) <= 0 && panels >= 0 {
		return timeOf(1, -edge), nil
	}
	low := min(edge, -whole.Log)
	for high := low; mismatch(low) > 0 && panels >= 0; low = high {
		high = low - 1
	}
	rate := 0.0
	if panels >= 0 {
		rate = root(mismatch, low, edge)
	}
	if panels < 0 {
		return Time{}, fmt.Errorf("overlap: decay time is not available in dimension %d: the eigenvalue is too close to the continuous spectrum of a steep slope", d.dim)
	}
	return timeOf(1, -rate), nil
}

// absorption returns the integral of the mean time that the overlap spends at each point
// before it converges to +1, weighted with the probability that it comes back to -1 from
// there: the lifetime, and the flux at 0 times the tail of the scale.
func (d *Diffusion) absorption(life Time) Time {
	m := d.enter(d.minus, -1)
	m.to(0)
	tail := d.scale().tail(0, math.Inf(1)).mass
	back := elementary.Log(m.flux) + m.level + elementary.Log(tail)
	level := max(life.Log, back)
	return timeOf(elementary.Exp(life.Log-level)+elementary.Exp(back-level), level)
}

// leftRatio returns log(flux/g) at z = 0 from the left, or more than any ratio from
// the right if g has reached 0.
func (d *Diffusion) leftRatio(logRate float64, panels *int) float64 {
	const beyond = 50
	m := d.enter(d.minus, -1)
	m.logLoss, m.panels = logRate, panels
	m.to(0)
	if m.spent {
		return beyond
	}
	return min(beyond, elementary.Log(m.flux)+m.level+logRate-elementary.Log(m.g))
}

// rightRatio returns log(flux/g) at z = 0 from the right, for a rate up to the
// edge, or less than any ratio from the left if the flux has reached 0.
func (d *Diffusion) rightRatio(logRate, variance float64, panels *int) float64 {
	const unseen = -50
	u := d.forgotten()
	slope := d.model.slope(positionOf(u))
	rate := elementary.Exp(logRate)
	root := math.Sqrt(max(0, float64(slope*slope)-8*rate/variance))
	m := march{d: d, u: u, flux: 0.5 * (slope + root), g: 1, source: rate, panels: panels}
	for m.u > 0 && m.flux > 0 && !m.spent {
		m.to(max(0, m.u-1))
		m.flux, m.g, m.level = m.flux/m.g*elementary.Exp(m.level), 1, 0
	}
	if !(m.flux > 0) {
		return unseen
	}
	return elementary.Log(m.flux)
}

// forgotten returns a u > 0 from where on the scale density falls by e^-50 until 0, so
// that the ratio at 0 does not depend on that at u, or else the reach of +1.
func (d *Diffusion) forgotten() float64 {
	s, rise := d.scale(), 0.0
	p := panel{width: 0.5}
	for rise < 50 && p.start < d.plus.reach {
		p.shorten(d.plus.reach - p.start)
		p.fit(s.slope, steepest)
		rise += p.wholeRise
		p.advance()
	}
	return p.start
}
