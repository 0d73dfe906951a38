package fokkerplanck

import (
	"math"

	"antipode/overlap"
)

// A plainPair is a pair of clusters for a second solution of the laws at a horizon that shares nothing
// with the package. It uses formulas in p, q and the overlap, the backward equation, central differences
// in the coordinate y of u = y + y⁵/10⁵, TR-BDF2 in time, and its own domain.
type plainPair struct {
	dim          int
	beta         float64
	unnormalized bool
	m1, m2       float64
	epsilon      float64 // noise of the hybrid model, with equal masses; 0 for random value matrices
	// Covariance of value matrices, for equal masses; nil for independent entries of variance 1.
	noise *overlap.Covariance
	// The walls in y; if both are non-zero, the domain does not depend on a parameter.
	left, right float64
}

// coefficients returns drift and variance of u = atanh z.
func (c plainPair) coefficients(u float64) (drift, variance float64) {
	z := math.Tanh(u)
	above, below := 2/(1+math.Exp(-2*u)), 2/(1+math.Exp(2*u)) // 1+z, 1-z
	r := math.Exp(-c.beta * below)                            // e^βz / e^β
	p1, q1 := c.m1/(c.m1+c.m2*r), c.m2*r/(c.m1+c.m2*r)
	p2, q2 := c.m2/(c.m2+c.m1*r), c.m1*r/(c.m2+c.m1*r)
	// 2p = s+α and 2q = s-α. For unequal masses, the differences of s and of α between the two clusters
	// are computed without cancellation:
	unequalS, unequalA := 0.0, 2*r*(c.m1-c.m2)*(c.m1+c.m2)/((c.m1+c.m2*r)*(c.m2+c.m1*r))
	if c.unnormalized {
		a := math.Exp(c.beta) / (c.m1 + c.m2)
		p1, q1, p2, q2 = a*c.m1, a*c.m2*r, a*c.m2, a*c.m1*r
		unequalS, unequalA = a*(c.m1-c.m2)*-math.Expm1(-c.beta*below), a*(c.m1-c.m2)*(1+r)
	}
	if c.noise != nil {
		a, b, n := c.noise.A, c.noise.B, c.noise.C
		p, q := p1, q1
		return a*(2*float64(c.dim-2)*p*q+(p*p+q*q)*z) + b*(-2*p*q+(p*p-q*q)*z) - 2*n*p*q,
			2 * ((a+b)*(p*p+q*q) + 2*n*q*q)
	}
	if c.epsilon > 0 {
		square := c.epsilon * c.epsilon
		noise := 2 * c.epsilon * q1
		return 2*q1 - square*(2*p1*q1+4*q1*q1*z) + z*noise*noise, noise * noise
	}
	// |A¹|²+|A²|²-2z<A¹,A²> is (1-z²)(p1²+q1²+p2²+q2²) for equal masses; in general, with
	// A = ½s(X¹+X²) ± ½α(X¹-X²), it is (1-z²)(s1 s2+α1 α2) + ½(1+z)(s1-s2)² + ½(1-z)(α1-α2)².
	s, alpha := (p1+q1)*(p2+q2), (p1-q1)*(p2-q2)
	variance = s + alpha + unequalS*unequalS/(2*below) + unequalA*unequalA/(2*above)
	product := 0.5*above*s - 0.5*below*alpha // <A¹,A²>
	// |A¹|²+|A²|² is 2z<A¹,A²> plus that. Below are the drift of z divided by 1-z², and z times the
	// variance.
	n := float64(c.dim)
	rest := variance // (|A¹|²+|A²|²-2z<A¹,A²>)/(1-z²)
	drift = -(n-1)/2*z*rest + z*variance
	// (z²+d-2)<A¹,A²> - (d-1)z²<A¹,A²> = (d-2)(1-z²)<A¹,A²>
	drift += (n - 2) * product
	return drift, variance
}

const plainStretch = 1e5

func plainU(y float64) float64 { return y + y*y*y*y*y/plainStretch }

func plainWidening(y float64) float64 { return 1 + 5*y*y*y*y/plainStretch }

func plainY(u float64) float64 {
	y := math.Copysign(math.Min(math.Abs(u), math.Pow(plainStretch*math.Abs(u), 0.2)), u)
	for range 60 {
		y -= (plainU(y) - u) / plainWidening(y)
	}
	return y
}

// domain returns how far the overlap matters on one side: as far as it gets, or to where it returns from
// with a factor e^-40, but at least 12 beyond the point at which unequal masses turn it around.
func (c plainPair) domain(side, start, threshold, horizon float64) float64 {
	near := math.Max(math.Abs(start), math.Abs(threshold)) + 4
	drift, variance := c.coefficients(side * 18)
	slope := math.Abs(2 * drift / variance)
	if side < 0 && c.m1 != c.m2 {
		u := -near
		for {
			_, here := c.coefficients(u)
			_, further := c.coefficients(u - 1)
			if further > 7*here { // e² = 7.39
				return u - 12
			}
			u--
		}
	}
	gone := 0.0
	for u := -18.0; u <= 18; u += 0.25 {
		drift, variance := c.coefficients(u)
		gone = math.Max(gone, math.Max(0, side*drift)*horizon+10*math.Sqrt(variance*horizon))
	}
	return side * math.Min(near+gone, math.Max(near, 18)+40/slope)
}

