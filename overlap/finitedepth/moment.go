package finitedepth

import (
	"math"

	"antipode/overlap/internal/special"
	"antipode/sphere/elementary"
)

// cutOff is the imaginary part of r, and the y, at which the sums over r and y end at the latest: beyond
// cutOff, exponents lose too many digits to cancellation.
const cutOff = 1000

// A parabola is the contour Re r = middle of the representation x^ν = Σ weight·exp(r²x) of a power. The
// contour suits a random x for which E exp(r²x) is moderate even at r = 2·middle.
type parabola struct{ middle, step float64 }

// parabolaFor returns the parabola for powers of the squared length of a Gaussian vector whose mean has
// length 1 and whose entries have the given variance; most bounds 2·middle.
func parabolaFor(variance, most float64) parabola {
	const digits = 26 // accuracy of a sum, as a power of e
	steepest := most
	if limit := 0.6 / math.Sqrt(2*variance); limit < most {
		steepest = limit
	}
	square := float64(steepest * steepest)
	growth := square / (1 - float64(2*square*variance))
	middle := 0.5 * steepest
	return parabola{middle, 2 * math.Pi * middle / (digits + growth)}
}

// A powerNode is a term weight·exp(root²·x) of the sum that represents the power x^ν; slope is the derivative
// of weight with respect to ν.
type powerNode struct{ root, weight, slope complex128 }

// node returns term k of the sum that represents the power x^ν, ν > -1. With r = middle + iy the sum is the
// trapezoidal rule for
//
//	Γ(ν+1)/π ∫ exp(r²x) r^(-2ν-1) dy
//
// over y > 0; the other half of the line gives the complex conjugate.
func (p parabola) node(nu float64, k int) powerNode {
	y, weight := sinhMap(float64(p.step*float64(k)), 2*p.middle)
	root := complex(p.middle, y)
	l := logarithm(special.Product(root, root))
	weight *= p.step * elementary.Exp(special.LogGamma(nu+1)) / math.Pi
	w := special.Scaled(weight, special.Product(root, exponential(special.Scaled(-nu-1, l))))
	return powerNode{root, w, special.Product(w, complex(special.Digamma(nu+1), 0)-l)}
}

// sinhMap returns y = bend·sinh(x/bend) and the derivative dy/dx. If the line of y may be shifted by bend·π/4
// into the complex plane, the line of x may be shifted equally far, so that trapezoidal sums over x converge
// as fast as sums over y.
func sinhMap(x, bend float64) (y, slope float64) {
	e := elementary.Exp(x / bend)
	return float64(0.5 * bend * (e - 1/e)), float64(0.5 * (e + 1/e))
}

const laplaceStep, laplaceFrom = 0.3, 14 // step and first point of the sum in log s

// laplaceNode returns term k of the trapezoidal sum over log s that represents the power x^(-m) = Γ(m)^-1 ∫
// exp(-sx) s^(m-1) ds.
func laplaceNode(m float64, k int) powerNode {
	const step, from = laplaceStep, laplaceFrom
	x := from - float64(step*float64(k))
	w := step * elementary.Exp(float64(m*x)-special.LogGamma(m))
	root := complex(0, elementary.Exp(0.5*x))
	return powerNode{root, complex(w, 0), complex(w*(special.Digamma(m)-x), 0)}
}

// greatestVariance returns the greatest variance of a linear combination, with squared coefficients of sum 1,
// of two entries of the Gaussian matrix X.
func (g *gaussian) greatestVariance() float64 {
	v := g.covariance
	return max(v.A+math.Abs(v.B), v.A+v.B+v.C+math.Abs(v.C))
}

// cutOffError estimates the error of moments due to omitting terms of the sums beyond cutOff, from E
// exp(-cutOff²|V|²) and E exp(-cutOff²|U|²).
func (g *gaussian) cutOffError() float64 {
	directions := float64(g.dim - 1)
	if g.covariance.A == 0 {
		directions = 1
	}
	v := g.covariance
	greatest := max(v.A, v.A+v.B+v.C)
	of := func(square float64) float64 {
		variance := float64(square * greatest)
		if variance == 0 {
			return 0
		}
		spread := 1 + float64(2*cutOff*cutOff*variance)
		return elementary.Exp(-0.5/variance - float64(0.5*directions*elementary.Log(spread)))
	}
	return 10 * max(of(float64(g.f*g.f)+float64(g.w*g.w)), of(float64(g.h*g.h)))
}

