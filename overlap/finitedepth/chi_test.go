package finitedepth

import (
	"math"
	"testing"
)

// Δ_k(ν) = ∫_0^∞ e^(-νs/2) (1-(1-s)₊^(k/2-1)) ds/s, from E log X = ∫ (e^-t - E e^(-tX)) dt/t.
func TestLogChiAgainstItsIntegral(t *testing.T) {
	for _, k := range []int{2, 3, 4, 7, 60, 900} {
		for _, nu := range []float64{1e-3, 0.5, 7, 90, 300, 5000, 60000} {
			power := float64(k)/2 - 1
			sum := 0.0
			const step = 1.0 / 64
			for v := -60.0; v < 60; v += step { // s = e^v up to 1 and beyond, apart
				s := 1 / (1 + math.Exp(-v))
				if power > 0 && s < 1 {
					sum += step * math.Exp(-nu*s/2) * -math.Expm1(power*math.Log1p(-s)) * (1 - s)
				}
				if v < 14 {
					s = 1 + math.Exp(v)
					sum += step * math.Exp(-nu*s/2) / s * (s - 1)
				}
			}
			near(t, "Δ", logChi(k, nu), sum, 1e-13+1e-12*math.Abs(sum))
		}
	}
}

// The series and the Poisson sum agree where they meet, and both with known moments.
func TestChiPower(t *testing.T) {
	for _, k := range []int{1, 2, 5, 40} {
		for _, nu := range []float64{0.01, 1, 30, 400, 3000, 1e5} {
			n := float64(k)
			near(t, "E χ²/ν", chiPower(k, nu, 1), (n+nu)/nu, 1e-12*(n+nu)/nu)
			second := (n+nu)*(n+nu) + 2*n + 4*nu
			near(t, "E χ⁴/ν²", chiPower(k, nu, 2), second/nu/nu, 1e-12*second/nu/nu)
			near(t, "E 1", chiPower(k, nu, 0), 1, 1e-12)
			const h = 1e-4
			slope := (chiPower(k, nu, h) - chiPower(k, nu, -h)) / (2 * h)
			near(t, "slope of the moments", slope, logChi(k, nu),
				1e-6*(1+math.Abs(math.Pow(logChi(k, nu), 3))))
		}
	}
}

// The series of the heat equation stops before its terms fall too slowly.
func TestHeat(t *testing.T) {
	near(t, "slow", sumSeries(1, func(float64) float64 { return 0.95 }), 1, 0)
	near(t, "fast", sumSeries(1, func(float64) float64 { return 0.5 }), 2, 1e-15)
}
