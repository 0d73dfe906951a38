package spectrum

import (
	"math"

	"antipode/overlap/internal/quadrature"
)

// Scores is the limit law of the singular values of √T A with centred rows, for an attention matrix A_ij =
// f(q_i·k_j/√d)/T. The queries q_i and keys k_j belong to orthonormal tokens, and so are independent standard
// normal vectors of dimension d. For softmax f(x) = e^(x-1/2), since the sum of the exponentials of a row is
// about T e^(1/2).
//
// The entries of A are uncorrelated, but not independent as the proof of Prop. 1 claims: f acts like a
// function of independent entries only after the linear part ax of f, a = E x f(x), is subtracted. The score
// matrix QKᵀ/√d is a product of two Gaussian matrices. So the law of ±s, for singular values s with a random
// sign, has the R-transform
//
//	R(G) = a²G/(1-ca²G²) + bG, c = T/d, b = Var f - a²,
//
// and the law of s is a quarter circle only as c → 0. According to Prop. 1 with Theorem 2, the upper edge
// would be 2√Var f. For softmax and c = 1, 2√Var f is 2.62, but the actual edge is 3.00. Compare Pennington
// and Worah, "Nonlinear random matrix theory for deep learning" (2017).
type Scores struct {
	Linear float64 // a², at least 0
	Rest   float64 // b, at least 0; a² and b are not both 0
	Ratio  float64 // c = T/d, positive
}

// SoftmaxScores returns the law of Scores for softmax with scores of standard deviation s > 0, that is with
// query and key entries of variance s: f(x) = e^(sx-s²/2), with a = s and variance e^(s²)-1. The variance
// exceeds float64 for s above 26.6; then Edge is NaN.
func SoftmaxScores(ratio, s float64) Scores {
	square := float64(s * s)
	return Scores{square, math.Expm1(square) - square, ratio}
}

// LinearScores returns the law of Scores for the linear function f(x) = sx.
func LinearScores(ratio, s float64) Scores { return Scores{float64(s * s), 0, ratio} }

// ReLUScores returns the law of Scores for f(x) = max(sx, 0), which has mean s/√(2π).
func ReLUScores(ratio, s float64) Scores {
	square := float64(s * s)
	return Scores{0.25 * square, float64((0.25 - 0.5/math.Pi) * square), ratio}
}

// SigmoidScores returns the law of Scores for f(x) = 1/(1+e^-sx), which has mean ½. The moments of f are
// computed by the trapezoidal rule. As the first poles of f are at ±iπ/s, the error of the rule with step h
// is about e^(-2π²/sh).
func SigmoidScores(ratio, s float64) Scores {
	step := min(1./16, 0.4/s)
	const end = 12 // beyond end the normal density is negligible
	var square, linear float64
	for k := -math.Ceil(end / step); k*step <= end; k++ {
		x := float64(k * step)
		weight := float64(step*math.Exp(-float64(x*x)/2)) / math.Sqrt(2*math.Pi)
		f := 1/(1+math.Exp(-float64(s*x))) - 0.5
		square += float64(weight * f * f)
		linear += float64(weight * x * f)
	}
	return Scores{float64(linear * linear), square - float64(linear*linear), ratio}
}

// Edge returns the upper end of the support of the singular values: x = 1/G + R(G) at the G with dx/dG = 0,
// found in terms of t = ca²G² in (0, 1).
func (s Scores) Edge() float64 {
	if s.Linear == 0 {
		return 2 * math.Sqrt(s.Rest)
	}
	t := quadrature.Bisect(func(t float64) float64 {
		return float64(t*(s.Rest+float64(s.Linear*(1+t)/float64((1-t)*(1-t))))) - float64(s.Ratio*s.Linear)
	}, 0, 1)
	g := math.Sqrt(t / float64(s.Ratio*s.Linear))
	return 1/g + float64(s.Linear*g/(1-t)) + float64(s.Rest*g)
}
