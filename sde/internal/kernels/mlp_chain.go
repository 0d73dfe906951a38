package kernels

import (
	"math"

	"antipode/sphere/activation"
	"antipode/sphere/elementary"
)

// MLPChain advances, in lanes, the overlap Z of two tokens as a Chain does, with an MLP of infinite width and
// a drift μ in addition to attention. Given the overlap, the MLP adds independent normal vectors to S and D,
// of variances (c/L)|S|²(1+φ̂)/(1+Z) and (c/L)|D|²(1-φ̂)/(1-Z) in each coordinate, where φ̂ is the
// correlation of the outputs of the MLP at overlap Z. So a layer of an MLPChain is that of a Chain with
//
//	c₁² = (σ²/L)(p+q)² + (c/L)(1+φ̂)/(1+Z), c₂² = (σ²/L)(p-q)² + (c/L)(1-φ̂)/(1-Z)
//
// and with 1 + μ(p±q)/L in place of 1 as the factors of S and D.
type MLPChain struct {
	*Chain

	law         mlpParameters
	alone       bool // whether there is an MLP without attention
	shares      *activation.Table
	plus, minus []Vector // (1+φ̂)/(1+Z) and (1-φ̂)/(1-Z)
}

// sharesFunc writes (1+φ̂)/(1+Z) to plus and (1-φ̂)/(1-Z) to minus, given |S|² = 2(1+Z) and |D|² = 2(1-Z), by
// a table of the correlation φ̂. A square below 2^-130 may stand for any smaller square.
type sharesFunc = func(plus, minus, s, d []Vector, t *activation.Table)

func sharesGeneric(plus, minus, s, d []Vector, t *activation.Table) { t.Shares(plus, minus, s, d) }

// mlpParameters are the six parameters of a step of an MLPChain: the four numbers of chainParameters, then
// c/L and μ/L. For unnormalised attention the last two parameters are e^-2β c/L and μ/2L. The first two
// parameters, √(c/L) and μ/L are divided by the largest of these four numbers. Each parameter is stored four
// times for vector instructions.
type mlpParameters = [6][4]float64

// NewMLPChain returns the overlap chains of NewChain with an MLP of strength c/L and a drift μ/L in addition.
// With softmax, scale = 0 and drift = 0, a layer consists of the MLP alone, without attention.
func NewMLPChain(
	vectors, dim int, beta, scale, strength, drift float64, softmax bool,
	shares *activation.Table,
) *MLPChain {
	c := &MLPChain{
		Chain: NewChain(vectors, dim, beta, scale, softmax), shares: shares,
		plus: make([]Vector, vectors), minus: make([]Vector, vectors),
	}
	c.alone = scale == 0 && drift == 0
	one := 1.
	if !softmax { // e^β is taken out as in NewChain
		one, scale, drift = elementary.Exp(-beta), float64(0.5*scale), float64(0.5*drift)
	}
	root := float64(one * math.Sqrt(strength))
	largest := max(one, scale, root, drift)
	root /= largest
	for k := range 4 {
		c.law[0][k], c.law[1][k], c.law[2][k], c.law[3][k] = one/largest, scale/largest, -0.5*beta,
			indicator(softmax)
		c.law[4][k], c.law[5][k] = float64(root*root), drift/largest
	}
	return c
}

// Step advances the overlap in every lane by one layer, as Chain.Step does.
func (c *MLPChain) Step(lanes *Lanes) {
	draws := c.draw(lanes)
	v := len(lanes.addresses)
	s, d, plus, minus := c.S[:v], c.D[:v], c.plus[:v], c.minus[:v]
	if c.law[4][0] > 0 {
		active().shares(plus, minus, s, d, c.shares)
	}
	step := active().mlpStep
	if c.alone {
		step = active().mlpAloneStep
	}
	step(s, d, c.SExponent[:v], c.DExponent[:v], plus, minus, draws, &c.law)
}

func mlpAloneStepGeneric(s, d, sExponent, dExponent, plus, minus, draws []Vector, law *mlpParameters) {
	for v := range s {
		for k := range 8 {
			numbers := numbersOf(draws[chainRows*v:], k)
			square1, square2 := float64(law[4][0]*plus[v][k]), float64(law[4][0]*minus[v][k])
			s2, d2 := gaussianStep(s[v][k], d[v][k], square1, square2, law[0][0], law[0][0], numbers)
			s[v][k], sExponent[v][k] = rescaled(s2, sExponent[v][k])
			d[v][k], dExponent[v][k] = rescaled(d2, dExponent[v][k])
		}
	}
}

func mlpStepGeneric(s, d, sExponent, dExponent, plus, minus, draws []Vector, law *mlpParameters) {
	for v := range s {
		for k := range 8 {
			numbers := numbersOf(draws[chainRows*v:], k)
			s2, d2 := mlpStep(s[v][k], d[v][k], plus[v][k], minus[v][k], numbers, law)
			s[v][k], sExponent[v][k] = rescaled(s2, sExponent[v][k])
			d[v][k], dExponent[v][k] = rescaled(d2, dExponent[v][k])
		}
	}
}

// mlpStep returns |S|² and |D|² after a layer of an MLPChain, given s = |S|² and d = |D|² before the layer
// and the random numbers of chainStep.
func mlpStep(s, d, plus, minus float64, numbers *chainNumbers, law *mlpParameters) (float64, float64) {
	one, amplitude, decay, softmax, strength, drift := law[0][0], law[1][0], law[2][0], law[3][0], law[4][0],
		law[5][0]
	e := elementary.Expm1(float64(decay * d)) // ratio q/p of the weights, minus 1
	own, other := e+2, -e
	if softmax > 0 {
		own, other = 1, -(e / (e + 2))
	}
	c1, c2 := float64(amplitude*own), float64(amplitude*other)
	square1, square2 := math.FMA(strength, plus, float64(c1*c1)), math.FMA(strength, minus, float64(c2*c2))
	first, second := math.FMA(drift, own, one), math.FMA(drift, other, one)
	return gaussianStep(s, d, square1, square2, first, second, numbers)
}

// gaussianStep returns |S|² and |D|² after a layer that multiplies S by first and adds noise of variance
// square1·|S|² to S, and that multiplies D by second and adds noise of variance square2·|D|² to D.
func gaussianStep(s, d, square1, square2, first, second float64, numbers *chainNumbers) (float64, float64) {
	c1, c2 := math.Sqrt(square1), math.Sqrt(square2)
	along, across := math.FMA(c1, numbers[0], first), float64(c1*numbers[1])
	apart := math.FMA(square1, numbers[4], float64(along*along)) // squared length orthogonal to d̂
	square := math.FMA(across, across, apart)
	return nextSquares(s, d, square, float64(second*across), float64(second*math.Sqrt(apart)), c2, numbers)
}
