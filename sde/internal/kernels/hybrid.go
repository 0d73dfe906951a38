package kernels

import (
	"math"

	"antipode/sphere/elementary"
)

// HybridChain advances, in lanes, the overlap of two tokens or clusters X₁ and X₂ under recursion (7), with
// the identity as interaction matrix. The overlap is stored by the squared lengths of S = X₁+X₂ and D =
// X₁-X₂. A layer adds f times the attention to the tokens, with f = 1/L + εvL^{-1/2} and one random number v.
// Let p and q be the attention weights of a token for its own cluster and for the other cluster. If the
// masses of the clusters are equal, the layer turns S into (1+f(p+q))S and D into (1+f(p-q))D. S and D stay
// orthogonal, so that both tokens have the same length. To normalise the tokens, |S|² and |D|² are multiplied
// by the factor that makes their sum 4.
//
// If the masses of the clusters differ, a layer turns S into S' = (1+fa)S + fbD and D into D' = fcS +
// (1+fe)D, where NewMassesChain defines a, b, c and e, with σL^{-1/2} = 1. The Gram determinant of S' and D'
// is |S|²|D|²((1+fa)(1+fe) - f²bc)².
type HybridChain struct {
	Overlaps

	law     hybridParameters
	draw    func(v []Vector, lanes *Lanes)
	numbers []Vector // random amplitudes v
	moves   [][2]uint8
}

// hybridParameters are the six parameters of a step of a HybridChain. The first parameter of a HybridChain is
// 1. The second is 0 for softmax and 1 for unnormalised attention. The third is -β/2. The fourth is 1 for
// softmax and 0 for unnormalised attention. The last two parameters give the factor f of attention: the fifth
// parameter is multiplied by the amplitude v, and the sixth is added. For unnormalised attention f includes a
// factor e^β/2. If the largest f is then above 1, the first two and the last two parameters are divided by
// the largest f, so that squares do not overflow. Each parameter is stored four times for vector
// instructions.
type hybridParameters = [6][4]float64

// hybridStep and hybridMassesStep are kernels that advance a HybridChain by one layer, given the amplitudes
// v. The kernels of a HybridChain do not change the exponents of |S|² and |D|². If a square of a Vector must
// be rescaled, at least one of the two bytes of this Vector in moves is not 0. A byte may also be different
// from 0 although no square must be rescaled.
type (
	hybridStep       = func(s, d, sExponent, dExponent, v []Vector, moves [][2]uint8, law *hybridParameters)
	hybridMassesStep = func(s, d, sExponent, dExponent, difference, v []Vector, moves [][2]uint8,
		law *hybridParameters)
)

// mostDeviations is an upper bound of |v| for every law of the amplitudes v of a HybridChain.
const mostDeviations = 9

// NewHybridChain returns the overlap chains of 8·vectors trajectories, with noise = εL^{-1/2} and drift =
// 1/L. The function draw writes the amplitudes v, of standard deviation 1 and |v| ≤ mostDeviations; draw is
// nil if there is no noise. The caller sets the initial overlaps by Start and, unless equalMasses is set, the
// masses of the clusters by Weigh.
func NewHybridChain(
	vectors int, beta, noise, drift float64, softmax, equalMasses bool, draw func(v []Vector, lanes *Lanes),
) *HybridChain {
	c := &HybridChain{Overlaps: newOverlaps(vectors), draw: draw, numbers: make([]Vector, vectors),
		moves: make([][2]uint8, vectors)}
	if !equalMasses {
		c.difference = make([]Vector, vectors)
	}
	one, rest := 1., 0.
	if !softmax {
		factor := float64(0.5 * elementary.Exp(beta))
		noise, drift = float64(factor*noise), float64(factor*drift)
		largest := max(1, math.FMA(mostDeviations, noise, drift))
		one, noise, drift = 1/largest, noise/largest, drift/largest
		rest = one
	}
	for row, x := range [...]float64{one, rest, -0.5 * beta, indicator(softmax), noise, drift} {
		for k := range c.law[row] {
			c.law[row][k] = x
		}
	}
	return c
}

