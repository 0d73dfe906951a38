package overlap

import (
	"math"
	"testing"

	"antipode/overlap/internal/line"
	"antipode/sphere/must"
)

// At β = 0, ψ = n = d-2 and with w = sqrt((1-z)/(1+z)): s = w^n/sqrt(1-z²) and
// S(1)-S(z) = ∫_0^w 2x^n/(1+x²) dx, which is elementary.
func TestScaleWithoutInteraction(t *testing.T) {
	for dim, tail := range map[int]func(w float64) float64{
		2: func(w float64) float64 { return 2 * math.Atan(w) },
		3: func(w float64) float64 { return math.Log1p(w * w) },
		4: func(w float64) float64 { return 2 * (w - math.Atan(w)) },
		5: func(w float64) float64 { return w*w - math.Log1p(w*w) },
	} {
		d := diffusion(t, dim, 0)
		n := float64(dim - 2)
		for z := -0.984375; z < 0.8; z += 0.03125 {
			w := math.Sqrt((1 - z) / (1 + z))
			near(t, "log scale", d.LogScale(z), math.Log(tail(w)), 1e-11)
			near(t, "log scale density", d.LogScaleDensity(z), n*math.Log(w)-math.Log(1-z*z)/2, 1e-12)
		}
	}
	// In high dimension 1/(1+x²) under x^n is expanded at its upper end.
	const n = 9998.0
	d := diffusion(t, n+2, 0)
	for _, z := range []float64{-0.9999, -0.5, 0, 0.5, 0.9999} {
		w := math.Sqrt((1 - z) / (1 + z))
		r := w * w / (1 + w*w)
		first := 1 / (n + 1) * (1 + 2*r/(n+3) + 8*r*r/((n+3)*(n+5)) + 48*r*r*r/((n+3)*(n+5)*(n+7)))
		want := (n+1)*math.Log(w) + math.Log(2*first/(1+w*w))
		near(t, "log scale", d.LogScale(z), want, 1e-11*(1+math.Abs(want)))
	}
}

func TestScaleAgainstQuadratureInZ(t *testing.T) {
	one := func(float64) float64 { return 1 }
	for _, dim := range []int{2, 3, 4, 20} {
		critical, _ := CriticalBeta(dim)
		for _, above := range []float64{0.2, 2, 10} {
			d, q := diffusion(t, dim, critical+above), newIntegrator(dim, critical+above)
			for _, z := range []float64{-1, -0.9, -0.3, 0, 0.6, 0.95} {
				want := math.Log(q.integral(z, 1, one) / q.smooth(0))
				near(t, "log scale", d.LogScale(z), want, 1e-11*(1+math.Abs(want)))
			}
		}
	}
}

// S'(z) = s(z) and (log s)' = -2 drift/variance: the scale function belongs to the diffusion. Checked by
// central differences, extrapolated twice.
func TestScaleBelongsToDiffusion(t *testing.T) {
	slope := func(f func(float64) float64, z float64) float64 {
		const h = 1e-3
		central := func(h float64) float64 { return (f(z+h) - f(z-h)) / (2 * h) }
		return (64*central(h/2) - 20*central(h) + central(2*h)) / 45
	}
	for _, dim := range []int{2, 3, 5, 40} {
		for _, beta := range []float64{0, 0.4, 2, 30} {
			d := diffusion(t, dim, beta)
			for z := -0.875; z < 0.9; z += 0.125 {
				logSlope := -2 * d.Drift(z) / d.Variance(z)
				near(t, "(log s)'", slope(d.LogScaleDensity, z), logSlope, 2e-8*float64(dim))
				ratio := -math.Exp(d.LogScaleDensity(z) - d.LogScale(z))
				near(t, "(log (S(1)-S))'", slope(d.LogScale, z), ratio, 2e-8*float64(dim))
			}
		}
	}
}

func TestScaleAtTheEnds(t *testing.T) {
	if got := must.Get(NewHybrid(3, 1, Softmax, 2))(t).LogScale(0.5); !math.IsInf(got, 1) {
		t.Errorf("LogScale = %v where +1 does not attract", got)
	}
	slow := line.Scale{Slope: func(float64) float64 { return 0 },
		Plus: line.Converging(1, 1e-310, line.Asymptote)}
	if got := slow.Tail(0, math.Inf(1)); got != line.Unbounded {
		t.Errorf("tail of almost a constant density %v", got)
	}
	if errorOfOne(false) != 1 || errorOfOne(true) != rounding {
		t.Error("a tail beyond float64 decides only where h is convex")
	}
	attracting, not := diffusion(t, 4, 1.5), diffusion(t, 4, 0.3)
	if got := not.LogScale(-1); !math.IsInf(got, 1) {
		t.Errorf("LogScale(-1) = %v where -1 does not attract", got)
	}
	if got := attracting.LogScale(1); !math.IsInf(got, -1) {
		t.Errorf("LogScale(1) = %v", got)
	}
	first, last := math.Nextafter(-1, 0), math.Nextafter(1, 0)
	for _, dim := range []int{2, 3, 100, 10000} {
		for _, beta := range []float64{0, 1, 1000} {
			d := diffusion(t, dim, beta)
			for _, z := range []float64{first, last} {
				if v := d.LogScale(z) + d.LogScaleDensity(z); math.IsInf(v, 0) || v != v {
					t.Errorf("dim %d, beta %v, z %v: %v, %v", dim, beta, z, d.LogScale(z),
						d.LogScaleDensity(z))
				}
			}
		}
	}
	for z := -1.0; z < 1; z += 0.125 {
		near(t, "P from the scale", math.Exp(attracting.LogScale(z)-attracting.LogScale(-1)),
			from(t, attracting, z).Value, 1e-11)
	}
}

