package kernels

import (
	"math"

	"antipode/sphere/elementary"
)

// Chain is the overlap chain of two clusters, by NewChain of equal mass, under recursion (4) with
// Gaussian value matrices and B = I, in lanes: no step takes a difference of numbers that are
// nearly equal.
//
// A layer turns S into S' = |S|(ŝ + c₁g) and D into D' = |D|(d̂ + c₂h), g and h independent
// standard normal in R^d, c₁ = σL^{-1/2}(p+q), c₂ = σL^{-1/2}(p-q), p and q the weights of a
// token's own cluster and of the other one. With P = |S'|², Q = |D'|² and their Gram
// determinant Γ = PQ - <S',D'>² the new overlap is (P-Q)/√((P-Q)² + 4Γ). Of g only the parts
// along ŝ and d̂ and the length of the rest matter; h is taken along u, the direction of S',
// along what of d̂ is orthogonal to u, and the length of its rest. Γ is P times the square of
// the part of D' that is orthogonal to u, so that it is a sum of squares.
type Chain struct {
	Overlaps

	law        chainParameters
	freedom    int            // degrees of freedom of the χ² pair
	chiSquared *chiSquaredLaw // its law, if it is not summed
	draws      []Vector
}

// chainRows is the number of random numbers of a step: four normal ones, of the blocks 0 and 1,
// and from row firstSquare a χ² pair, of the blocks from chiSquaredBlock on.
const (
	chainRows       = 6
	firstSquare     = 4
	chiSquaredBlock = 2
)

// chainDraws makes the random numbers of a step, with one trial of the χ² pair. The numbers of a
// lane that is rejected are -1; if any was rejected in a Vector, one of its bytes in rejected is
// not 0.
type chainDraws = func(dst []Vector, rejected [][2]uint8, addresses []words, keys *keys, law *chiSquaredLaw)

// chainSums makes them where the χ² pair is a sum of squares, of at most mostSummed degrees of
// freedom.
type chainSums = func(dst []Vector, addresses []words, keys *keys, freedom int)

// chainParameters are, with copies for vector code: 1 and σL^{-1/2} (for unnormalised
// attention times e^β/2), both divided by the larger of them, -β/2, and whether the attention
// is softmax.
type chainParameters = [4][4]float64

// NewChain returns the chains of some Vectors of trajectories, for dimension dim ≥ 2, inverse
// temperature beta ≥ 0 and scale = σL^{-1/2}. The states are to be set by Start.
func NewChain(vectors, dim int, beta, scale float64, softmax bool) *Chain {
	c := &Chain{Overlaps: newOverlaps(vectors), freedom: dim - 2, draws: make([]Vector, chainRows*vectors)}
	if c.freedom > mostSummed {
		c.chiSquared = newChiSquaredLaw(c.freedom)
	}
	one, amplitude := 1., scale
	if !softmax { // e^β may be near overflow: the squares must not
		one, amplitude = elementary.Exp(-beta), float64(0.5*scale)
	}
	largest := max(one, amplitude)
	for k := range 4 {
		c.law[0][k], c.law[1][k], c.law[2][k], c.law[3][k] = one/largest, amplitude/largest, -0.5*beta,
			indicator(softmax)
	}
	return c
}

// Step takes every lane, or those of the first Vectors if lanes has fewer, one layer on,
// with the numbers at its address in lanes. The addresses stay.
func (c *Chain) Step(lanes *Lanes) {
	draws := c.draw(lanes)
	v := len(lanes.addresses)
	if c.difference != nil {
		active().massesStep(c.S[:v], c.D[:v], c.SExponent[:v], c.DExponent[:v], c.difference[:v], draws,
			&c.law)
		return
	}
	active().chainStep(c.S[:v], c.D[:v], c.SExponent[:v], c.DExponent[:v], draws, &c.law)
}

// draw returns the random numbers of a step.
func (c *Chain) draw(lanes *Lanes) []Vector {
	draws := c.draws[:chainRows*len(lanes.addresses)]
	if c.freedom <= mostSummed {
		active().chainSums(draws, lanes.addresses, &lanes.keys, c.freedom)
	} else {
		rejected := lanes.cleared()
		active().chainDraws(draws, rejected, lanes.addresses, &lanes.keys, c.chiSquared)
		lanes.retry(draws, rejected, c.chiSquared)
	}
	return draws
}

func chainDrawsGeneric(dst []Vector, rejected [][2]uint8, addresses []words, keys *keys, law *chiSquaredLaw) {
	chainNumbersGeneric(dst, addresses, keys, func(v int, a address) (first, second float64) {
		x, y := normalPair(a, chiSquaredBlock, 0, 1)
		low, high := a.block(chiSquaredBlock, 1)
		first, second = chiSquaredTrial(law, x, unit(low)), chiSquaredTrial(law, y, unit(high))
		if first < 0 || second < 0 {
			rejected[v][0] = 1
		}
		return first, second
	})
}

