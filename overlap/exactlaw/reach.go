package exactlaw

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// mostPoints is the largest number of points of a lattice for forward propagation.
const mostPoints = 20_000

// mostCrossings limits the number of points times the number of values of the scalar, approximately.
const mostCrossings = 1_000_000

// width returns the distance between neighbouring points of a lattice. Each increase of effort by 1 divides
// the distance by √2.
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

// points returns the lattice for a problem, and the excursions beyond both ends. If the start is given, it is
// a point of the lattice.
func (h *hybrid) points(
	q problem, edge, width float64, w, p []float64, effort int,
) (points, [2]excursions, error) {
	from, base := 0.0, 1+max(edge, 3+float64(0.5*elementary.Log(1+h.beta)))
	tail := math.Inf(1)
	if q.start != nil {
		from = line.Atanh(*q.start)
		base = max(base+float64(3*interpolated*width), math.Abs(from)+1)
	} else {
		tail = float64(h.dim - 1)
	}
	if h.folds {
		tail = min(tail, 1) // decay rate of u near a pole
	}
	bound := float64(math.Ln10 * float64(8+effort))
	ends := [2]excursions{h.excursions(-base, tail, bound, w, p), h.excursions(base, tail, bound, w, p)}
	margin := float64(0.5 * interpolated * width) // required by interpolation
	low, high := base+margin+ends[0].reach(q.layers), base+margin+ends[1].reach(q.layers)
	if states := (low + high) / width; !(states < mostPoints) {
		return points{}, ends, fmt.Errorf("exactlaw: the law is not available: steps of %.1g between %.3g "+
			"and %.3g along atanh z are more than %d states", width, -low, high, mostPoints)
	}
	before := int((from + low) / width)
	count := before + int((high-from)/width) + 1
	return points{from - float64(width*float64(before)), width, count}, ends, nil
}

// excursions describe the walk of u beyond a point near an end, where the steps of u are independent of u.
// The lattice ends at the distance from that point at which going so far and returning has a probability
// below e^-bound.
type excursions struct {
	from, outwards, variance float64 // the point; mean outward step and variance of a step
	theta                    float64 // exp(-θ·distance) is the probability of going against the mean
	tail                     float64 // the mass beyond u at time 0 falls like exp(-tail·|u|)
	bound                    float64
	none                     bool // no step leads back towards 0
}

// excursions returns the excursions beyond u.
func (h *hybrid) excursions(u, tail, bound float64, w, p []float64) excursions {
	x := excursions{from: u, tail: tail, bound: bound, theta: math.Inf(1), none: true}
	steps := make([]float64, len(w))
	square := 0.0
	for k, scalar := range w {
		next, _ := h.step(u, scalar)
		steps[k] = math.Copysign(1, u) * max(-50, min(50, next-u))
		x.outwards += float64(p[k] * steps[k])
		square += float64(p[k] * steps[k] * steps[k])
		x.none = x.none && steps[k] >= 0
	}
	x.variance = max(0, square-float64(x.outwards*x.outwards))
	if x.variance > 0 && !x.none {
		x.theta = math.Abs(exponent(p, steps, x.outwards, x.variance))
	}
	return x
}

// reach returns the distance beyond which excursions are negligible, for the given number of layers.
func (x excursions) reach(layers int) float64 {
	return x.distance(func(distance float64) float64 {
		n := float64(layers)
		return min(x.away(distance, n), float64(x.tail*distance)+x.way(distance, n))
	})
}

// back returns the distance from which a return within the given number of layers is negligible.
func (x excursions) back(layers int) float64 {
	return x.distance(func(distance float64) float64 { return x.way(distance, float64(layers)) })
}

// distance returns the distance at which an increasing function level reaches the bound.
func (x excursions) distance(level func(distance float64) float64) float64 {
	if x.none {
		return 0
	}
	low, high := 0.0, 1.0
	for level(high) < x.bound {
		low, high = high, 2*high
	}
	for high-low > 0.1 {
		if middle := 0.5 * (low + high); level(middle) < x.bound {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// away returns approximately -log of the probability of going a distance outwards and returning within the
// given number of layers.
func (x excursions) away(distance, layers float64) float64 {
	speed := math.Abs(x.outwards)
	if float64(2*distance) > speed*layers {
		return (4*distance*distance/layers + float64(speed*speed*layers)) / (2 * x.variance)
	}
	return x.theta * distance // a walk against its mean, in any number of steps
}

// way returns approximately -log of the probability of returning from a distance within the given number of
// layers.
func (x excursions) way(distance, layers float64) float64 {
	beyond := distance + float64(x.outwards*layers)
	switch {
	case beyond <= 0:
		return 0
	case x.outwards > 0 && distance < x.outwards*layers:
		return x.theta * distance
	}
	return beyond * beyond / (2 * x.variance * layers)
}
