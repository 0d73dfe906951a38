package kernels

import (
	"math"

	"antipode/sphere/elementary"
)

// mostSummed is the largest number of degrees of freedom for which a χ² number is sampled as a sum of
// squares; for more degrees of freedom, rejection is faster.
const mostSummed = 8

// summedSquares returns two independent χ² numbers with the given degrees of freedom, at most mostSummed.
// Every two degrees of freedom contribute -2 log u with a uniform number u; a single logarithm is taken of
// the product of all u. The uniform numbers come from the random blocks block, block+1 … If the number of
// degrees of freedom is odd, the square of a normal number from the next block is added.
func summedSquares(a address, freedom int, block uint32) (first, second float64) {
	if exponentials := uint32(freedom / 2); exponentials > 0 {
		u, v := 1., 1.
		for range exponentials {
			low, high := a.block(block, 0)
			u, v = float64(u*unit(low)), float64(v*unit(high))
			block++
		}
		first, second = float64(-2*elementary.Log(u)), float64(-2*elementary.Log(v))
	}
	if freedom%2 == 1 {
		x, y := normalPair(a, block, 0, 1)
		first, second = math.FMA(x, x, first), math.FMA(y, y, second)
	}
	return first, second
}

// chiSquaredLaw is the χ² law with more than mostSummed degrees of freedom. A χ² number is twice a gamma
// number, which is sampled by the rejection method of Marsaglia and Tsang, A Simple Method for Generating
// Gamma Variables (ACM TOMS 26, 2000). A trial of a pair of χ² numbers takes two attempts at an address: the
// first attempt gives two normal numbers, and the second attempt gives two uniform numbers. A χ² number is
// rejected with probability below 0.01, so that 128 trials all fail with probability below 10^-250.
//
// The parameters are shape = freedom/2 - 1/3 and spread = 1/√(9·shape). Each parameter is stored four times
// for vector instructions.
type chiSquaredLaw = [2][4]float64

func newChiSquaredLaw(freedom int) *chiSquaredLaw {
	shape := float64(0.5*float64(freedom)) - 1./3
	var law chiSquaredLaw
	for k := range 4 {
		law[0][k], law[1][k] = shape, 1/math.Sqrt(float64(9*shape))
	}
	return &law
}

// chiSquaredTrial returns the χ² number made from a normal and a uniform number, or -1 if the normal and the
// uniform number are rejected.
func chiSquaredTrial(law *chiSquaredLaw, normal, uniform float64) float64 {
	shape, spread := law[0][0], law[1][0]
	root := math.FMA(spread, normal, 1)
	if !(root > 0) {
		return -1
	}
	cube := float64(float64(root*root) * root)
	// The χ² number is accepted if log u < x²/2 + shape·(1 - cube + log cube).
	bound := math.FMA(3, elementary.Log(root), 1-cube)
	if elementary.Log(uniform) < math.FMA(shape, bound, float64(float64(0.5*normal)*normal)) {
		return float64(float64(2*shape) * cube)
	}
	return -1
}

// cleared sets the field rejected to zeros, one entry for each Vector, and returns this field.
func (l *Lanes) cleared() [][2]uint8 {
	if len(l.rejected) != len(l.addresses) {
		l.rejected = make([][2]uint8, len(l.addresses))
	}
	clear(l.rejected)
	return l.rejected
}

// retry repeats the trial in the lanes in which a χ² number was rejected, for eight lanes at a time. The
// argument draws holds the random numbers of a step of a Chain.
func (l *Lanes) retry(draws []Vector, rejected [][2]uint8, law *chiSquaredLaw) {
	var waiting [8]int // lanes with a rejected χ² number
	count := 0
	for v, halves := range rejected {
		if halves == [2]uint8{} {
			continue
		}
		for k := range 8 {
			if draws[chainRows*v+firstSquare][k] < 0 || draws[chainRows*v+firstSquare+1][k] < 0 {
				waiting[count] = 8*v + k
				if count++; count == len(waiting) {
					l.try(draws, waiting[:], law)
					count = 0
				}
			}
		}
	}
	if count > 0 {
		l.try(draws, waiting[:count], law)
	}
}

// try repeats the trial of χ² numbers for up to eight lanes until no number is rejected. The four normal
// numbers that are sampled with each trial are not used.
func (l *Lanes) try(draws []Vector, waiting []int, law *chiSquaredLaw) {
	for attempt := uint32(2); len(waiting) > 0; attempt += 2 {
		if attempt == attempts {
			panic("kernels: χ² rejected 128 trials")
		}
		a := &l.trial.addresses[0]
		for k, lane := range waiting {
			w := &l.addresses[lane/8]
			a[0][k], a[1][k], a[2][k] = w[0][lane%8], w[1][lane%8], w[2][lane%8]|attempt<<20
		}
		active().chainDraws(l.trial.draws[:], l.trial.rejected[:], l.trial.addresses[:], &l.keys, law)
		left := waiting[:0]
		for k, lane := range waiting {
			done := true
			for i := range 2 {
				number := &draws[chainRows*(lane/8)+firstSquare+i][lane%8]
				if *number < 0 {
					*number = l.trial.draws[firstSquare+i][k]
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

// trial is the working memory of Lanes.try.
type trial struct {
	draws     [chainRows]Vector
	rejected  [1][2]uint8
	addresses [1]words
}
