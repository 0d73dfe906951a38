package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
)

// steps returns the law of a step on a lattice of the given width, but for a factor, from where it
// is not negligible.
func (l *layer) steps(width float64) span {
	middle := l.summit(width)
	var sides [2][]float64
	top := 0.0
	for side, sign := range []int{1, -1} {
		for k, last := side, 0.0; ; k++ {
			p := l.density(float64(width*float64(middle+sign*k)), 0.1*l.negligible*top)
			top = max(top, p)
			sides[side] = append(sides[side], p)
			if p <= last && p < l.negligible*top {
				break
			}
			last = p
		}
	}
	down := sides[1]
	s := span{first: middle - len(down)}
	for k := len(down) - 1; k >= 0; k-- {
		s.p = append(s.p, down[k])
	}
	s.p = append(s.p, sides[0]...)
	for ; s.p[0] < l.negligible*top; s.p = s.p[1:] {
		s.first++
	}
	for ; s.p[len(s.p)-1] < l.negligible*top; s.p = s.p[:len(s.p)-1] {
	}
	return s
}

// summit returns the point of a lattice of steps with about the greatest density, to which
// densities then are relative.
func (l *layer) summit(width float64) int {
	best := 0
	l.top = l.level(0)
	for _, side := range []int{1, -1} {
		for {
			level := l.level(float64(width * float64(best+side)))
			if !(level > l.top) {
				break
			}
			best, l.top = best+side, level
		}
	}
	return best
}

// level is the logarithm of the density of a step with ξ = 0.
func (l *layer) level(delta float64) float64 {
	half := elementary.Exp(0.5 * delta)
	a, c := half*half, 1/(half*half)
	sinh := 0.5 * (half - 1/half)
	return l.exponent(a, c, 0) - float64(2*l.quotient(a, c, 0)*sinh*sinh)
}

// below returns the probabilities that a step from u goes below some thresholds, from the densities
// on the lattice and those half-way between its points.
func (l *layer) below(u, width float64, s span, thresholds []*threshold) []float64 {
	at := func(k float64) float64 { return u + float64(width*(float64(s.first)+k)) }
	result := make([]float64, len(thresholds))
	inside := false
	for i, t := range thresholds {
		low, high := 0.0, 0.0 // without what is next to the threshold
		for k, p := range s.p {
			if at(float64(k)) < t.at-width {
				low += p
			} else if at(float64(k)) > t.at+width {
				high += p
			}
		}
		const certain = 1e-9
		if high < certain*low {
			result[i] = 1
		} else if low > certain*high {
			result[i], inside = math.NaN(), true
		}
	}
	if !inside {
		return result
	}
	total := 0.0
	sums := make([]float64, len(thresholds))
	add := func(k, p float64) {
		total += p
		for i, t := range thresholds {
			if math.IsNaN(result[i]) {
				sums[i] += float64(p * t.weight(at(k)))
			}
		}
	}
	for k, p := range s.p {
		add(float64(k), p)
		add(float64(k)+0.5, l.density(float64(width*(float64(s.first+k)+0.5)), 0.1*l.negligible*p))
	}
	for i, sum := range sums {
		if math.IsNaN(result[i]) {
			result[i] = sum / total
		}
	}
	return result
}