// The attraction rate 1 - n/cosh 2β agrees with its definition where that does not suffer cancellation.
func TestAttraction(t *testing.T) {
	for _, dim := range []int{2, 3, 4, 100, 10000} {
		for _, beta := range []float64{0, 1e-3, 0.1, 1, 3, 5, 50, 300} {
			want := 1 - float64(dim-2)/math.Cosh(2*beta)
			near(t, "attraction", diffusion(t, dim, beta).model.(*clusters).attraction(), want,
				1e-13*float64(dim))
		}
		near(t, "attraction at β = 1000", diffusion(t, dim, 1000).model.(*clusters).attraction(), 1, 0)
	}
	near(t, "attraction / 2β² for dim 3", diffusion(t, 3, 1e-100).model.(*clusters).attraction()/2e-200, 1,
		1e-14)
}

// Beyond the asymptote ψ equals its limit, at the largest β.
func TestSlopeAtTheAsymptote(t *testing.T) {
	for _, dim := range []int{2, 3, 10000} {
		s := diffusion(t, dim, MaxBeta).Line().Scale()
		near(t, "slope on the left", s.Slope(-line.Asymptote), s.Minus.Slope, 1e-15)
		near(t, "slope on the right", s.Slope(line.Asymptote), s.Plus.Slope, 1e-15*float64(dim))
	}
}

// Densities with known tails: (cosh ku)^(-1/k) for k = 1 and 2, of slope tanh ku, whose limits are
// approached before the asymptote. The error bound must follow from the panels.
func TestTail(t *testing.T) {
	for k, want := range map[float64]float64{
		1: math.Pi / 2,
		2: math.Sqrt(math.Pi) / 4 * math.Gamma(0.25) / math.Gamma(0.75), // ∫_0^∞ (cosh 2u)^(-1/2) du
	} {
		s := line.Scale{
			Slope: func(u float64) float64 { return math.Tanh(k * u) },
			Minus: line.Converging(-1, -1, line.Asymptote), Plus: line.Converging(1, 1, line.Asymptote),
			Convex: true,
		}
		for _, direction := range []float64{-1, 1} {
			got := s.Tail(0, math.Inf(int(direction)))
			near(t, "tail", got.Mass, want, got.Uncertainty*want)
			if !(got.Uncertainty > 2e-15 && got.Uncertainty < 2e-12) {
				t.Errorf("uncertainty %v of a tail", got.Uncertainty)
			}
		}
	}
	flat := line.Scale{Slope: func(float64) float64 { return 0 }}
	if got := flat.Tail(0, math.Inf(1)); got != line.Unbounded {
		t.Errorf("tail of a constant density %v", got)
	}
	if got := (line.Scale{Slope: func(float64) float64 { return -100 },
		Plus: line.Converging(1, 1, line.Asymptote)}).Tail(0, math.Inf(1)); got != line.Unbounded {
		t.Errorf("tail beyond float64 %v", got)
	}
}

// Where h is steep and not known to be convex, the tail is computed as for a linear h. It does not take
// as many panels as h has e-folds.
func TestTailOfASteepScale(t *testing.T) {
	for _, d := range []*Diffusion{
		must.Get(NewHybrid(3, 2, Softmax, 1e-6))(t), must.Get(NewHybrid(3, 2, Softmax, 5e-324))(t),
		must.Get(NewMasses(10_000, 2, Softmax, 1, 1, MaxMass))(t),
	} {
		slope := d.Line().Scale().Slope(0)
		near(t, "log scale", d.LogScale(0), -math.Log(slope), 1e-3)
	}
	p, err := must.Get(NewMasses(10_000, 2, Softmax, 1, 1, MaxMass))(t).HitFrom(0, -0.5, 0.5)
	if err != nil || p.Value > 1e-300 || !(p.Value >= 0) {
		t.Errorf("P = %v, %v", p, err)
	}
}

// LogScale beyond float64, where the density has a peak of size e^thousands ahead, agrees with a direct
// sum over pieces on which the density is an exponential.
func TestLogScaleBeyondFloat64(t *testing.T) {
	d := must.Get(NewMasses(10_000, 3, Softmax, 1, 1, 30))(t)
	density := func(u float64) float64 {
		z := math.Tanh(u)
		return d.LogScaleDensity(z) + math.Log1p(-z*z)
	}
	for _, z := range []float64{-0.99, -0.5, 0.1} {
		const width = 1e-3
		u, sum := math.Atanh(z), math.Inf(-1)
		for left := density(u); u < 3; u += width {
			right := density(u + width)
			steep := math.Abs(right-left) + 1e-9
			sum = line.LogSum(sum, math.Log(width*-math.Expm1(-steep)/steep)+max(left, right))
			left = right
		}
		near(t, "logarithm of the scale", d.LogScale(z), sum, 2e-3)
	}
}
