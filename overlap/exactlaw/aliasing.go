package exactlaw

import (
	"math"

	"antipode/overlap/finitedepth"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// aliasingError estimates the error of the distribution function F(u), u = atanh Z, due to steps of F that
// the lattice is too coarse to resolve. For large |u|, a scalar of two values moves u by one of two lengths,
// independently of u. So after many layers F has steps, whose distance is the difference of the two lengths.
// A comparison of two lattices that do not resolve the steps of F does not reveal the steps. The height of
// the steps is estimated by the first harmonic of their Fourier series.
func (h *hybrid) aliasingError(f *distribution, u float64, layers int) float64 {
	const caution, negligible = 20, 1e-10
	if h.law != finitedepth.Rademacher {
		return 0
	}
	distance := h.imageDistance(math.Copysign(max(8, math.Abs(u)), u))
	if float64(float64(layers)*distance) < 0.5 { // too few layers to cross the middle in such steps
		return 0
	}
	density := math.Abs(f.below(u+f.width)-f.below(u-f.width)) / (2 * f.width)
	unresolved := min(1, float64(layers)*interpolationError(2*math.Pi*f.width/distance))
	size := float64(density*unresolved) * distance / (2 * math.Pi)
	if size < negligible {
		return size
	}
	harmonic := h.rightHarmonic
	if u < 0 {
		harmonic = h.leftHarmonic
	}
	return size * min(1, caution*harmonic())
}

// imageDistance returns the distance between the points to which the two values of the scalar of recursion
// (7) take u.
func (h *hybrid) imageDistance(u float64) float64 {
	low, _ := h.step(u, h.drift-h.noise)
	high, _ := h.step(u, h.drift+h.noise)
	return math.Abs(high - low)
}

// firstHarmonic returns the relative height of the first harmonic of the steps of the distribution function
// at an end, -1 or 1. The height is the Fourier coefficient of the density of the start, cosh^(1-d) u, in a
// coordinate x in which the two points to which a layer may lead have distance 1 everywhere. This estimate
// treats the effect of a layer as small. If the new u is not an increasing function of the old u,
// firstHarmonic returns 1, as nothing is known. At the right end the two points are further apart.
// Probability mass that moves from the right end to the left end has lost the harmonic in the middle, where
// the order of the layers matters.
func (h *hybrid) firstHarmonic(end float64) float64 {
	const negligible = 1e-10
	if h.folds {
		return 1
	}
	density := line.Uniform(h.dim).Density
	far := 1.0
	for density(line.Of(far)) > negligible {
		far++
	}
	root := math.Sqrt(float64(h.dim))
	least := 0.3 / root // least distance: the density has no shorter waves
	distance := h.imageDistance
	if end < 0 {
		most := max(least, 2*distance(0))
		distance = func(u float64) float64 {
			whole := h.imageDistance(u)
			return whole / math.Sqrt(1+float64(whole/most*whole/most))
		}
	}
	var x, real, imaginary, total float64
	for u := -far; u < far; {
		// The interval each is a fraction of the wavelength and of the width of the density.
		each := 1 / (6/max(least/6, distance(u)) + float64(5*root))
		middle := u + float64(0.5*each)
		part := each / max(0.01*least, distance(middle))
		sin, cos := elementary.SinCos(float64(2 * math.Pi * (x + float64(0.5*part))))
		mass := float64(each * density(line.Of(middle)))
		total += mass
		finest := least * part / each
		mass *= elementary.Exp(-float64(finest * finest))
		real += float64(mass * cos)
		imaginary += float64(mass * sin)
		x, u = x+part, u+each
	}
	return math.Sqrt(float64(real*real)+float64(imaginary*imaginary)) / total
}

// interpolationError bounds the error of Lagrange interpolation of a sinusoid of amplitude 1 whose phase
// changes by the given amount between neighbouring points of a lattice. The bound is that of the remainder
// half-way between two points, but at most 1.
func interpolationError(phase float64) float64 {
	const half = stencilSize / 2
	product := 1.0
	for k := range half {
		at := (float64(k) + 0.5) * phase
		product *= at * at / float64((2*k+1)*(2*k+2))
	}
	return min(1, product)
}
