package threetokens

import (
	"math"

	"antipode/overlap"
	"antipode/sphere/elementary"
)

// A place is a configuration of three tokens up to rotations. The first two tokens lie at the angle α on
// either side of their middle m, in the directions ±n. The third token lies at the angle ω from m, in a
// direction with the component x along n and √(1-x²) along e. Only |x| matters, as the first two tokens may
// be exchanged.
type place struct {
	alpha, sinAlpha, cosAlpha float64
	sinOmega, cosOmega        float64
	x                         float64
}

// A motion is the drift and the covariance, per unit of time, of the coordinates (α, ω, x) or (q, y, x) of
// three tokens.
type motion struct {
	drift      [3]float64
	covariance [3][3]float64
}

// tokens describes three tokens under value matrices of independent entries.
type tokens struct {
	dim       int
	beta      float64
	attention overlap.Attention
	sigma     float64
}

// attended returns the attention outputs of three tokens, divided by e^β for unnormalized attention: A¹+A²,
// A¹-A², and A³. Even for a small half angle α, the difference A¹-A² has full relative accuracy.
func (t *tokens) attended(p place, z12, below, z13, z23, g float64) (sum, difference, third vector) {
	s, d := vector{2 * p.cosAlpha}, vector{0, 2 * p.sinAlpha}
	y := p.third()
	// Attention weights divided by e^β.
	b := elementary.Exp(-float64(t.beta * below))
	c1, c2 := elementary.Exp(float64(t.beta*(z13-1))), elementary.Exp(float64(t.beta*(z23-1)))
	apart := -elementary.Expm1(-float64(t.beta * below)) // 1-b
	between := float64(c2 * elementary.Expm1(float64(t.beta*g)))
	if math.Abs(float64(t.beta*g)) > 1 {
		between = c1 - c2
	}
	n1, n2, n3 := 3.0, 3.0, 3.0
	if t.attention == overlap.Softmax {
		n1, n2, n3 = 1+b+c1, 1+b+c2, 1+c1+c2
	}
	pair := float64(0.5 * (1 + b))
	own := float64(0.5*apart) * (1/n1 + 1/n2)
	if t.attention == overlap.Softmax {
		across := between / float64(n1*n2)
		difference = combine(-float64(pair*across), s, own, d, float64(2*pair*across), y)
		sum = combine(float64(pair*(1/n1+1/n2)), s, -float64(0.5*apart*across), d, c1/n1+c2/n2, y)
	} else {
		difference = combine(0, s, own, d, between/3, y)
		sum = combine(float64(2*pair/3), s, 0, d, (c1+c2)/3, y)
	}
	third = combine(0.5*(c1+c2)/n3, s, 0.5*between/n3, d, 1/n3, y)
	return sum, difference, third
}

// third returns the third token in the frame (m, n, e).
func (p place) third() vector {
	return vector{p.cosOmega, float64(p.sinOmega * p.x), float64(p.sinOmega * p.out())}
}

// out returns √(1-x²), the component along e of the direction of the third token.
func (p place) out() float64 { return math.Sqrt(max(0, float64((1-p.x)*(1+p.x)))) }

// motion returns the motion of (α, ω, x) at a place, by Itô's formula for the overlaps of the three tokens.
// Differences of the first two tokens are computed without cancellation.
func (t *tokens) motion(p place) motion {
	sa, ca, sw, cw, x := p.sinAlpha, p.cosAlpha, p.sinOmega, p.cosOmega, p.x
	y := p.third()
	f := vector{0, x, p.out()}
	below := float64(2 * sa * sa)
	z12 := 1 - below
	half := float64(ca * cw)
	g := float64(2 * sa * sw * x)
	z13, z23 := half+float64(0.5*g), half-float64(0.5*g)
	sum, difference, third := t.attended(p, z12, below, z13, z23, g)

	m, n := vector{1}, vector{0, 1}
	var noise [4]matrix // noises of α, ω, x and y₂ = sin ω x
	noise[0].addOuter(0.5*ca, n, difference)
	noise[0].addOuter(-0.5*sa, m, sum)
	along := vector{-sw, float64(cw * x), float64(cw * f[2])}
	noise[1].addOuter(1, along, third)
	noise[1].addOuter(-0.5/ca, vector{0, x * (1 - float64(sa*sa)), f[2]}, sum)
	noise[1].addOuter(0.5*sa*x, m, difference)
	noise[3].addOuter(0.5/sa, vector{float64(sa * sa * cw), 0, float64(sw * f[2])}, difference)
	noise[3].addOuter(-0.5*half, n, sum)
	noise[3].addOuter(1, combine(1, n, -float64(x*sw), y, 0, y), third)
	for k := range noise[2] {
		for l := range noise[2][k] {
			noise[2][k][l] = (noise[3][k][l] - float64(x*cw*noise[1][k][l])) / sw
		}
	}
	var r motion
	variance := t.sigma * t.sigma
	if t.attention == overlap.Unnormalized {
		variance *= elementary.Exp(2 * t.beta)
	}
	for k := range r.covariance {
		for l := range r.covariance[k] {
			r.covariance[k][l] = noise[k].dot(&noise[l])
		}
	}
	d := float64(t.dim)
	apart, whole := difference.dot(difference), sum.dot(sum)
	k12 := 0.25 * (whole - apart)
	unlike := sum.dot(difference) // κ₁₁ - κ₂₂
	like := 0.5 * (whole + apart) // κ₁₁ + κ₂₂
	k33, k3s, k3d := third.dot(third), third.dot(sum), third.dot(difference)

	b12 := float64(-0.5*(d-1)*z12*apart) + float64(k12*below*(d-2-z12))
	total, squares := z13+z23, float64(z13*z13)+float64(z23*z23)
	ofSum := float64(0.5*(float64(total*like)+float64(g*unlike))) + float64(k33*total)
	ofDifference := float64(0.5*(float64(total*unlike)+float64(g*like))) + float64(k33*g)
	bSum := float64(-0.5*(d-1)*ofSum) + float64((d-2)*k3s) +
		float64(0.5*(float64(squares*k3s)+float64(total*g*k3d)))
	bDifference := float64(-0.5*(d-1)*ofDifference) + float64((d-2)*k3d) +
		float64(0.5*(float64(squares*k3d)+float64(total*g*k3s)))

	a := r.covariance
	sin2, cos2 := 2*sa*ca, z12
	alpha := -0.5*b12/sin2 - float64(cos2/sin2*a[0][0])
	zeta := (bSum + float64(2*sa*cw*alpha) + float64(ca*cw*a[0][0]) - float64(2*sa*sw*a[0][1])) / (2 * ca)
	omega := -(zeta + float64(0.5*cw*a[1][1])) / sw
	y2 := sw * x
	b2 := (bDifference - float64(2*ca*y2*alpha) + float64(sa*y2*a[0][0]) -
		float64(2*ca*noise[0].dot(&noise[3]))) / (2 * sa)
	bx := (b2 - float64(x*cw*omega) + float64(0.5*x*sw*a[1][1]) - float64(cw*a[1][2])) / sw
	r.drift = [3]float64{alpha, omega, bx}
	for k := range r.drift {
		r.drift[k] *= variance
		for l := range r.covariance[k] {
			r.covariance[k][l] *= variance
		}
	}
	return r
}
