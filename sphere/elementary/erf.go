package elementary

import "math"

// Erf returns the error function of x, (2/√π) ∫_0^x e^{-t²} dt, within 1.25 ulp. Erf(±0) = ±0,
// Erf(±Inf) = ±1, Erf(NaN) = NaN. The distribution function of a standard normal random variable is
// Φ(x) = (1 + Erf(x/√2))/2.
func Erf(x float64) float64 {
	const certain = 6 // beyond this, 1 - erf x is below half an ulp of 1
	switch size := math.Abs(x); {
	case size <= 1:
		return math.FMA(x, erfNearZero(float64(x*x)), x)
	case size <= certain:
		return math.Copysign(1-erfcBeyondOne(size), x)
	case x != x:
		return x
	}
	return math.Copysign(1, x)
}

// erfNearZero returns erf(√z)/√z - 1 with the error function erf for z in [0, 1].
func erfNearZero(z float64) float64 {
	const (
		c0  = 0x1.06eba8214db69p-3
		c1  = -0x1.812746b0379e6p-2
		c2  = 0x1.ce2f21a042b30p-4
		c3  = -0x1.b82ce31284e00p-6
		c4  = 0x1.565bcd0dbaa38p-8
		c5  = -0x1.c02db3dac435fp-11
		c6  = 0x1.f9a321d5b8e1ep-14
		c7  = -0x1.f4d1e3183f7aep-17
		c8  = 0x1.b9df224ca4b97p-20
		c9  = -0x1.5f1ecb6f0764cp-23
		c10 = 0x1.f7b4bf3b13964p-27
		c11 = -0x1.389d4f2641625p-30
		c12 = 0x1.05ffd737fb32ep-34
	)
	p := math.FMA(math.FMA(math.FMA(c12, z, c11), z, c10), z, c9)
	p = math.FMA(math.FMA(math.FMA(math.FMA(p, z, c8), z, c7), z, c6), z, c5)
	p = math.FMA(math.FMA(math.FMA(math.FMA(p, z, c4), z, c3), z, c2), z, c1)
	return math.FMA(p, z, c0)
}

// erfcBeyondOne returns 1 - erf x for x in [1, 6], within a relative error of 2^-47. As 1 - erf x is at most
// 0.16, an error of 2^-47 is well below an ulp of erf x. The complement 1 - erf x is computed as e^{-x²}
// times a polynomial in (x-4)/(x+4).
func erfcBeyondOne(x float64) float64 {
	const (
		c0  = 0x1.18932bf08e154p-3
		c1  = -0x1.094922737431dp-2
		c2  = 0x1.bff01a5f908b3p-3
		c3  = -0x1.506666f69db86p-3
		c4  = 0x1.be502c3653e2fp-4
		c5  = -0x1.027d57453d772p-4
		c6  = 0x1.0066e10432712p-5
		c7  = -0x1.a4ded356baaf1p-7
		c8  = 0x1.0a17efedaf252p-8
		c9  = -0x1.a2f9b5936f7aep-11
		c10 = -0x1.6dabbd6cd1f73p-16
		c11 = 0x1.4b2b60f4bb367p-14
		c12 = -0x1.760b0f4f98bddp-16
		c13 = -0x1.f795cc47a2e9dp-21
		c14 = 0x1.2b4e5f7f9fc90p-18
		c15 = 0x1.8e87314f0c4e5p-21
	)
	t := (x - 4) / (x + 4)
	p := math.FMA(math.FMA(math.FMA(c15, t, c14), t, c13), t, c12)
	p = math.FMA(math.FMA(math.FMA(math.FMA(p, t, c11), t, c10), t, c9), t, c8)
	p = math.FMA(math.FMA(math.FMA(math.FMA(p, t, c7), t, c6), t, c5), t, c4)
	p = math.FMA(math.FMA(math.FMA(math.FMA(p, t, c3), t, c2), t, c1), t, c0)
	return float64(Exp(float64(-x*x)) * p)
}
