package line

import (
	"math"

	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// A Sensitivity is the scale measure dS = exp(-h) du of an overlap diffusion together with the derivative of
// the slope h' with respect to a parameter.
type Sensitivity struct {
	Scale
	By func(u float64) float64 // ∂h'/∂parameter, with limits at both infinities
}

// A Half holds integrals over u with respect to the scale measure exp(-h) du, over one side of a starting
// point or over both sides, in units of exp(-Unit) times the density exp(-h) at the starting point. The
// integrands are exp(-h) times 1 (Mass), k (First), |k| (Absolute), G (Weighted) and kG (WeightedFirst),
// where k is the derivative of h - h(starting point) with respect to a parameter, and G is a Growing.
type Half struct {
	Unit                          float64
	Mass, First, Absolute         float64
	Weighted, WeightedFirst       float64
	Uncertainty, FirstUncertainty float64 // errors of the values of h and of k
}

// A Growing is a non-decreasing function G of u that is constant outside an interval. G is determined up to a
// constant; integrals take G as 0 at their starting point.
type Growing struct {
	From, Until float64 // the interval; if From = Until, G jumps by 1 at this point
	// Increase returns the increase of G from the start of a panel within the interval to the nodes and to
	// the end of the panel. Increase shortens the panel until the nodes of the panel resolve G, and does not
	// use the slopes of the panel.
	Increase func(p *quadrature.Panel) (at [quadrature.Order]float64, whole float64)
}

// Jump returns the function that is 0 below the point u and 1 above u.
func Jump(u float64) Growing { return Growing{From: u, Until: u} }

// Both returns integrals over the whole line of u, to both sides from a local maximum of the density exp(-h),
// as h may be very steep elsewhere. Both ends of the overlap must attract.
func (s Sensitivity) Both(g Growing) Half {
	low, high := -s.Minus.Reach, s.Plus.Reach
	for range 60 {
		if middle := 0.5 * (low + high); s.Slope(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return whole(s.half(high, -1, g), s.half(high, 1, g))
}

// half returns integrals from u to ±∞ in the given direction, -1 or +1.
func (s Sensitivity) half(u, direction float64, g Growing) Half {
	last, entry, exit := s.Plus, g.From, g.Until
	if direction < 0 {
		last, entry, exit = s.Minus, g.Until, g.From
	}
	limit, stop := direction*last.Slope, max(last.Reach, direction*u)
	w := walk{panel: quadrature.Panel{Start: u, Width: 0.25 * direction}}
	if entry == exit && u == entry && direction > 0 {
		w.grown = 1
	}
	for p := &w.panel; direction*p.Start < stop; {
		edge, growing := stop, false
		switch at := direction * p.Start; {
		case at < direction*entry:
			edge = min(edge, direction*entry)
		case at < direction*exit:
			edge, growing = min(edge, direction*exit), true
		}
		arrive := func(width, left float64) {
			if math.Abs(width) == left {
				p.Start = direction * edge // exact, in spite of rounding errors of widths
			}
			if entry == exit && p.Start == entry {
				w.grown += direction
			}
		}
		left := edge - float64(direction*p.Start)
		p.Shorten(left)
		s.step(&w, g, growing)
		width := p.Width
		p.Advance()
		arrive(width, left)
		if w.negligible(float64(direction * s.Slope(p.Start))) {
			if s.Convex {
				return w.half
			}
			left = edge - float64(direction*p.Start)
			if width := w.skip(s, g, growing, direction, edge); width != 0 {
				arrive(width, left)
			}
		}
	}
	w.finish(limit, s.By(math.Inf(int(direction))), direction)
	return w.half
}

// step adds the integrals over a panel whose nodes resolve h', its derivative and G.
func (s Sensitivity) step(w *walk, g Growing, growing bool) {
	var increase [quadrature.Order]float64
	var whole float64
	for {
		if growing {
			increase, whole = g.Increase(&w.panel)
		}
		width := w.panel.Width
		by := s.resolve(&w.panel)
		if !growing || w.panel.Width == width {
			w.add(&by, &increase, whole)
			return
		}
	}
}

// resolve shortens a panel until its nodes resolve the slope h' and the derivative of h' with respect to the
// parameter, and returns the values of this derivative at the nodes.
func (s Sensitivity) resolve(p *quadrature.Panel) (by [quadrature.Order]float64) {
	for {
		p.Fit(s.Slope, quadrature.Steepest)
		greatest := 0.0
		for i := range by {
			by[i] = s.By(p.Position(i))
			greatest = max(greatest, math.Abs(by[i]))
		}
		const resolution = 1e-13
		if left := quadrature.Gauss.Unresolved(&by); left <= resolution*max(1, greatest) ||
			math.Abs(p.Width) < quadrature.Narrowest {
			return by
		}
		p.Width *= 0.5
	}
}

// A walk passes through panels of u from a starting point, and holds the integrals of a Half up to the
// current position.
type walk struct {
	half        Half
	panel       quadrature.Panel
	rise, first float64 // change of h and value of k since the starting point
	grown       float64 // value of the function G
}

// add adds the integrals over the panel of the walk, given the derivative by of h' and the increase of G at
// the nodes.
func (w *walk) add(by, increase *[quadrature.Order]float64, whole float64) {
	p, h := &w.panel, &w.half
	if w.rise < h.Unit-300 { // change the unit before the sums overflow
		h.rescale(w.rise)
	}
	const order = quadrature.Order
	var k, first, absolute, weighted, weightedFirst [order]float64
	half := 0.5 * p.Width
	quadrature.Gauss.Antiderivative(&k, by)
	p.Mass() // compute the densities at the nodes
	for i := range order {
		k[i] = w.first + float64(half*k[i])
		g := w.grown + increase[i]
		first[i] = p.Density[i] * k[i]
		absolute[i] = math.Abs(first[i])
		weighted[i] = p.Density[i] * g
		weightedFirst[i] = first[i] * g
	}
	size := math.Abs(half) * elementary.Exp(h.Unit-w.rise)
	h.Mass += float64(size * quadrature.Gauss.Integral(&p.Density))
	h.First += float64(size * quadrature.Gauss.Integral(&first))
	h.Absolute += float64(size * quadrature.Gauss.Integral(&absolute))
	h.Weighted += float64(size * quadrature.Gauss.Integral(&weighted))
	h.WeightedFirst += float64(size * quadrature.Gauss.Integral(&weightedFirst))
	h.Uncertainty += p.Uncertainty
	h.FirstUncertainty += float64(math.Abs(p.Width) * quadrature.Gauss.Unresolved(by))
	w.rise += p.WholeRise
	w.first += float64(half * quadrature.Gauss.Integral(by))
	w.grown += whole
}

// negligible reports whether the rest of the integrals beyond the current position is negligible if h
// continues to rise at the given rate.
func (w *walk) negligible(rate float64) bool {
	return rate > 0 && elementary.Exp(w.half.Unit-w.rise)*(1+math.Abs(w.first)) < Negligible*rate*w.half.Mass
}

// skip passes a panel on which the density exp(-h) is negligible, but not the point edge. skip returns the
// width of the panel, or 0 if h does not rise on the panel.
func (w *walk) skip(s Sensitivity, g Growing, growing bool, direction, edge float64) float64 {
	start, whole := w.panel.Start, 0.0
	p, ok := s.ahead(start, direction, edge)
	for growing && ok {
		q := quadrature.Panel{Start: start, Width: p.Width}
		if _, whole = g.Increase(&q); q.Width == p.Width {
			break
		}
		p, ok = s.ahead(start, direction, float64(direction*(start+q.Width)))
	}
	if !ok {
		return 0
	}
	var by [quadrature.Order]float64
	for i := range by {
		by[i] = s.By(p.Position(i))
	}
	w.rise += p.WholeRise
	w.first += float64(0.5 * p.Width * quadrature.Gauss.Integral(&by))
	w.grown += whole
	w.panel.Start += p.Width
	return p.Width
}

// finish adds the integrals beyond the reach of an end, where the slopes of h and k are equal to their
// limits.
func (w *walk) finish(limit, by, direction float64) {
	h := &w.half
	size := elementary.Exp(h.Unit-w.rise) / limit
	mean := w.first + float64(direction*by/limit)
	first := float64(size * mean)
	h.Mass += size
	h.First += first
	h.Absolute += math.Abs(first)
	h.Weighted += float64(size * w.grown)
	h.WeightedFirst += float64(first * w.grown)
	share := size / h.Mass
	h.Uncertainty += float64(share * LimitError / max(LimitError, limit))
	h.FirstUncertainty += float64(share * LimitError / max(LimitError, limit) * (math.Abs(mean) + 1/limit))
}

func (h *Half) rescale(unit float64) {
	factor := elementary.Exp(unit - h.Unit)
	h.Unit = unit
	for _, sum := range []*float64{&h.Mass, &h.First, &h.Absolute, &h.Weighted, &h.WeightedFirst} {
		*sum *= factor
	}
}

// whole returns the sums of the integrals over two halves of the line of u, in the greater unit of the two
// halves.
func whole(left, right Half) Half {
	unit := min(left.Unit, right.Unit)
	left.rescale(unit)
	right.rescale(unit)
	return Half{unit, left.Mass + right.Mass, left.First + right.First, left.Absolute + right.Absolute,
		left.Weighted + right.Weighted, left.WeightedFirst + right.WeightedFirst,
		left.Uncertainty + right.Uncertainty, left.FirstUncertainty + right.FirstUncertainty}
}

// Distribution returns the distribution function, up to a constant, of a starting law whose density in u =
// atanh z is even.
func (from Start) Distribution() Growing {
	total := 0.0
	p := quadrature.Panel{Width: 0.25}
	density := func(u float64) float64 { return from.Density(Of(u)) }
	for p.Start < from.Edge {
		p.Shorten(from.Edge - p.Start)
		total += p.Integrate(density)
		p.Advance()
	}
	scale := 0.5 / total
	increase := func(p *quadrature.Panel) (at [quadrature.Order]float64, whole float64) {
		p.Integrate(density) // Integrate shortens the panel
		var f [quadrature.Order]float64
		for i := range f {
			f[i] = float64(scale * density(p.Position(i)))
		}
		half := 0.5 * p.Width
		quadrature.Gauss.Antiderivative(&at, &f)
		for i := range at {
			at[i] *= half
		}
		return at, float64(half * quadrature.Gauss.Integral(&f))
	}
	return Growing{-from.Edge, from.Edge, increase}
}
