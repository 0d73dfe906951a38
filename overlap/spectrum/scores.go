package spectrum

import (
	"math"

	"antipode/overlap/internal/quadrature"
)

// Scores is the limiting law of the singular values of √T A, rows centred, for an
// attention matrix A_ij = f(q_i·k_j/√d)/T of queries and keys of orthonormal tokens,
// independent standard normal vectors of dimension d. Softmax has f(x) = e^(x-1/2), since
// the sum of a row is T in the limit.
//
// The entries of A are uncorrelated, but not independent as the proof of Prop. 1 says: f
// acts as on independent entries only when its linear part ax, a = E x f(x), is taken
// away. QKᵀ/√d itself is a product of two Gaussian matrices, so the law of ±s has the
// R-transform
//
//	R(G) = a²G/(1-ca²G²) + bG, c = T/d, b = Var f - a²,
//
// and only for c → 0 it is the quarter of a circle. Prop. 1 with Theorem 2 would have the
// edge 2√Var f; for softmax and c = 1, that is 2.62, the edge is 3.00. Compare Pennington
// and Worah, "Nonlinear random matrix theory for deep learning" (2017).
type Scores struct {
	Linear float64 // a², from 0
	Rest   float64 // b, from 0; one of them is above 0
	Ratio  float64 // c = T/d, above 0
}

// SoftmaxScores are those of softmax for scores of standard deviation s > 0, that is of query and key entries
// of variance s: f(x) = e^(sx-s²/2) has a = s and variance e^(s²)-1.
func SoftmaxScores(ratio, s float64) Scores {
	square := float64(s * s)
	return Scores{square, math.Expm1(square) - square, ratio}
}

// LinearScores are those of f(x) = sx.
func LinearScores(ratio, s float64) Scores { return Scores{float64(s * s), 0, ratio} }

// ReLUScores are those of f(x) = max(sx, 0), of mean s/√(2π).
func ReLUScores(ratio, s float64) Scores {
	square := float64(s * s)
	return Scores{0.25 * square, float64((0.25 - 0.5/math.Pi) * square), ratio}
}

// SigmoidScores are those of f(x) = 1/(1+e^-sx), of mean ½, by the trapezoidal rule, whose error is about
// e^(-2π²/sh) at step h: f has its first poles at ±iπ/s.
func SigmoidScores(ratio, s float64) Scores {
	step := min(1./16, 0.4/s)
	const end = 12 // where the normal density is below rounding
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

// Edge is the upper end of the support: where dx/dG = 0 for x = 1/G + R(G), with t = ca²G²
// between 0 and 1.
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
