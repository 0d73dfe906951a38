package kernels

import (
	"math"

	"antipode/sphere/elementary"
)

// Chain advances, in lanes, the overlap Z of two tokens or clusters X₁ and X₂ under recursion (4), with
// Gaussian value matrices and the identity as interaction matrix. The overlap is a Markov chain, stored by
// the squared lengths of S = X₁+X₂ and D = X₁-X₂. The clusters of NewChain have equal masses. No step of the
// chain subtracts nearly equal numbers.
//
// Let p be the attention weight of a token for its own cluster, q that for the other cluster, and ŝ and d̂
// the directions of S and D. A layer turns S into S' = |S|(ŝ + c₁g) and D into D' = |D|(d̂ + c₂h), where g
// and h are independent standard normal vectors in R^d, c₁ = σL^{-1/2}(p+q) and c₂ = σL^{-1/2}(p-q). With P =
// |S'|², Q = |D'|² and the Gram determinant Γ = PQ - <S',D'>² the new overlap is (P-Q)/√((P-Q)² + 4Γ). Of g
// only the components along ŝ and d̂, and the length of the orthogonal rest of g, affect the overlap. Of h
// only the components along the direction u of S' and along the part of d̂ orthogonal to u, and the length of
// the orthogonal rest of h, affect the overlap. The determinant Γ is P times the squared length of the part
// of D' orthogonal to u, which is a sum of squares.
type Chain struct {
	Overlaps

	law        chainParameters
	freedom    int            // degrees of freedom of the pair of χ² numbers
	chiSquared *chiSquaredLaw // law of the pair of χ² numbers; nil if freedom ≤ mostSummed
	draws      []Vector
}

// chainRows is the number of random numbers of a step of a Chain: four normal numbers from the random blocks
// 0 and 1 and, from row firstSquare on, a pair of χ² numbers from the blocks from chiSquaredBlock on.
const (
	chainRows       = 6
	firstSquare     = 4
	chiSquaredBlock = 2
)

// chainDraws samples the random numbers of a step of a Chain, with one trial of the pair of χ² numbers by the
// rejection method. A χ² number that is rejected in the trial is set to -1. If a number of a Vector is
// rejected, at least one of the two bytes of this Vector in rejected is not 0.
type chainDraws = func(dst []Vector, rejected [][2]uint8, addresses []words, keys *keys, law *chiSquaredLaw)

// chainSums samples the random numbers of a step of a Chain whose χ² numbers have at most mostSummed degrees
// of freedom, and are therefore sampled as sums of squares.
type chainSums = func(dst []Vector, addresses []words, keys *keys, freedom int)

// chainParameters are the four parameters of a step of a Chain. Let x be σL^{-1/2} for softmax, and σL^{-1/2}
// e^β/2 for unnormalised attention. The first two parameters are 1 and x, both divided by the larger of the
// two. The third parameter is -β/2. The fourth parameter is 1 for softmax and 0 for unnormalised attention.
// Each parameter is stored four times for vector instructions.
type chainParameters = [4][4]float64

// NewChain returns the overlap chains of 8·vectors trajectories for tokens of dimension dim ≥ 2, inverse
// temperature beta ≥ 0 and scale = σL^{-1/2}. The caller sets the initial overlaps by Start.
func NewChain(vectors, dim int, beta, scale float64, softmax bool) *Chain {
	c := &Chain{Overlaps: newOverlaps(vectors), freedom: dim - 2, draws: make([]Vector, chainRows*vectors)}
	if c.freedom > mostSummed {
		c.chiSquared = newChiSquaredLaw(c.freedom)
	}
	one, amplitude := 1., scale
	if !softmax { // e^β may be near overflow, but its squares must not overflow
		one, amplitude = elementary.Exp(-beta), float64(0.5*scale)
	}
	largest := max(one, amplitude)
	for k := range 4 {
		c.law[0][k], c.law[1][k], c.law[2][k], c.law[3][k] = one/largest, amplitude/largest, -0.5*beta,
			indicator(softmax)
	}
	return c
}

// Step advances the overlap in every lane by one layer, with the random numbers at the address that the
// argument lanes holds for this lane. If the argument lanes has fewer Vectors than the chain, only the first
// Vectors of the chain are advanced. Step does not change the addresses of random numbers.
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

// draw returns the random numbers of a step of the chain, chainRows rows for each Vector.
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

// chainNumbersGeneric samples the normal numbers of a step of a Chain. The function pair samples the pair of
// χ² numbers of each lane, given the Vector and the address of the lane.
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

// chainNumbers are the random numbers of one lane of a Chain in a layer.
type chainNumbers = [chainRows]float64

// numbersOf returns the random numbers of lane k of a Vector, given the rows of random numbers of this
// Vector.
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

// chainStep returns |S|² and |D|² after a layer, given s = |S|² and d = |D|² before the layer; see Chain. The
// random numbers are the components of g along ŝ and d̂, the components of h along S' and along the part of
// d̂ orthogonal to S', and the squared lengths of the orthogonal rests of g and of h.
func chainStep(s, d float64, numbers *chainNumbers, law *chainParameters) (float64, float64) {
	one, amplitude, decay, softmax := law[0][0], law[1][0], law[2][0], law[3][0]
	e := elementary.Expm1(float64(decay * d)) // ratio q/p of the weights, minus 1
	w := e + 2
	c1, c2 := float64(amplitude*w), float64(-e*amplitude)
	if softmax > 0 {
		c1, c2 = amplitude, float64(-(e/w)*amplitude)
	}
	along, across := math.FMA(c1, numbers[0], one), float64(c1*numbers[1])
	apart := math.FMA(float64(c1*c1), numbers[4], float64(along*along)) // squared length orthogonal to d̂
	square := math.FMA(across, across, apart)
	return nextSquares(s, d, square, float64(one*across), float64(one*math.Sqrt(apart)), c2, numbers)
}

// nextSquares returns |S|² and |D|² after a layer, given s = |S|² and d = |D|² before the layer and square =
// |S'|²/s; see Chain. The arguments along and across are |S'|/√s times the components of D'/√d along S' and
// orthogonal to S', without the noise scale·h.
func nextSquares(s, d, square, along, across, scale float64, numbers *chainNumbers) (float64, float64) {
	scale = float64(scale * math.Sqrt(square))
	along, across = math.FMA(scale, numbers[2], along), math.FMA(scale, numbers[3], across)
	orthogonal := math.FMA(float64(scale*scale), numbers[5], float64(across*across))
	fourth := float64(square * square)
	difference := float64(s*fourth) - float64(d*math.FMA(along, along, orthogonal))
	return newSquares(difference, float64(float64(float64(s*d)*fourth)*orthogonal))
}

// newSquares returns |S|² and |D|² after the normalisation of both tokens, given difference = t(|S'|²-|D'|²)
// and area = t²Γ for any t > 0; see Chain.
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

// rescaled returns |S|² or |D|², here called a square, and its exponent after rescaling. A square that is too
// small is multiplied by 2^256. A square with a negative exponent that has become large enough is multiplied
// by 2^-256. The exponent changes such that square·2^exponent stays the same.
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
