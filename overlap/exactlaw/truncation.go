package exactlaw

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// This file chooses the lattice of forward propagation in the hybrid recursion: the spacing of the lattice of
// u = atanh Z, and the ends of the lattice.

// mostPoints is the largest number of points of a lattice for forward propagation in the hybrid recursion.
const mostPoints = 20_000

// mostPreimages limits the number of lattice points times the number of values of the random scalar.
const mostPreimages = 1_000_000

// width returns the distance between neighbouring points of a lattice of u. Each increase of effort by 1
// divides this distance by √2.
func (h *hybrid) width(q problem, effort int) float64 {
	width := math.Ldexp(1, -effort/2)
	if effort%2 == 1 {
		width *= math.Sqrt2 / 2
	}
	if q.start != nil {
		return 0.25 * width
	}
	return width / (1 + float64(0.5*math.Sqrt(float64(h.dim-1))))
}

// grid returns the lattice of u for a problem, and the excursions of u beyond both ends of the lattice. A
// given start of the problem is a point of the lattice.
func (h *hybrid) grid(
	q problem, edge, width float64, w, p []float64, effort int,
) (grid, [2]excursions, error) {
	from, base := 0.0, 1+max(edge, 3+float64(0.5*elementary.Log(1+h.beta)))
	tail := math.Inf(1)
	if q.start != nil {
		from = line.Atanh(*q.start)
		base = max(base+float64(3*stencilSize*width), math.Abs(from)+1)
	} else {
		tail = float64(h.dim - 1)
	}
	if h.folds {
		tail = min(tail, 1) // decay rate, in |u|, of the mass near a pole
	}
	bound := float64(math.Ln10 * float64(8+effort))
	ends := [2]excursions{h.excursions(-base, tail, bound, w, p), h.excursions(base, tail, bound, w, p)}
	margin := float64(0.5 * stencilSize * width) // margin for interpolation
	low := base + margin + ends[0].truncationDistance(q.layers)
	high := base + margin + ends[1].truncationDistance(q.layers)
	if states := (low + high) / width; !(states < mostPoints) {
		return grid{}, ends, fmt.Errorf("exactlaw: the law is not available: steps of %.1g between %.3g "+
			"and %.3g along atanh z are more than %d states", width, -low, high, mostPoints)
	}
	before := int((from + low) / width)
	count := before + int((high-from)/width) + 1
	return grid{from - float64(width*float64(before)), width, count}, ends, nil
}

// excursions describe the random walk of u = atanh Z beyond a point near an end of the overlap, where the
// steps of u are independent of u. The lattice ends at a distance from this point such that u goes so far and
// returns with a probability below e^-bound. Probabilities of excursions are estimated by the theory of large
// deviations.
type excursions struct {
	from, drift, variance float64 // the point; mean outward step and variance of a step
	theta                 float64 // exp(-θ·distance) is the probability of going against the drift
	tail                  float64 // the mass beyond u at time 0 falls like exp(-tail·|u|)
	bound                 float64 // -log of the greatest probability that is neglected
	neverReturns          bool    // whether no step leads back towards 0
}

// excursions returns the excursions of the hybrid recursion beyond the point u, for values w of the scalar
// with probabilities p.
func (h *hybrid) excursions(u, tail, bound float64, w, p []float64) excursions {
	x := excursions{from: u, tail: tail, bound: bound, theta: math.Inf(1), neverReturns: true}
	steps := make([]float64, len(w))
	square := 0.0
	for k, scalar := range w {
		next, _ := h.step(u, scalar)
		steps[k] = math.Copysign(1, u) * max(-50, min(50, next-u))
		x.drift += float64(p[k] * steps[k])
		square += float64(p[k] * steps[k] * steps[k])
		x.neverReturns = x.neverReturns && steps[k] >= 0
	}
	x.variance = max(0, square-float64(x.drift*x.drift))
	if x.variance > 0 && !x.neverReturns {
		x.theta = math.Abs(lundbergExponent(p, steps, x.drift, x.variance))
	}
	return x
}

// truncationDistance returns the distance from x.from beyond which excursions are negligible, for the given
// number of layers.
func (x excursions) truncationDistance(layers int) float64 {
	return x.distanceAt(func(distance float64) float64 {
		n := float64(layers)
		return min(x.excursionRate(distance, n), float64(x.tail*distance)+x.returnRate(distance, n))
	})
}

// returnDistance returns the distance from x.from from which a return in the given number of layers has
// negligible probability.
func (x excursions) returnDistance(layers int) float64 {
	return x.distanceAt(func(distance float64) float64 { return x.returnRate(distance, float64(layers)) })
}

// distanceAt returns the distance at which the increasing function rate reaches x.bound, or 0 if no step
// leads back.
func (x excursions) distanceAt(rate func(distance float64) float64) float64 {
	if x.neverReturns {
		return 0
	}
	low, high := 0.0, 1.0
	for rate(high) < x.bound {
		low, high = high, 2*high
	}
	for high-low > 0.1 {
		if middle := 0.5 * (low + high); rate(middle) < x.bound {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// excursionRate returns approximately -log of the probability that u goes a distance outwards and returns
// within the given number of layers.
func (x excursions) excursionRate(distance, layers float64) float64 {
	speed := math.Abs(x.drift)
	if float64(2*distance) > speed*layers {
		return (4*distance*distance/layers + float64(speed*speed*layers)) / (2 * x.variance)
	}
	return x.theta * distance // a walk against its drift, in any number of steps
}

// returnRate returns approximately -log of the probability that u returns from a distance within the given
// number of layers.
func (x excursions) returnRate(distance, layers float64) float64 {
	beyond := distance + float64(x.drift*layers)
	switch {
	case beyond <= 0:
		return 0
	case x.drift > 0 && distance < x.drift*layers:
		return x.theta * distance
	}
	return beyond * beyond / (2 * x.variance * layers)
}
