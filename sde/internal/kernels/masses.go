package kernels

import (
	"math"

	"antipode/sphere/elementary"
)

// NewMassesChain returns the chains of NewChain for two clusters of any masses. The masses may also differ
// from lane to lane. The caller sets the masses by Weigh.
//
// Let p_i and q_i be the attention weights of a token of cluster i for its own and for the other cluster, s_i
// = p_i+q_i and α_i = p_i-q_i. In the notation of Chain, a layer turns S into S' = |S|(ŝ + ag) + b|D|h and D
// into D' = |D|(d̂ + eh) + c|S|g, where a = σL^{-1/2}(s₁+s₂)/2, b = σL^{-1/2}(α₁-α₂)/2, c =
// σL^{-1/2}(s₁-s₂)/2 and e = σL^{-1/2}(α₁+α₂)/2. For equal masses b = c = 0. For softmax c = 0 for any
// masses. For unnormalised attention c vanishes like |D|², so that |D'| is proportional to |D|. But |S'| is
// not proportional to |S|: at Z = -1, |S'| = b|D||h|. |S'| keeps its relative precision, because the larger
// of |S| and b|D| is taken out as a factor. If the masses m₁ and m₂ differ, |S|² has no exponent, and stays
// near (b|D|)². For softmax and large β, b = σL^{-1/2}e^{-2β}(m₁/m₂-m₂/m₁), and (b|D|)² is below the range of
// float64 from β = 170 on, so that S may become 0.
func NewMassesChain(vectors, dim int, beta, scale float64, softmax bool) *Chain {
	c := NewChain(vectors, dim, beta, scale, softmax)
	c.difference = make([]Vector, vectors)
	return c
}

func massesStepGeneric(s, d, sExponent, dExponent, difference, draws []Vector, law *chainParameters) {
	for v := range s {
		for k := range 8 {
			s2, d2 := massesStep(s[v][k], d[v][k], difference[v][k], numbersOf(draws[chainRows*v:], k), law)
			if difference[v][k] == 0 {
				s2, sExponent[v][k] = rescaled(s2, sExponent[v][k])
			}
			s[v][k] = s2
			d[v][k], dExponent[v][k] = rescaled(d2, dExponent[v][k])
		}
	}
}

// massesStep returns |S|² and |D|² after a layer of clusters of any masses; see NewMassesChain. The random
// numbers are like those of chainStep, with standard normal vectors ζ and η in place of g and h; S' is made
// from ζ. The numbers of η are the components along S' and along the part of d̂+αζ orthogonal to S', and the
// squared length of the orthogonal rest. As ζ and η are standard normal and independent, so are g =
// (xaζ-yη)/τ and h = (yζ+xaη)/τ.
func massesStep(s, d, difference float64, numbers *chainNumbers, law *chainParameters) (float64, float64) {
	one := law[0][0]
	a, b, c, e, determinant := massesWeights(d, difference, law[1][0], law[2][0], law[3][0])
	c = float64(c * math.Sqrt(s/atLeast(d, 0x1p-900))) // times the ratio |S|/|D|

	// The sum of the tokens becomes S' = t(xŝ + xag ± yh), where the larger of x and y is 1.
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

	// In terms of ζ and η, S' = t(xŝ + τζ) and D' = |D|(d̂ + αζ + γη).
	xa := float64(x * a)
	tau := math.Sqrt(math.FMA(y, y, float64(xa*xa)))
	inverse := 1 / atLeast(tau, 0x1p-500)
	alpha := float64(math.FMA(e, y, float64(c*xa)) * inverse)
	gamma := float64(float64(float64(e*xa)*determinant) * inverse)

	alphaX, x := float64(alpha*x), float64(x*one)
	sAlong, sAcross, sRest := math.FMA(tau, numbers[0], x), float64(tau*numbers[1]), float64(tau*numbers[4])
	square := math.FMA(tau, sRest, math.FMA(sAcross, sAcross, float64(sAlong*sAlong)))
	along := math.FMA(alpha, math.FMA(numbers[0], sAlong, math.FMA(numbers[1], sAcross, sRest)),
		float64(one*sAcross))
	across := math.FMA(alphaX, numbers[1], sAlong) // component of the area spanned by S' and d̂+αζ
	across = math.Sqrt(math.FMA(
		math.FMA(alphaX, alphaX, float64(tau*tau)), numbers[4], float64(across*across)))
	return nextSquares(tSquare, d, square, along, float64(one*across), gamma, numbers)
}

func atLeast(x, least float64) float64 {
	if x > least {
		return x
	}
	return least
}

// massesWeights returns the numbers a, b, c and e that NewMassesChain defines, with an amplitude in place of
// σL^{-1/2}, and the determinant 1 - bc/ae. The argument decay is -β/2. For unnormalised attention softmax is
// 0, and the amplitude includes a factor e^β/2.
func massesWeights(d, difference, amplitude, decay, softmax float64) (a, b, c, e, determinant float64) {
	exponent := float64(decay * d)
	r, lost := elementary.Exp(atLeast(exponent, -700)), elementary.Expm1(exponent) // r = e^{βZ}/e^β, and r-1
	w := lost + 2
	product := math.FMA(-difference, difference, 1) // four times the product of the masses, whose sum is 1
	if !(softmax > 0) {
		e = -float64(amplitude * lost)
		return float64(amplitude * w), float64(float64(amplitude*difference) * w), float64(difference * e),
			e, product
	}
	product *= 0.25
	scale := amplitude / math.FMA(float64(product*lost), lost, r)
	e = -float64(float64(scale*lost) * float64(product*w))
	return amplitude, float64(float64(scale*difference) * r), 0, e, 1
}