// Step advances the overlap in every lane by one layer, as Chain.Step does.
func (c *HybridChain) Step(lanes *Lanes) {
	n := len(lanes.addresses)
	v := c.numbers[:n]
	if c.draw != nil {
		c.draw(v, lanes)
	}
	s, d, sExponent, dExponent, moves := c.S[:n], c.D[:n], c.SExponent[:n], c.DExponent[:n], c.moves[:n]
	if c.difference != nil {
		active().hybridMassesStep(s, d, sExponent, dExponent, c.difference[:n], v, moves, &c.law)
	} else {
		active().hybridStep(s, d, sExponent, dExponent, v, moves, &c.law)
	}
	for i, halves := range moves {
		if halves != [2]uint8{} {
			c.rescale(i)
		}
	}
}

// rescale rescales |S|² and |D|² in Vector i. In lanes with unequal masses |S|² is not rescaled, as a layer
// then does not just multiply S by a number.
func (c *HybridChain) rescale(i int) {
	for k := range 8 {
		if c.difference == nil || c.difference[i][k] == 0 {
			c.S[i][k], c.SExponent[i][k] = rescaledHybrid(c.S[i][k], c.SExponent[i][k])
		}
		c.D[i][k], c.DExponent[i][k] = rescaledHybrid(c.D[i][k], c.DExponent[i][k])
	}
}

// rescaledHybrid multiplies |S|² or |D|², here called a square, by 2^64 until the square is not too small. A
// square that has become large enough, and whose exponent is not 0, is multiplied by 2^-64. The exponent
// changes such that square·2^exponent stays the same. Values of a square well below 2^-256 would make the
// fourth powers in an exponential subnormal, and operations on subnormal numbers take processors a hundred
// times as long.
func rescaledHybrid(square, exponent float64) (float64, float64) {
	for 0 < square && square < 0x1p-240 {
		square, exponent = float64(square*0x1p64), exponent-64
	}
	for square > 0x1p-130 && exponent < 0 {
		square, exponent = float64(square*0x1p-64), exponent+64
	}
	return square, exponent
}

func hybridStepGeneric(s, d, _, _, v []Vector, moves [][2]uint8, law *hybridParameters) {
	for i := range s {
		for k := range 8 {
			s[i][k], d[i][k] = hybridSquares(s[i][k], d[i][k], v[i][k], law)
		}
		moves[i] = [2]uint8{1, 1}
	}
}

// hybridSquares returns |S|² and |D|² after a layer of a HybridChain with amplitude v, given s = |S|² and d =
// |D|² before the layer. For softmax S' and D' are multiplied by r+1, where r is the ratio of e^{βZ} to e^β.
func hybridSquares(s, d, v float64, law *hybridParameters) (float64, float64) {
	rest, decay, softmax, noise, drift := law[1][0], law[2][0], law[3][0], law[4][0], law[5][0]
	f := math.FMA(noise, v, drift)
	lost := elementary.Expm1(float64(decay * d)) // the number r-1
	w := lost + 2
	one := math.FMA(softmax, w, rest)
	x, y := math.FMA(f, w, one), math.FMA(-f, lost, one)
	p, q := float64(s*float64(x*x)), float64(d*float64(y*y))
	scale := 4 / (p + q)
	return float64(p * scale), float64(q * scale)
}

func hybridMassesStepGeneric(s, d, _, _, difference, v []Vector, moves [][2]uint8, law *hybridParameters) {
	for i := range s {
		for k := range 8 {
			s[i][k], d[i][k] = hybridMassesSquares(s[i][k], d[i][k], difference[i][k], v[i][k], law)
		}
		moves[i] = [2]uint8{1, 1}
	}
}

// hybridMassesSquares returns |S|² and |D|² after a layer of a HybridChain of clusters of any masses.
func hybridMassesSquares(s, d, difference, v float64, law *hybridParameters) (float64, float64) {
	one := law[0][0]
	f := math.FMA(law[4][0], v, law[5][0])
	a, b, c, e, _ := massesWeights(d, difference, 1, law[2][0], law[3][0])
	x, y := math.FMA(f, a, one), math.FMA(f, e, one)
	b, c = float64(f*b), float64(f*c)
	p := math.FMA(float64(b*b), d, float64(s*float64(x*x)))
	q := math.FMA(float64(c*c), s, float64(d*float64(y*y)))
	determinant := math.FMA(-b, c, float64(x*y))
	return newSquares(p-q, float64(float64(s*d)*float64(determinant*determinant)))
}
