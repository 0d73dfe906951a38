package exactlaw

import (
	"math"

	"antipode/overlap/finitedepth"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// stairs is what a lattice that is too coarse for them does not see of the stairs of F at u, about. Far out a
// scalar of two values moves u by two lengths, whatever u is, so that after many layers the law has steps as
// far apart as these differ. Two lattices that do not resolve them agree.
func (h *hybrid) stairs(f *distribution, u float64, layers int) float64 {
	const caution, negligible = 20, 1e-10
	if h.law != finitedepth.Rademacher {
		return 0
	}
	gap := h.gap(math.Copysign(max(8, math.Abs(u)), u))
	if float64(float64(layers)*gap) < 0.5 { // too few to go through the middle in such steps
		return 0
	}
	density := math.Abs(f.below(u+f.width)-f.below(u-f.width)) / (2 * f.width)
	unseen := min(1, float64(layers)*damping(2*math.Pi*f.width/gap))
	size := float64(density*unseen) * gap / (2 * math.Pi)
	if size < negligible {
		return size
	}
	waves := h.rightWaves
	if u < 0 {
		waves = h.leftWaves
	}
	return size * min(1, caution*waves())
}

// gap is the distance between the points to which the two scalars take the overlap.
func (h *hybrid) gap(u float64) float64 {
	low, _ := h.step(u, h.drift-h.noise)
	high, _ := h.step(u, h.drift+h.noise)
	return math.Abs(high - low)
}

// waves is how high the first wave of the stairs at an end is, in parts of the density: that in the start's
// density, cosh^(1-d), along the coordinate x in which the two points to which a layer leads are 1 apart
// everywhere. It is as if layers were small; of layers that fold the line nothing is known, and it is 1. What
// starts at the right end, where they are further apart, and gets to the left one has lost its waves in the
// middle, as there the order of the layers matters.
func (h *hybrid) waves(end float64) float64 {
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
	least := 0.3 / root // of a gap: the density has no shorter waves
	gap := h.gap
	if end < 0 {
		most := max(least, 2*gap(0))
		gap = func(u float64) float64 {
			gap := h.gap(u)
			return gap / math.Sqrt(1+float64(gap/most*gap/most))
		}
	}
	var x, real, imaginary, total float64
	for u := -far; u < far; {
		// A part of a wave, and of the width of the density.
		each := 1 / (6/max(least/6, gap(u)) + float64(5*root))
		middle := u + float64(0.5*each)
		part := each / max(0.01*least, gap(middle))
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

// damping is how much interpolation makes a wave lower, at most, whose phase changes by so much from one
// point of a lattice to the next.
func damping(phase float64) float64 {
	const half = interpolated / 2
	product := 1.0
	for k := range half {
		at := (float64(k) + 0.5) * phase
		product *= at * at / float64((2*k+1)*(2*k+2))
	}
	return min(1, product)
}
