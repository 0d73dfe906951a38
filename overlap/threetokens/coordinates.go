package threetokens

import (
	"math"

	"antipode/sphere/elementary"
)

// placeOf returns the place of three tokens with the half angle α, the ratio r = cot(ω/2) and the component
// x.
func placeOf(alpha, r, x float64) place {
	scale := 1 / (1 + float64(r*r))
	sin, cos := math.Sincos(alpha)
	return place{alpha: alpha, sinAlpha: sin, cosAlpha: cos,
		sinOmega: 2 * r * scale, cosOmega: (r - 1) * (r + 1) * scale, x: x}
}

// distances returns half the squared distances 1 - z of the three pairs of tokens.
func (p place) distances() (m12, m13, m23 float64) {
	quarter, half := p.quarters()
	sum := float64(4*float64(quarter*quarter)) + float64(2*p.cosAlpha*half) // 2(1 - cos α cos ω)
	g := float64(2 * p.sinAlpha * p.sinOmega * p.x)
	return float64(2 * p.sinAlpha * p.sinAlpha), 0.5 * (sum - g), 0.5 * (sum + g)
}

// quarters returns sin α/2 and 1 - cos ω.
func (p place) quarters() (sine, versine float64) {
	versine = 1 - p.cosOmega
	if p.cosOmega > 0 {
		versine = p.sinOmega * p.sinOmega / (1 + p.cosOmega)
	}
	return math.Sin(0.5 * p.alpha), versine
}

// closeness returns q = log m12/m13 with its derivatives, where m12 and m13 are half the squared distances of
// token 1 from tokens 2 and 3. The closeness q is 0 if tokens 1 and 2 are as close as tokens 1 and 3, and -∞
// if tokens 1 and 2 coincide.
func (p place) closeness() jet {
	quarter, versine := p.quarters()
	half := math.Cos(0.5 * p.alpha)
	// 2(1-cos α)
	sq := along(0, 4*quarter*quarter, 4*quarter*half, 2*(float64(half*half)-float64(quarter*quarter)))
	cosine := along(0, p.cosAlpha, -p.sinAlpha, -p.cosAlpha)
	vers := along(1, 2*versine, 2*p.sinOmega, 2*p.cosOmega)
	sum := sq.plus(cosine.times(vers), 1)
	s, c := p.sinAlpha, p.cosAlpha
	m12 := along(0, 2*s*s, 4*s*c, 4*(float64(c*c)-float64(s*s)))
	g := along(0, 2*s, 2*c, -2*s).
		times(along(1, p.sinOmega, p.cosOmega, -p.sinOmega)).times(along(2, p.x, 1, 0))
	return m12.log().plus(sum.plus(g, -1).log(), -1).plus(constant(math.Ln2), 1)
}

// A height is the coordinate y = asinh(r/ε) + share·asinh(r/bend) of the third token, as a function of r =
// cot(ω/2). Where the third token is nearly opposite to the pair, y is proportional to r. Elsewhere y grows
// like log r, and beyond r = bend like (1+share)·log r.
type height struct{ epsilon, share float64 }

// bend is the r = cot(ω/2) above which all three tokens are apart. Above bend the attention of the three
// tokens changes with r, so the cells of the grid must be narrow.
const bend = 0.1

// ratio returns the r = cot(ω/2) at which the height has the value y, by Newton's method for t = asinh(r/ε).
// The height is a convex function of t, and Newton's method starts above the solution.
func (h height) ratio(y float64) float64 {
	t := y
	for range 100 {
		r := h.epsilon * math.Sinh(t)
		slope := 1 + float64(h.share*h.epsilon*math.Cosh(t)/math.Hypot(bend, r))
		step := (t + float64(h.share*math.Asinh(r/bend)) - y) / slope
		t -= step
		if !(math.Abs(step) > 1e-15*t) {
			break
		}
	}
	return h.epsilon * math.Sinh(t)
}

func (h height) of(r float64) float64 {
	return math.Asinh(r/h.epsilon) + float64(h.share*math.Asinh(r/bend))
}

// jet returns the height y at r = cot(ω/2) with its derivatives with respect to ω.
func (h height) jet(r float64) jet {
	first, second := float64(-0.5*(1+float64(r*r))), float64(0.5*r*(1+float64(r*r))) // dr/dω, d²r/dω²
	near, far := math.Hypot(h.epsilon, r), math.Hypot(bend, r)
	slope := 1/near + h.share/far
	curvature := -r/(near*near*near) - h.share*r/(far*far*far)
	return along(1, h.of(r), first*slope, float64(second*slope)+float64(curvature*first*first))
}

// alphaAt returns the half angle α of the first two tokens at which the closeness has the value q ≤ 0, given
// r = cot(ω/2) and x. The half angle is the zero of m12 - e^q m13 between 0 and π/3, computed by Newton's
// method with bracketing.
func alphaAt(q, r, x float64) float64 {
	ratio := elementary.Exp(q)
	low, high := 0.0, math.Pi/3
	_, start, _ := placeOf(0, r, x).distances()
	alpha := math.Asin(math.Sqrt(min(0.75, 0.5*ratio*start)))
	for range 100 {
		p := placeOf(alpha, r, x)
		m12, m13, _ := p.distances()
		value := m12 - float64(ratio*m13)
		of13 := float64(p.sinAlpha*p.cosOmega) - float64(p.x*p.sinOmega*p.cosAlpha) // dm13/dα
		slope := float64(4*p.sinAlpha*p.cosAlpha) - float64(ratio*of13)
		if value < 0 {
			low = alpha
		} else {
			high = alpha
		}
		next := alpha - value/slope
		if !(next > low && next < high) {
			next = 0.5 * (low + high)
		}
		step := math.Abs(next - alpha)
		near := 1e-15 * alpha
		alpha = next
		if step <= near {
			break
		}
	}
	return alpha
}

// ratioAt returns the r = cot(ω/2) at which the half squared distances are m12 and m13 ≥ m12, for a given x.
// ratioAt returns 0 if the half squared distance of tokens 1 and 3 is below m13 for every r.
func ratioAt(m12, m13, x float64) float64 {
	sin := math.Sqrt(0.5 * m12)
	cos := math.Sqrt(1 - float64(0.5*m12))
	// cos ω cos α + x sin ω sin α = 1 - m13
	c := (1 - m13) / math.Hypot(cos, x*sin)
	if c <= -1 {
		return 0
	}
	omega := math.Atan2(x*sin, cos) + math.Acos(min(1, c))
	return math.Max(0, 1/math.Tan(0.5*omega))
}

// coordinates converts the motion of (α, ω, x) to the motion of (q, y, x) by Itô's formula.
func (m motion) coordinates(q, y jet) motion {
	rows := [3]jet{q, y, along(2, 0, 1, 0)}
	var r motion
	for a, f := range rows {
		for k := range f.first {
			r.drift[a] += float64(f.first[k] * m.drift[k])
			for l := range f.first {
				r.drift[a] += float64(0.5 * f.second[k][l] * m.covariance[k][l])
			}
		}
		for b, h := range rows {
			for k := range f.first {
				for l := range h.first {
					r.covariance[a][b] += float64(f.first[k] * m.covariance[k][l] * h.first[l])
				}
			}
		}
	}
	return r
}

// closenessValue returns the closeness q = log m12/m13 without derivatives.
func (p place) closenessValue() float64 {
	m12, m13, _ := p.distances()
	return elementary.Log(m12 / m13)
}
