package sde

import (
	"math"

	"antipode/sphere/elementary"
)

// equalLayer is a layer of recursion (4) for two tokens, or clusters of equal mass: as
// A₁±A₂ = (p±q)(S or D),
//
//	S' = |S|(ŝ + a Gŝ), D' = |D|(d̂ + e Gd̂), a, e = σL^{-1/2}(p±q).
//
// In the frame, |S'|²|D'|² - <S',D'>² is the sum of the squares of the minors of the two
// vectors, without a difference of squares: where D' comes close to the direction of S',
// at an angle θ, its relative error grows like 1/sin θ only.
type equalLayer struct {
	attention Attention
	halfBeta  float64 // β/2
	noise     float64 // σL^{-1/2}, times e^β/2 for unnormalised attention
}

func newEqualLayer(c Cell) equalLayer {
	l := equalLayer{c.Attention, 0.5 * c.Beta, c.Sigma / math.Sqrt(float64(c.Depth))}
	if c.Attention == Unnormalized {
		l.noise *= 0.5 * elementary.Exp(c.Beta)
	}
	return l
}

// weights returns a and e, and the length that stands for 1: the vectors are shortened
// where the attention is large, lest their squares overflow.
func (l *equalLayer) weights(below float64) (a, e, unit float64) {
	ratio := elementary.Exp(-float64(l.halfBeta * below)) // e^{βZ} over e^β
	sum, difference := 1+ratio, 1-ratio
	if l.attention == Softmax {
		return l.noise, float64(l.noise*difference) / sum, 1
	}
	a = float64(l.noise * sum)
	unit = 1 / (1 + a)
	return float64(a * unit), float64(float64(l.noise*unit) * difference), unit
}

// advance takes the squares of S and D to the next layer.
func (l *equalLayer) advance(above, below float64, f *frame) (float64, float64) {
	a, e, unit := l.weights(below)
	s1, s2, s3 := math.FMA(a, f.g1, unit), float64(a*f.g2), float64(a*math.Sqrt(f.rest))
	d1, d2, d3 := float64(e*f.h1), math.FMA(e, f.h2, unit), float64(e*f.h3)
	more := float64(float64(e*e) * f.more)
	ss := math.FMA(s1, s1, math.FMA(s2, s2, float64(s3*s3)))
	dd := math.FMA(d1, d1, math.FMA(d2, d2, math.FMA(d3, d3, more)))
	m12 := math.FMA(s1, d2, -float64(s2*d1))
	m13 := math.FMA(s1, d3, -float64(s3*d1))
	m23 := math.FMA(s2, d3, -float64(s3*d2))
	minors := math.FMA(m12, m12, math.FMA(m13, m13, math.FMA(m23, m23, float64(ss*more))))
	return retract(float64(above*ss), float64(below*dd), float64(float64(above*below)*minors))
}