// below returns P(u_T ≤ threshold) from a start at u0, or from uniform independent tokens if u0 is NaN,
// and an estimate of its error.
func (c plainPair) below(u0, threshold, horizon float64, cells int) (p, uncertainty float64) {
	coarse := c.solve(u0, threshold, horizon, cells, 0.02)
	cellsHalved := c.solve(u0, threshold, horizon, 2*cells, 0.02)
	fine := c.solve(u0, threshold, horizon, 2*cells, 0.01)
	return math.Max(0, math.Min(1, fine+(fine-coarse)/3)),
		(math.Abs(fine-cellsHalved) + math.Abs(cellsHalved-coarse)) / 4
}

// walls returns the domain in y.
func (c plainPair) walls(u0, threshold, horizon float64) (left, right float64) {
	if c.left != 0 && c.right != 0 {
		return c.left, c.right
	}
	start := u0
	if u0 != u0 {
		start = math.Acosh(math.Exp(math.Min(600, 34/float64(c.dim-1))))
	}
	return plainY(c.domain(-1, start, threshold, horizon)), plainY(c.domain(1, start, threshold, horizon))
}

func (c plainPair) solve(u0, threshold, horizon float64, cells int, pace float64) float64 {
	left, right := c.walls(u0, threshold, horizon)
	middle := plainY(threshold)
	width := (right - left) / float64(cells)
	width = (middle - left) / math.Ceil((middle-left)/width) // so that the halves fit
	before := int(math.Round((middle - left) / width))
	n := before + 1 + int((right-middle)/width)
	lower, upper, v := make([]float64, n), make([]float64, n), make([]float64, n)
	at := func(i int) float64 { return middle + float64(i-before)*width }
	for i := range v {
		y := at(i)
		drift, variance := c.coefficients(plainU(y))
		here := plainWidening(y)
		diffusion := variance / 2 / here / width / width
		advection := drift / here / width / 2
		lower[i] = diffusion/plainWidening(y-width/2) - advection
		upper[i] = diffusion/plainWidening(y+width/2) + advection
		switch {
		case i < before:
			v[i] = 1
		case i == before:
			v[i] = 0.5
		}
	}
	// A wall reflects if the drift points away from it, and keeps its value if the drift points towards
	// it. An end that unequal masses leave reflects.
	if drift, _ := c.coefficients(plainU(at(0))); drift < 0 && c.m1 == c.m2 {
		upper[0] = 0
	}
	if drift, _ := c.coefficients(plainU(at(n - 1))); drift > 0 {
		lower[n-1] = 0
	}
	lower[0], upper[n-1] = 0, 0
	old, right2, factor := make([]float64, n), make([]float64, n), make([]float64, n)
	implicit := func(t float64) { // v = (1-tA)^-1 right2; the rows of A add up to 0
		rest := 1.0
		for i := range n {
			v[i] = right2[i]
			if i > 0 {
				rest = 1 + t*lower[i]*rest*factor[i-1]
				v[i] += t * lower[i] * factor[i-1] * v[i-1]
			}
			factor[i] = 1 / (rest + t*upper[i])
		}
		v[n-1] *= factor[n-1]
		for i := n - 2; i >= 0; i-- {
			v[i] = (v[i] + t*upper[i]*v[i+1]) * factor[i]
		}
	}
	const gamma = 2 - math.Sqrt2
	for passed, first := 0.0, 1e-5*horizon; passed < horizon; {
		t := pace * (passed + first)
		if passed+1.5*t >= horizon {
			t = horizon - passed
		}
		passed += t
		if horizon-passed < 1e-12*horizon {
			passed = horizon
		}
		copy(old, v)
		copy(right2, v)
		implicit(gamma * t / 2)
		for i := range n { // (1+A)/(1-A) = 2/(1-A) - 1, without the rounding of A times v
			trapezoid := 2*v[i] - old[i]
			right2[i] = (trapezoid - (1-gamma)*(1-gamma)*old[i]) / (gamma * (2 - gamma))
		}
		implicit((1 - gamma) / (2 - gamma) * t)
	}
	if u0 == u0 {
		return interpolated(v, (plainY(u0)-at(0))/width)
	}
	sum, mass := 0.0, 0.0
	for i, p := range v {
		u := plainU(at(i))
		logCosh := math.Abs(u) + math.Log1p(math.Exp(-2*math.Abs(u)))
		f := plainWidening(at(i)) * math.Exp(float64(1-c.dim)*logCosh)
		sum, mass = sum+f*p, mass+f
	}
	return sum / mass
}

// interpolated returns the cubic through the four values around x.
func interpolated(v []float64, x float64) float64 {
	i := min(max(int(x), 1), len(v)-3)
	x -= float64(i)
	return -x*(x-1)*(x-2)/6*v[i-1] + (x+1)*(x-1)*(x-2)/2*v[i] - (x+1)*x*(x-2)/2*v[i+1] +
		(x+1)*x*(x-1)/6*v[i+2]
}
