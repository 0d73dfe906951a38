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
	shape := float64(0.5*float64(max(freedom, 1))) - 1./3
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

// ChiSquaredPairs fills dst with the pairs of Stream.ChiSquaredPair, the first number of
// the lanes of Vector v in dst[2v] and the second in dst[2v+1].
func (l *Lanes) ChiSquaredPairs(dst []Vector, laws *ChiSquaredLaws, block uint32) {
	if len(dst) != 2*len(l.addresses) {
		panic("kernels: not two rows for every Vector of lanes")
	}
	rejected := l.cleared()
	active.chiSquared(dst, rejected, l.addresses, &l.keys, block, &laws.parameters)
	l.retry(dst, 2, rejected, laws, block)
}

// cleared is the memory for which Vectors have rejected trials.
func (l *Lanes) cleared() [][2]uint8 {
	if len(l.rejected) != len(l.addresses) {
		l.rejected = make([][2]uint8, len(l.addresses))
	}
	clear(l.rejected)
	return l.rejected
}

// retry goes on with the lanes of which a number was rejected, eight of them at a time. The
// pairs are the first two of so many rows for each Vector.
func (l *Lanes) retry(dst []Vector, rows int, rejected [][2]uint8, laws *ChiSquaredLaws, block uint32) {
	var waiting [8]int // lanes
	count := 0
	for v, halves := range rejected {
		if halves == [2]uint8{} {
			continue
		}
		for k := range 8 {
			if dst[rows*v][k] < 0 || dst[rows*v+1][k] < 0 {
				waiting[count] = 8*v + k
				if count++; count == len(waiting) {
					l.try(dst, rows, waiting[:], laws, block)
					count = 0
				}
			}
		}
	}
	if count > 0 {
		l.try(dst, rows, waiting[:count], laws, block)
	}
}

// try makes further trials for up to eight lanes until all have their numbers.
func (l *Lanes) try(dst []Vector, rows int, waiting []int, laws *ChiSquaredLaws, block uint32) {
	for attempt := uint32(2); len(waiting) > 0; attempt += 2 {
		if attempt == attempts {
			panic("kernels: χ² rejected 128 trials")
		}
		a := &l.trial.addresses[0]
		for k, lane := range waiting {
			w := &l.addresses[lane/8]
			a[0][k], a[1][k], a[2][k] = w[0][lane%8], w[1][lane%8], w[2][lane%8]|attempt<<20
		}
		active.chiSquared(l.trial.numbers[:], l.trial.rejected[:], l.trial.addresses[:], &l.keys, block, &laws.parameters)
		left := waiting[:0]
		for k, lane := range waiting {
			done := true
			for i := range 2 {
				number := &dst[rows*(lane/8)+i][lane%8]
				if *number < 0 {
					*number = l.trial.numbers[i][k]
				}
				done = done && *number >= 0
			}
			if !done {
				left = append(left, lane)
			}
		}
		waiting = left
	}
}

// trial is the memory for trials of single lanes.
type trial struct {
	numbers   [2]Vector
	rejected  [1][2]uint8
	addresses [1]words
}

// ChiSquaredLaws are the laws of a pair of χ² numbers.
type ChiSquaredLaws struct{ parameters chiSquaredParameters }

// NewChiSquaredLaws returns the laws with the given degrees of freedom.
func NewChiSquaredLaws(freedom1, freedom2 int) *ChiSquaredLaws {
	var laws ChiSquaredLaws
	for i, freedom := range []int{freedom1, freedom2} {
		law := newChiSquared(freedom)
		allowance := 0.
		if freedom <= 2 { // never rejected
			law.spread, allowance = 0, math.Inf(1)
		}
		for k := range 4 {
			p := &laws.parameters[i]
			p[0][k], p[1][k], p[2][k] = law.shape, law.spread, allowance
			p[3][k], p[4][k], p[5][k] = maskIf(freedom == 1), maskIf(freedom == 2), maskIf(freedom > 2)
		}
	}
	return &laws
}

// maskIf is a number of all bits or none.
func maskIf(is bool) float64 {
	if is {
		return math.Float64frombits(1<<64 - 1)
	}
	return 0
}

// chiSquaredParameters has for each number of a pair, with copies for vector code, the
// shape, the spread, what is added to the bound of acceptance, and masks that say whether
// the degrees of freedom are 1, 2 or more.
type chiSquaredParameters = [2][6][4]float64

// trials makes one trial of each pair. The numbers of a lane that is rejected are -1; and
// unless nothing was rejected in a Vector one of its bytes is not 0.
type trials = func(dst []Vector, rejected [][2]uint8, addresses []words, keys *keys, block uint32, laws *chiSquaredParameters)

func chiSquaredGeneric(dst []Vector, rejected [][2]uint8, addresses []words, keys *keys, block uint32, laws *chiSquaredParameters) {
	l := lanesOf(addresses, keys)
	var law [2]chiSquared
	for i, p := range laws {
		law[i] = chiSquared{0, p[0][0], p[1][0]}
		for k, mask := range p[3:] {
			if math.Float64bits(mask[0]) != 0 {
				law[i].freedom = k + 1
			}
		}
	}
	for lane := range 8 * len(addresses) {
		a := l.at(lane)
		x, y := normalPair(a, block, 0, 1)
		u, v := a.block(block, 1)
		first, second := law[0].trial(x, unit(u)), law[1].trial(y, unit(v))
		dst[2*(lane/8)][lane%8], dst[2*(lane/8)+1][lane%8] = first, second
		if first < 0 || second < 0 {
			rejected[lane/8][0] = 1
		}
	}
}
