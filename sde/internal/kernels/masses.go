package kernels

import (
	"math"

	"antipode/sphere/elementary"
)

// NewMassesChain returns chains like those of NewChain of two clusters whose masses may
// differ, and from lane to lane: they are to be set by Weigh as well.
//
// With weights p_i of the own and q_i of the other cluster, s_i = p_i+q_i and α_i = p_i-q_i,
// a layer turns S into S' = |S|(ŝ + ag) + b|D|h and D into D' = |D|(d̂ + eh) + c|S|g, where a, c
// = σL^{-1/2}(s₁±s₂)/2 and b, e = σL^{-1/2}(α₁∓α₂)/2. Equal masses have b = c = 0. For softmax c
// is 0 too, and for unnormalised attention it falls like |D|², so that |D'| is proportional to
// |D|. But |S'| is not proportional to |S|: at Z = -1 it is b|D||h|. S keeps its relative
// precision, as the larger of |S| and b|D| is the factor in front; where the masses differ it
// has no exponent. It then hovers about (b|D|)², where b = σL^{-1/2}e^{-2β}(m₁/m₂-m₂/m₁) for
// softmax and large β, which is below the range of float64 from β = 170 on: there S may
// become 0.
func NewMassesChain(vectors, dim int, beta, scale float64, softmax bool) *Chain {
	c := NewChain(vectors, dim, beta, scale, softmax)
	c.difference = make([]Vector, vectors)
	return c
}

// Weigh sets the masses of a lane's clusters, both positive; equal ones if the chain is by
// NewChain.
func (c *Chain) Weigh(lane int, first, second float64) {
	if c.difference == nil {
		return
	}
	c.difference[lane/8][lane%8] = (first - second) / (first + second)
}

func massesStepGeneric(s, d, sExponent, dExponent, difference, draws []Vector, law *chainParameters) {
	for v := range s {
		for k := range 8 {
			var numbers [8]float64
			for row := range numbers {
				numbers[row] = draws[8*v+row][k]
			}
			s2, d2 := massesStep(s[v][k], d[v][k], difference[v][k], &numbers, law)
			if difference[v][k] == 0 {
				s2, sExponent[v][k] = rescaled(s2, sExponent[v][k])
			}
			s[v][k] = s2
			d[v][k], dExponent[v][k] = rescaled(d2, dExponent[v][k])
		}
	}
}

// massesStep returns the squares after a layer, from the numbers of chainStep.
func massesStep(s, d, difference float64, numbers *[8]float64, law *chainParameters) (float64, float64) {
	one, third := law[0][0], law[4][0]
	a, b, c, e := massesWeights(d, difference, law)
	c = float64(c * math.Sqrt(s/atLeast(d, 0x1p-900))) // times |S|/|D|

	// S' = t(xŝ + xag ± yh), the larger of x and y being 1.
	other := float64(float64(b*b) * d)
	tSquare, smaller := s, other
	if s < other {
		tSquare, smaller = other, s
	}
	ratio := math.Sqrt(smaller / atLeast(tSquare, 0x1p-1000))
	x, y := 1., ratio
	if s < other {
		x, y = ratio, 1
	}
	y = math.Copysign(y, b)

	gAlong, gAcross, gRest := numbers[0], numbers[1], math.Sqrt(numbers[6])
	hAlong, hAcross, hThird, hRest := numbers[2], numbers[3], float64(numbers[4]*third), math.Sqrt(numbers[7])
	s1 := math.FMA(y, hAcross, float64(x*math.FMA(a, gAlong, one)))
	s2 := math.FMA(y, hAlong, float64(x*float64(a*gAcross)))
	s3 := math.FMA(y, hThird, float64(x*float64(a*gRest)))
	s4 := float64(y * hRest)
	d1 := math.FMA(c, gAlong, float64(e*hAcross))
	d2 := math.FMA(c, gAcross, math.FMA(e, hAlong, one))
	d3 := math.FMA(c, gRest, float64(e*hThird))
	d4 := float64(e * hRest)

	sSquare := math.FMA(s4, s4, math.FMA(s3, s3, math.FMA(s2, s2, float64(s1*s1))))
	dSquare := math.FMA(d4, d4, math.FMA(d3, d3, math.FMA(d2, d2, float64(d1*d1))))
	m12, m13, m14 := minor(s1, d2, s2, d1), minor(s1, d3, s3, d1), minor(s1, d4, s4, d1)
	m23, m24, m34 := minor(s2, d3, s3, d2), minor(s2, d4, s4, d2), minor(s3, d4, s4, d3)
	first := math.FMA(m14, m14, math.FMA(m13, m13, float64(m12*m12)))
	second := math.FMA(m34, m34, math.FMA(m24, m24, float64(m23*m23)))
	area := float64(float64(tSquare*d) * (first + second))
	return newSquares(float64(tSquare*sSquare)-float64(d*dSquare), area)
}

// minor is a·d - c·b.
func minor(a, d, c, b float64) float64 { return math.FMA(-c, b, float64(a*d)) }

func atLeast(x, least float64) float64 {
	if x > least {
		return x
	}
	return least
}

// massesWeights returns a, b, c and e, all times the parameter one in place of 1.
func massesWeights(d, difference float64, law *chainParameters) (a, b, c, e float64) {
	amplitude, softmax := law[1][0], law[3][0]
	exponent := float64(law[2][0] * d)
	r, lost := elementary.Exp(atLeast(exponent, -700)), elementary.Expm1(exponent) // r = e^{βZ}/e^β, and r-1
	w := lost + 2
	if !(softmax > 0) {
		e = -float64(amplitude * lost)
		return float64(amplitude * w), float64(float64(amplitude*difference) * w), float64(difference * e), e
	}
	product := float64(math.FMA(-difference, difference, 1) * 0.25) // of the masses
	scale := amplitude / math.FMA(float64(product*lost), lost, r)
	e = -float64(float64(scale*lost) * float64(product*w))
	return amplitude, float64(float64(scale*difference) * r), 0, e
}
