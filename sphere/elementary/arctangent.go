package elementary

import "math"

// Atan2 returns the angle in (-π, π] from the positive x axis to the point (x, y), within 2 ulp, for |x| and
// |y| up to 2^1021. The angle is π for y = ±0 and x < 0, and +0 for x = y = 0. Atan2 returns NaN if an
// argument is NaN, infinite or greater in size than 2^1021.
func Atan2(y, x float64) float64 {
	if !(math.Abs(x) <= 0x1p1021 && math.Abs(y) <= 0x1p1021) {
		return math.NaN()
	}
	a := firstQuadrant(math.Abs(y), math.Abs(x))
	if x < 0 {
		const piLow = 0x1.1a62633145c07p-53
		a = math.Pi - (a - piLow)
	}
	if y < 0 {
		return -a
	}
	return a
}

// firstQuadrant returns the angle from the positive x axis to the point (x, y) for x, y ≥ 0, as the sum of
// the nearest of five angles, each given in two parts, and a small angle.
func firstQuadrant(y, x float64) float64 {
	switch {
	case y < float64(0.4375*x):
		return atanNearZero(y / x)
	case y < float64(0.6875*x):
		return atanNear(y, x, 0.5, 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56)
	case y < float64(1.1875*x):
		return atanNear(y, x, 1, 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55)
	case y < float64(2.4375*x):
		return atanNear(y, x, 1.5, 0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56)
	case y == 0:
		return 0
	}
	return 0x1.921fb54442d18p+0 - (atanNearZero(x/y) - 0x1.1a62633145c07p-54)
}

// atanNear returns the arctangent of y/x, where y/x is near slope and high+low is the arctangent of slope.
func atanNear(y, x, slope, high, low float64) float64 {
	return high + (low + atanNearZero(math.FMA(-slope, x, y)/math.FMA(slope, y, x)))
}

// atanNearZero returns the arctangent of r for |r| ≤ 7/16.
func atanNearZero(r float64) float64 {
	coefficients := [...]float64{
		0x1.e40ade8e6b30dp-7, -0x1.0f5fd11677ccbp-5, 0x1.70003d828e51ep-5, -0x1.ab5964d962e7bp-5,
		0x1.e17074088e2d1p-5, -0x1.110c9c528646fp-4, 0x1.3b1375c51724bp-4, -0x1.745d154c29613p-4,
		0x1.c71c71bd297ddp-4, -0x1.24924924854d3p-3, 0x1.99999999998c5p-3, -0x1.5555555555555p-2,
	}
	z := r * r
	p := 0.0
	for _, c := range coefficients {
		p = math.FMA(p, z, c)
	}
	return math.FMA(float64(z*r), p, r)
}
