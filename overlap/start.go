package overlap

import (
	"errors"
	"math"

	"antipode/sphere/elementary"
)

// AntipodalDensity returns the probability that two tokens become antipodal when
// their overlap starts with the given density on (-1, 1): the average of
// AntipodalFrom. The density need not be normalized. It must be bounded near the
// ends, where the average leaves out 1-|z| < 2^-52; kinks and jumps inside cost time,
// and a jump an error of 1e-9. It is an error if the density is nil, negative or not
// finite somewhere, or 0 everywhere.
func (d *Diffusion) AntipodalDensity(density func(z float64) float64) (Probability, error) {
	return d.averageDensity(density, -1)
}

// SingleDensity returns the probability that two tokens coincide in the end when
// their overlap starts with the given density; see AntipodalDensity.
func (d *Diffusion) SingleDensity(density func(z float64) float64) (Probability, error) {
	return d.averageDensity(density, 1)
}

func (d *Diffusion) averageDensity(density func(z float64) float64, to float64) (Probability, error) {
	start, err := densityStart(density)
	if err != nil {
		return Probability{}, err
	}
	return d.average(start, to), nil
}

// A start is the law of the overlap at time 0: a density in u = atanh z, up to a
// factor, on [-edge, edge].
type start struct {
	density func(at position) float64
	edge    float64
	scale   float64 // the width of a cell that resolves it
}

// densityStart returns the law with the given density in z. It looks at the density
// at every 2^-7 of u.
func densityStart(density func(z float64) float64) (start, error) {
	if density == nil {
		return start{}, errors.New("overlap: the density of the start is missing: it must be a function")
	}
	edge := atanh(1 - 0x1p-52)
	mass := 0.0
	for u := -edge; u <= edge; u += 0x1p-7 {
		at := positionOf(u)
		f := density(at.z)
		if !(f >= 0 && f <= math.MaxFloat64) {
			return start{}, errors.New("overlap: the density of the start is not allowed: it must not be negative and must be finite")
		}
		mass += float64(f * at.above * at.below)
	}
	if !(mass > 0) {
		return start{}, errors.New("overlap: the density of the start is not allowed: it is 0 everywhere")
	}
	mass *= 0x1p-7
	return start{func(at position) float64 { return density(at.z) * at.above * at.below / mass }, edge, 0.25}, nil
}

// average returns the average over the start of the probability to converge to the
// end -1 or +1.
func (d *Diffusion) average(from start, to float64) Probability {
	switch minus, plus := d.minus.class == Attracting, d.plus.class == Attracting; {
	case minus && plus:
		p := d.averageHit(from)
		if to > 0 {
			p.Value = 1 - p.Value
		}
		return p
	case minus && to < 0 || plus && to > 0:
		return Probability{Value: 1}
	}
	return Probability{}
}

// averageHit averages (S(1)-S(z))/(S(1)-S(-1)) over the start.
func (d *Diffusion) averageHit(from start) Probability {
	s := d.scale()
	right := s.tail(from.edge, math.Inf(1))
	if right == boundless {
		return Probability{1, surely(s.convex)}
	}
	sum := average{tail: right.mass}
	h, f := panel{start: from.edge, width: -0.25}, [order]float64{}
	for h.start > -from.edge {
		h.shorten(h.start + from.edge)
		sum.fit(&h, &f, &s, from)
		sum.add(&h, &f)
		h.advance()
		if rate := -s.slope(h.start); s.convex && rate > 0 && elementary.Exp(-sum.rise) < negligible*rate*sum.tail {
			// The tail grows no more; only the start is left.
			s, sum.rise = scale{slope: func(float64) float64 { return 0 }}, math.Inf(1)
		}
	}
	total := sum.tail
	if sum.rise < math.Inf(1) {
		left := s.tail(-from.edge, math.Inf(-1))
		total += float64(elementary.Exp(-sum.rise) * left.mass)
		sum.uncertainty += left.uncertainty
	}
	value := sum.weighted / (sum.weight * total)
	value = min(1, value)
	integration := float64(value * (1 - value) * (right.uncertainty + sum.uncertainty))
	return Probability{value, integration + rounding}
}

// surely returns the error of the probability 1 that stands for a start whose right
// tail is beyond float64: with a convex h the left one is then below it.
func surely(convex bool) float64 {
	if convex {
		return rounding
	}
	return 1
}

// An average accumulates ∫ f T du and ∫ f du over panels from right to left, where f
// is the density of the start and T(u) = ∫_u^∞ exp(-h) is the tail of the scale,
// relative to its density at the right edge of the first panel.
//
// T on a panel is the antiderivative of the polynomial through the nodes. Its error
// at single nodes may be 1e-8, but with Gauss-Legendre nodes that is orthogonal to
// whatever it is integrated against here, to the same order as the rule itself.
type average struct {
	tail             float64 // T at the edge of the panel to come
	weighted, weight float64
	rise             float64
	uncertainty      float64
}

// halfResolution bounds the last Legendre coefficients of a density, relative to its
// maximum. They fall geometrically, and the rule is exact to twice their degree.
const halfResolution = 1e-7

// irrelevant is an integral of the density of a start, whose mass or maximum is 1,
// that need not be resolved: a user's density is rough where z is near ±1.
const irrelevant = 1e-15

// narrowest is the width at which a panel is no longer cut to resolve a jump of the
// density of a start.
const narrowest = 0x1p-32

// fit fits h to the scale on a panel short enough for the density of the start,
// whose values it stores.
func (a *average) fit(h *panel, f *[order]float64, s *scale, from start) {
	for {
		h.fit(s.slope, steepest)
		greatest := 0.0
		for i := range f {
			f[i] = from.density(positionOf(h.position(i)))
			greatest = max(greatest, f[i])
		}
		width := math.Abs(h.width)
		if left := gauss.unresolved(f); left <= halfResolution*greatest || float64(left*width) < irrelevant || width < narrowest {
			return
		}
		h.width *= 0.5
	}
}

// add accumulates the panel on which h is the scale and f the density of the start.
func (a *average) add(h *panel, f *[order]float64) {
	scale := elementary.Exp(-a.rise)
	half := -0.5 * h.width
	mass := float64(scale * h.mass())
	a.weight += float64(half * gauss.integral(f))
	var tail [order]float64
	gauss.antiderivative(&tail, &h.density)
	for i := range tail {
		tail[i] = f[i] * (a.tail + float64(half*scale*tail[i]))
	}
	a.weighted += float64(half * gauss.integral(&tail))
	a.tail += mass
	a.rise += h.wholeRise
	a.uncertainty += h.uncertainty
}
