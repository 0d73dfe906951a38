package overlap

import (
	"math"

	"antipode/sphere/elementary"
)

// DecayTime returns the inverse of the rate at which the probability that two clusters
// of unequal mass have not come together falls in the end: the slowest eigenvalue
// of the generator, or the edge variance·(h')²/8 at +1 of its continuous spectrum where
// no eigenvalue lies below. Where both are long it is the longer, as some overlaps
// that reach 0 go back. It is infinite for equal masses. Errors are those of PassageTime.
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
	mismatch := func(logRate float64) float64 {
		return d.leftRatio(logRate) - d.rightRatio(min(logRate, edge), variance)
	}
	if mismatch(edge) <= 0 {
		return timeOf(1, -edge), nil
	}
	low := min(edge, -life.Log)
	for high := low; mismatch(low) > 0; low = high {
		high = low - 1
	}
	return timeOf(1, -root(mismatch, low, edge)), nil
}

// leftRatio returns log(flux/g) at z = 0 from the left, or more than any ratio from
// the right if g has reached 0.
func (d *Diffusion) leftRatio(logRate float64) float64 {
	const beyond = 50
	m := d.enter(d.minus, -1)
	m.logLoss = logRate
	m.to(0)
	if m.spent {
		return beyond
	}
	return min(beyond, elementary.Log(m.flux)+m.level+logRate-elementary.Log(m.g))
}

// rightRatio returns log(flux/g) at z = 0 from the right, for a rate up to the
// edge, or less than any ratio from the left if the flux has reached 0.
func (d *Diffusion) rightRatio(logRate, variance float64) float64 {
	const unseen = -50
	u := d.forgotten()
	slope := d.model.slope(positionOf(u))
	rate := elementary.Exp(logRate)
	root := math.Sqrt(max(0, float64(slope*slope)-8*rate/variance))
	m := march{d: d, u: u, flux: 0.5 * (slope + root), g: 1, source: rate}
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
