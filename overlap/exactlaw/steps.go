package exactlaw

import "antipode/sphere/elementary"

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