// moment returns the moment E Q^κ |U|^(-2κ) with Q = |P_U^⊥ V|², and the derivative of the moment with
// respect to κ. With powers written as sums of exponentials, and
//
//	exp(r²Q) = |U| π^(-1/2) ∫ exp(-|yU + irV|²) dy,
//
// the moment and its derivative are triple sums over values of transform.
func (g *gaussian) moment(kappa float64) (value, slope float64) {
	most := g.greatestVariance()
	short, long := float64(g.f*g.f)+float64(g.w*g.w), float64(g.h*g.h)
	size := func(square float64) float64 { return 1 + float64(square*float64(g.dim-1)*g.covariance.A) }
	t := tripleSum{g, size(short), size(long)}
	ofQ := parabolaFor(short*most/t.short, 3+math.Sqrt(kappa))
	nodes := nodesOfU(0.5-kappa, parabolaFor(long*most/t.long, 3))
	for k := 0; ; k++ {
		n := ofQ.node(kappa, k)
		a, b := t.sumOverU(n, nodes)
		if k > 0 {
			a, b = 2*a, 2*b
		}
		value, slope = value+a, slope+b
		if k > 5 && math.Abs(a)+math.Abs(b) < 1e-11*math.Abs(value) || imag(n.root) > cutOff {
			break
		}
	}
	front := elementary.Exp(float64(kappa*elementary.Log(t.short/t.long))) / math.Sqrt(math.Pi)
	value, slope = float64(value*front), float64(slope*front)
	return value, slope + float64(value*elementary.Log(t.short/t.long))
}

// nodesOfU returns the terms of the sum that represents the power |U|^(2ν).
func nodesOfU(nu float64, p parabola) (nodes []powerNode) {
	if nu < -0.75 {
		for k := range int((laplaceFrom + 32/-nu) / laplaceStep) {
			nodes = append(nodes, laplaceNode(-nu, k))
		}
		return nodes
	}
	for k := 0; ; k++ {
		n := p.node(nu, k)
		if imag(n.root) > cutOff {
			return nodes
		}
		nodes = append(nodes, n)
		if k > 0 {
			nodes = append(nodes, powerNode{conjugate(n.root), conjugate(n.weight), conjugate(n.slope)})
		}
	}
}

// tripleSum computes the triple sums over values of transform, with V and U divided by the square roots of
// short and long.
type tripleSum struct {
	*gaussian
	short, long float64
}

// sumOverU returns the sum over the nodes for |U|^(1-2κ), for one node q of the power Q^κ, and the derivative
// of the sum with respect to κ.
func (t *tripleSum) sumOverU(q powerNode, nodes []powerNode) (value, slope float64) {
	top := 0.0
	for k, u := range nodes {
		sum := t.sumOverY(q.root, u.root)
		a := real(special.Product(special.Product(q.weight, u.weight), sum))
		b := real(special.Product(special.Product(q.slope, u.weight)-special.Product(q.weight, u.slope), sum))
		value, slope = value+a, slope+b
		size := math.Abs(a) + math.Abs(b)
		if top = max(top, size); k > 8 && size < 1e-13*top {
			break
		}
	}
	return value, slope
}

// sumOverY returns the sum over y for the roots q and u of two nodes. If w = 0, a reflection of s changes the
// sign of <V,U> and nothing else, so that y and -y contribute equally.
func (t *tripleSum) sumOverY(q, u complex128) (sum complex128) {
	short := special.Scaled(-1/t.short, special.Product(q, q))
	cross := special.Scaled(1/math.Sqrt(t.short*t.long), special.Product(q, 1i))
	square := special.Product(u, u)
	at := func(y float64) complex128 {
		long := special.Scaled(1/t.long, complex(float64(y*y), 0)-square)
		return t.transform(quadraticForm{short, special.Scaled(y, cross), long})
	}
	const step, bend = 0.3, 2.4
	sum = special.Scaled(step, at(0))
	top := magnitude(sum)
	for k := 1; ; k++ {
		y, weight := sinhMap(step*float64(k), bend)
		term := at(y)
		if t.w == 0 {
			term += term
		} else {
			term += at(-y)
		}
		term = special.Scaled(step*weight, term)
		sum += term
		size := magnitude(term)
		if top = max(top, size); k > 3 && size < 1e-14*top || y > cutOff {
			return sum
		}
	}
}
