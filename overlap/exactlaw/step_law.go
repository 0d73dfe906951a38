package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
)

// stepLaw returns the law of the step of a layer on a lattice of the given width, up to a factor and without
// negligible entries. The single entry is NaN if densities exceed float64.
func (l *layer) stepLaw(width float64) span {
	middle := l.mode(width)
	stride := 1
	for float64(2*stride)*width <= coarsestSpacing {
		stride *= 2
	}
	if l.derivative != nil {
		l.derivative.middle = middle
	}
	density := func(k int, top float64) float64 {
		p := l.density(float64(width*float64(k))-l.offset, 0.1*l.negligible*top)
		if l.derivative != nil {
			l.derivative.known[k] = l.derivative.logDerivative
		}
		return p
	}
	if l.integratesAroundPeak(float64(width*float64(middle)) - l.offset) {
		middle = l.hillClimb(middle, width, l.logPeak)
		density = func(k int, _ float64) float64 {
			return elementary.Exp(l.logDensity(float64(width*float64(k))-l.offset) - l.top)
		}
	}
	sides, top, ok := l.sides(middle, stride, density)
	if !ok {
		return span{p: []float64{math.NaN()}}
	}
	down := sides[1]
	s := span{first: middle - len(down)*stride}
	s.p = make([]float64, (len(down)+len(sides[0])-1)*stride+1)
	for k, p := range down {
		s.p[(len(down)-1-k)*stride] = p
	}
	for k, p := range sides[0] {
		s.p[(len(down)+k)*stride] = p
	}
	s.refine(stride, l.negligible*top, func(k int) float64 { return density(s.first+k, top) })
	for ; s.p[0] < l.negligible*top; s.p = s.p[1:] {
		s.first++
	}
	for ; s.p[len(s.p)-1] < l.negligible*top; s.p = s.p[:len(s.p)-1] {
	}
	return s
}

// sides returns the non-negligible densities at points that are multiples of stride away from the point
// middle, upwards and downwards, and the greatest density. sides reports false if a density is NaN, or if the
// densities are so large that their sum might overflow.
func (l *layer) sides(
	middle, stride int, density func(k int, top float64) float64,
) (sides [2][]float64, top float64, ok bool) {
	const greatest = 1e290
	for side, sign := range []int{1, -1} {
		for k, last := side, 0.0; ; k++ {
			p := density(middle+sign*k*stride, top)
			if !(p <= greatest) {
				return sides, top, false
			}
			top = max(top, p)
			sides[side] = append(sides[side], p)
			if p <= last && p < l.negligible*top {
				break
			}
			last = p
		}
	}
	return sides, top, true
}

// coarsestSpacing is the greatest distance, in u, between the points at which stepLaw computes densities
// first.
const coarsestSpacing = 0.7

// midpointWeights holds the weights with which eight equidistant points interpolate a function at the middle
// of the inner two points.
var midpointWeights = [4]float64{1225.0 / 2048, -245.0 / 2048, 49.0 / 2048, -5.0 / 2048}

// refine fills in a row of densities, given every stride-th entry of the row. refine interpolates logarithms
// of densities where interpolation is accurate enough, and calls direct elsewhere. The accuracy of
// interpolation is judged by interpolation from points twice as far apart.
func (s span) refine(stride int, tolerance float64, direct func(k int) float64) {
	logarithms := make([]float64, len(s.p))
	for k := 0; k < len(s.p); k += stride {
		logarithms[k] = elementary.Log(s.p[k])
	}
	accepted := make([]bool, len(s.p))
	for ; stride > 1; stride /= 2 {
		half := stride / 2
		for k := half; k < len(s.p); k += stride {
			sum, known := 0.0, true
			for j, weight := range midpointWeights {
				low, high := k-(2*j+1)*half, k+(2*j+1)*half
				if low < 0 || high >= len(s.p) {
					known = false
					break
				}
				sum += float64(weight * (logarithms[low] + logarithms[high]))
			}
			known = known && math.Abs(sum) <= math.MaxFloat64 // sum is infinite if a density is 0
			if known && accepted[k-half] && accepted[k+half] {
				logarithms[k], s.p[k], accepted[k] = sum, elementary.Exp(sum), true
				continue
			}
			s.p[k] = direct(k)
			logarithms[k] = elementary.Log(s.p[k])
			const gain = 1.0 / 32 // points twice as close have 2^-8 of the error
			accepted[k] = known && math.Abs(elementary.Exp(sum)-s.p[k])*gain < tolerance
		}
		// Interpolation at a point is accepted if it is accepted at both neighbours of the point.
		for k := 0; k < len(s.p); k += stride {
			accepted[k] = (k < half || accepted[k-half]) && (k+half >= len(s.p) || accepted[k+half])
		}
	}
}

// mode returns the step on a lattice with approximately the greatest density, judged from the density of the
// shape at ξ = 0 alone, and sets l.top to the logarithm of this density.
func (l *layer) mode(width float64) int { return l.hillClimb(0, width, l.centralLogDensity) }

// hillClimb searches, from the step best, the step on a lattice at which the logarithm of the density is
// greater than at both neighbouring steps. hillClimb stores the greatest logarithm in l.top, which is
// subtracted from logarithms of densities, and returns the step.
func (l *layer) hillClimb(best int, width float64, logarithm func(delta float64) float64) int {
	l.top = logarithm(float64(width*float64(best)) - l.offset)
	for _, side := range []int{1, -1} {
		for {
			next := logarithm(float64(width*float64(best+side)) - l.offset)
			if !(next > l.top) {
				break
			}
			best, l.top = best+side, next
		}
	}
	return best
}

// centralLogDensity returns the logarithm of the density of the shape at ξ = 0 for the step delta = u'-u.
func (l *layer) centralLogDensity(delta float64) float64 {
	half := elementary.Exp(0.5 * delta)
	a, c := half*half, 1/(half*half)
	sinh := 0.5 * (half - 1/half)
	return l.logPrefactor(a, c, 0) - float64(2*l.quotient(a, c, 0)*sinh*sinh)
}
