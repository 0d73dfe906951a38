package overlap

import (
	"math"
	"math/big"
	"testing"

	"antipode/overlap/internal/overlaptest"
)

var overlaps = []float64{-0.99, -0.5, 0, 0.25, 0.5, 0.9, 0.999}

func TestTwoDimensions(t *testing.T) {
	for _, beta := range []float64{0, 1e-9, 0.1, 1, 7, 100, 1000} {
		d := diffusion(t, 2, beta)
		for _, z0 := range overlaps {
			p := from(t, d, z0)
			near(t, "P(antipodal | z0)", p.Value, math.Acos(z0)/math.Pi, p.Error)
		}
		p := d.AntipodalUniform()
		near(t, "P(antipodal)", p.Value, 0.5, p.Error)
	}
}

func TestNoInteraction(t *testing.T) {
	for _, dim := range []int{3, 4, 10, 10000} {
		d := diffusion(t, dim, 0)
		if p := d.AntipodalUniform(); p != (Probability{}) {
			t.Errorf("dim %d: P(antipodal) = %v", dim, p)
		}
		for _, z0 := range overlaps {
			if p := from(t, d, z0); p != (Probability{}) {
				t.Errorf("dim %d: P(antipodal | %v) = %v", dim, z0, p)
			}
		}
	}
}

// d = 3, β → 0: P ~ β² log(2/(1+z0)), and ∫ log(2/(1+z)) dz/2 = 1.
func TestThreeDimensionsWithWeakInteraction(t *testing.T) {
	for _, beta := range []float64{1e-2, 1e-4, 1e-8, 1e-100} {
		d := diffusion(t, 3, beta)
		for _, z0 := range overlaps {
			near(t, "P/β²", from(t, d, z0).Value/beta/beta, math.Log(2/(1+z0)), 6*beta+1e-13)
		}
		near(t, "uniform P/β²", d.AntipodalUniform().Value/beta/beta, 1, 6*beta+1e-13)
	}
	if p := diffusion(t, 3, 1e-300).AntipodalUniform(); p.Value != 0 || p.Error > 1e-9 {
		t.Errorf("β² below float64: %v", p)
	}
}

// β ↓ βc: P ~ a(β) (S(1)-S(z0))/s₋ with the scale function at βc, where a = 2 tanh 2βc (β-βc) to first
// order.
func TestJustAboveTheThreshold(t *testing.T) {
	for _, dim := range []int{4, 5, 10, 100} {
		critical, _ := CriticalBeta(dim)
		at := diffusion(t, dim, critical)
		const left = -1 + 0x1p-45 // dS/du = s(z) (1-z²)
		limit := at.LogScaleDensity(left) + math.Log(0x1p-44)
		for _, above := range []float64{1e-5, 1e-7} {
			d := diffusion(t, dim, critical+above)
			a := 2 * math.Tanh(2*critical) * above
			for _, z0 := range []float64{-0.5, 0, 0.25} {
				want := a * math.Exp(at.LogScale(z0)-limit)
				near(t, "P / its limit", from(t, d, z0).Value/want, 1, 200*above+1e-8)
			}
		}
	}
}

// β → ∞ at fixed d: the first correction to arccos(z0)/π, with its constant C from a direct sum. The
// remainder falls like 1/β.
func TestStrongInteraction(t *testing.T) {
	for _, dim := range []int{3, 5, 50} {
		c := missingTail(float64(dim - 2))
		for _, z0 := range overlaps[:5] {
			left := func(beta float64) float64 {
				alpha := math.Acos(z0)
				first := alpha/math.Pi - (1-alpha/math.Pi)*c*math.Sqrt(2/beta)/math.Pi
				return (from(t, diffusion(t, dim, beta), z0).Value - first) * beta
			}
			quarter, whole := left(250), left(1000)
			if !(math.Abs(whole) <= 2*c*c) || !(math.Abs(whole-quarter) <= 0.12*c*c) {
				t.Errorf("dim %d, z0 %v: remainder times β is %v at 250, %v at 1000", dim, z0, quarter, whole)
			}
		}
	}
}

// missingTail returns C = ∫ e^(-r) (1-exp(-nF(r))) dr, F(r) = ∫_-∞^r sech(e^(-2x)) dx,
// by the trapezoidal rule, which converges geometrically here.
func missingTail(n float64) float64 {
	const step = 1.0 / 512
	sum, f := 0.0, 0.0
	for r := -5.0; r < 40; r += step {
		middle := step / math.Cosh(math.Exp(-2*(r+step/2)))
		f += middle / 2
		sum += step * math.Exp(-(r + step/2)) * -math.Expm1(-n*f)
		f += middle / 2
	}
	return sum
}

// β, d → ∞ with log(2d)/β = l: a step at z* = 1-l, approached like 1/β.
func TestStrongInteractionInHighDimension(t *testing.T) {
	for _, l := range []float64{0.1, 0.3} {
		step := math.Acos(1 - l)
		for _, z0 := range []float64{-0.9, -0.5, 0, 0.5} {
			want := (math.Acos(z0) - step) / (math.Pi - step)
			for _, beta := range []float64{30, 90} {
				n := math.Round(math.Exp(l*beta) / 2)
				got := from(t, diffusion(t, int(n)+2, beta), z0).Value
				near(t, "P(antipodal | z0)", got, want, 1.5/(beta*l))
			}
		}
	}
}

// In high dimension the uniform start requires about twice the threshold.
func TestUniformStartInHighDimension(t *testing.T) {
	const dim = 10000
	critical, _ := CriticalBeta(dim)
	low := diffusion(t, dim, 1.5*critical).AntipodalUniform().Value
	high := diffusion(t, dim, 2.5*critical).AntipodalUniform().Value
	if low > 0.01 || high < 0.1 {
		t.Errorf("P = %v at 1.5 βc, %v at 2.5 βc", low, high)
	}
}

// Just above βc the rounding error of βc dominates, and the printed error covers it: compared with the
// same limit with βc to 160 bits.
func TestErrorBoundJustAboveTheThreshold(t *testing.T) {
	for dim := 4; dim < 40; dim++ {
		critical, _ := CriticalBeta(dim)
		at := diffusion(t, dim, critical)
		limit := at.LogScaleDensity(-1+0x1p-45) + math.Log(0x1p-44)
		for ulps := 4.0; ulps < 1e4; ulps *= 5 {
			beta := critical + ulps*0x1p-51
			threshold := bigHalfArccosh(int64(dim - 2))
			above, _ := new(big.Float).Sub(overlaptest.BigNumber(beta), threshold).Float64()
			want := 2 * math.Tanh(2*critical) * above * math.Exp(at.LogScale(0.25)-limit)
			p := from(t, diffusion(t, dim, beta), 0.25)
			near(t, "P(antipodal | z0)", p.Value, want, p.Error+1e-9*want)
		}
	}
}