func chainSumsGeneric(dst []Vector, addresses []words, keys *keys, freedom int) {
	chainNumbersGeneric(dst, addresses, keys, func(_ int, a address) (first, second float64) {
		return summedSquares(a, freedom, chiSquaredBlock)
	})
}

// chainNumbersGeneric makes the normal numbers of a step, and the χ² pair of each lane, of which
// Vector and address are given, by another function.
func chainNumbersGeneric(dst []Vector, addresses []words, keys *keys,
	pair func(v int, a address) (first, second float64)) {
	l := lanesOf(addresses, keys)
	for v := range addresses {
		rows := dst[chainRows*v : chainRows*(v+1)]
		normalsGeneric(rows[:firstSquare], firstSquare, addresses[v:v+1], keys, 0, 1)
		for k := range 8 {
			rows[firstSquare][k], rows[firstSquare+1][k] = pair(v, l.at(8*v+k))
		}
	}
}

// chainNumbers are the random numbers of a layer of one lane.
type chainNumbers = [chainRows]float64

// numbersOf are those of lane k in the rows of a Vector.
func numbersOf(rows []Vector, k int) *chainNumbers {
	var numbers chainNumbers
	for row := range numbers {
		numbers[row] = rows[row][k]
	}
	return &numbers
}

func chainStepGeneric(s, d, sExponent, dExponent, draws []Vector, law *chainParameters) {
	for v := range s {
		for k := range 8 {
			s2, d2 := chainStep(s[v][k], d[v][k], numbersOf(draws[chainRows*v:], k), law)
			s[v][k], sExponent[v][k] = rescaled(s2, sExponent[v][k])
			d[v][k], dExponent[v][k] = rescaled(d2, dExponent[v][k])
		}
	}
}

// chainStep returns the squares after a layer. The numbers are g along ŝ and d̂, h along S'
// and along what of d̂ is orthogonal to S', and the squares of the rests of g and h.
func chainStep(s, d float64, numbers *chainNumbers, law *chainParameters) (float64, float64) {
	one, amplitude, decay, softmax := law[0][0], law[1][0], law[2][0], law[3][0]
	e := elementary.Expm1(float64(decay * d)) // q/p - 1
	w := e + 2
	c1, c2 := float64(amplitude*w), float64(-e*amplitude)
	if softmax > 0 {
		c1, c2 = amplitude, float64(-(e/w)*amplitude)
	}
	along, across := math.FMA(c1, numbers[0], one), float64(c1*numbers[1])
	apart := math.FMA(float64(c1*c1), numbers[4], float64(along*along)) // from d̂
	square := math.FMA(across, across, apart)
	return nextSquares(s, d, square, float64(one*across), float64(one*math.Sqrt(apart)), c2, numbers)
}

// nextSquares returns the squares after a layer, given |S'|²/s = square and the parts of
// D'/√d along S' and across it before scale·h, both times |S'|/√s.
func nextSquares(s, d, square, along, across, scale float64, numbers *chainNumbers) (float64, float64) {
	scale = float64(scale * math.Sqrt(square))
	along, across = math.FMA(scale, numbers[2], along), math.FMA(scale, numbers[3], across)
	orthogonal := math.FMA(float64(scale*scale), numbers[5], float64(across*across))
	fourth := float64(square * square)
	difference := float64(s*fourth) - float64(d*math.FMA(along, along, orthogonal))
	return newSquares(difference, float64(float64(float64(s*d)*fourth)*orthogonal))
}

// newSquares returns the squares after the normalisation of both tokens, given |S'|²-|D'|²
// and Γ, which may have factors t and t² in front.
func newSquares(difference, area float64) (s, d float64) {
	norm := math.Sqrt(math.FMA(area, 4, float64(difference*difference)))
	sum := norm + math.Abs(difference)
	scale := 1 / float64(norm*sum)
	small, large := float64(float64(8*area)*scale), float64(float64((sum+sum)*sum)*scale)
	if math.Signbit(difference) {
		return small, large
	}
	return large, small
}

// rescaled moves a square and its exponent by 256 if the square is too small, or not small
// any more.
func rescaled(square, exponent float64) (float64, float64) {
	switch {
	case 0 < square && square < 0x1p-400:
		return float64(square * 0x1p256), exponent - 256
	case square > 0x1p-130 && exponent < 0:
		return float64(square * 0x1p-256), exponent + 256
	}
	return square, exponent
}

func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
