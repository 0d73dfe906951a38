package kernels

import (
	"math"

	"antipode/sphere/elementary"
)

// ChiSquaredPair returns two independent χ² numbers with the given degrees of
// freedom, from the blocks numbered block of (purpose, trajectory, step): 0 for no
// degrees of freedom, the square of a normal number for one, an exponential number
// for two, and beyond that twice a gamma number by the rejection of Marsaglia and
// Tsang, A Simple Method for Generating Gamma Variables (ACM TOMS 26, 2000), each
// taking the first attempt that is accepted. A trial takes two attempts of the
// address: two normal numbers, then two uniform ones. It is rejected with
// probability below 0.03, so that 128 trials fail with probability below 10^-190.
func (s Stream) ChiSquaredPair(freedom1, freedom2 int, block uint32, purpose Purpose, trajectory, step int64) (float64, float64) {
	return chiSquaredPair(s.at(purpose, trajectory, step), newChiSquared(freedom1), newChiSquared(freedom2), block)
}

// chiSquared is the law χ² with its degrees of freedom and what the rejection needs:
// shape = freedom/2 - 1/3 and spread = 1/√(9·shape).
type chiSquared struct {
	freedom       int
	shape, spread float64
}

func newChiSquared(freedom int) chiSquared {
	shape := float64(max(freedom, 1))/2 - 1./3
	return chiSquared{freedom, shape, 1 / math.Sqrt(float64(9*shape))}
}

func chiSquaredPair(a address, law1, law2 chiSquared, block uint32) (first, second float64) {
	first, second = -1, -1
	for attempt := uint32(0); first < 0 || second < 0; attempt += 2 {
		if attempt == attempts {
			panic("kernels: χ² rejected 128 trials")
		}
		x, y := normalPair(a, block, attempt, 1)
		u, v := a.block(block, attempt+1)
		if first < 0 {
			first = law1.trial(x, unit(u))
		}
		if second < 0 {
			second = law2.trial(y, unit(v))
		}
	}
	return first, second
}

// trial returns a χ² number from a normal and a uniform one, or -1 if they are
// rejected.
func (c chiSquared) trial(normal, uniform float64) float64 {
	switch {
	case c.freedom <= 0:
		return 0
	case c.freedom == 1:
		return float64(normal * normal)
	case c.freedom == 2:
		return float64(-2 * elementary.Log(uniform))
	}
	root := math.FMA(c.spread, normal, 1)
	if !(root > 0) {
		return -1
	}
	cube := float64(float64(root*root) * root)
	// Accept if log u < x²/2 + shape·(1 - cube + log cube).
	bound := math.FMA(3, elementary.Log(root), 1-cube)
	if elementary.Log(uniform) < math.FMA(c.shape, bound, float64(float64(0.5*normal)*normal)) {
		return float64(float64(2*c.shape) * cube)
	}
	return -1
}
