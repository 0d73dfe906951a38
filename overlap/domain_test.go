package overlap

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var (
	everyAttention = rapid.SampledFrom([]Attention{Softmax, Unnormalized})
	everyEpsilon   = rapid.OneOf(rapid.Float64Range(0, 2), rapid.Float64Range(0, MaxEpsilon), rapid.SampledFrom([]float64{0, 5e-324, MaxEpsilon}))
	everyDepth     = rapid.Custom(func(t *rapid.T) int {
		return int(math.Exp(rapid.Float64Range(0, math.Log(1e6)).Draw(t, "log depth")))
	})
)

// everyMass draws masses other than 1.
func everyMass(t *rapid.T, name string) float64 {
	return math.Exp(rapid.Float64Range(1e-12, math.Log(MaxMass)).Draw(t, name))
}

// checkSeldom draws some cases of a property that takes milliseconds to look at.
func checkSeldom(t *testing.T, cases int, property func(t *rapid.T)) {
	drawn := 0
	rapid.Check(t, func(t *rapid.T) {
		if drawn++; drawn <= cases {
			property(t)
		}
	})
}

// known fails unless an error is that of a clock beyond float64.
func known(t *rapid.T, err error) (refused bool) {
	if err != nil && !strings.Contains(err.Error(), "are not available") && !strings.Contains(err.Error(), "is not available") {
		t.Fatal(err)
	}
	return err != nil
}

// Time runs like σ², and the masses may be exchanged.
func TestTimesScaleAndExchange(t *testing.T) {
	checkSeldom(t, 30, func(t *rapid.T) {
		dim, beta, m := everyDim.Draw(t, "dim"), rapid.Float64Range(0, 20).Draw(t, "beta"), everyMass(t, "mass")
		attention := everyAttention.Draw(t, "attention")
		logSigma := rapid.Float64Range(-50, 50).Draw(t, "log sigma")
		times := func(sigma, m1, m2 float64) [3]Time {
			d, err := NewMasses(dim, beta, attention, sigma, m1, m2)
			if err != nil {
				t.Fatal(err)
			}
			var result [3]Time
			for i, f := range []func() (Time, error){d.Lifetime, d.DecayTime, func() (Time, error) { return d.ExitTime(-0.3, -0.8, 0.4) }} {
				if result[i], err = f(); err != nil {
					t.Fatal(err)
				}
			}
			return result
		}
		one := times(1, 1, m)
		if other := times(1, m, 1); other != one {
			t.Fatalf("%v, and with masses exchanged %v", one, other)
		}
		for i, scaled := range times(math.Exp(logSigma), 1, m) {
			if off := scaled.Log + 2*logSigma - one[i].Log; !(math.Abs(off) < 1e-9*(1+math.Abs(one[i].Log))) {
				t.Fatalf("time %d: %v, with log σ = %v %v", i, one[i], logSigma, scaled)
			}
		}
	})
}

// The exponents of a layer are finite and belong together: the return exponent exists
// where λ < 0, solves its equation, and λ < 0 above the critical β of the depth alone.
func TestEveryDepth(t *testing.T) {
	checkSeldom(t, 250, func(t *rapid.T) {
		dim, beta, attention, depth := everyDim.Draw(t, "dim"), everyBeta.Draw(t, "beta"), everyAttention.Draw(t, "attention"), everyDepth.Draw(t, "depth")
		check := func(l Depth, err error) (lambda float64, refused bool) {
			if known(t, err) {
				return 0, true
			}
			lambda = l.Lyapunov()
			kappa, attracts := l.Return()
			if !finite(lambda) || attracts != (lambda < 0) || attracts && !(kappa > 0 && kappa < 0.5*float64(dim)) || !attracts && kappa != 0 {
				t.Fatalf("%+v: exponent %v, return exponent %v, %v", l, lambda, kappa, attracts)
			}
			if !attracts || -lambda*kappa < 1e-9*float64(dim) { // E(…) is 1 up to rounding between
				return lambda, false
			}
			power := func(kappa float64) float64 { return l.powers(kappa) / l.powers(0) }
			if at := power(kappa); kappa < 0.49*float64(dim) && !(math.Abs(at-1) < 1e-8) || !(power(0.5*kappa) < 1) {
				t.Fatalf("%+v: E(…)^(2κ) = %v at κ = %v, %v at half of it", l, at, kappa, power(0.5*kappa))
			}
			return lambda, false
		}
		if lambda, refused := check(SingleDepth(dim, beta, attention, 1, depth)); !refused && !(lambda < 0) {
			t.Fatalf("exponent %v at +1", lambda)
		}
		lambda, refused := check(AntipodalDepth(dim, beta, attention, 1, depth))
		limit, _ := CriticalBeta(dim)
		critical, ok, err := CriticalBetaDepth(dim, attention, 1, depth)
		switch {
		case err != nil || ok != (dim > 2) || ok && !(critical >= limit-1e-9 && critical <= MaxBeta):
			t.Fatalf("critical β %v, %v, %v; in the limit %v", critical, ok, err, limit)
		case refused || math.Abs(beta-critical) < 1e-6:
		case (lambda < 0) != (beta > critical || dim == 2):
			t.Fatalf("exponent %v at β = %v, critical %v", lambda, beta, critical)
		}
	})
}

// Times, scale and coefficients of every model at every temperature, between any points
// with the ends.
func TestEveryPassageIsFinite(t *testing.T) {
	checkSeldom(t, 150, func(t *rapid.T) {
		dim, beta, attention := everyDim.Draw(t, "dim"), everyBeta.Draw(t, "beta"), everyAttention.Draw(t, "attention")
		var d *Diffusion
		var err error
		if rapid.Bool().Draw(t, "hybrid") {
			d, err = NewHybrid(dim, beta, attention, everyEpsilon.Draw(t, "epsilon"))
		} else {
			d, err = NewMasses(dim, beta, attention, 1, rapid.SampledFrom([]float64{1, 1.5, 1e3, MaxMass}).Draw(t, "mass"), 1)
		}
		if err != nil {
			t.Fatal(err)
		}
		from, to := everyZ.Draw(t, "from"), everyZ.Draw(t, "to")
		passage, err := d.PassageTime(from, to)
		if !known(t, err) && !(passage.Value >= 0 && passage.Log == passage.Log) {
			t.Fatalf("passage time %v", passage)
		}
		if low, high := min(from, to), max(from, to); -1 < low && low < high && high < 1 {
			middle := max(low, min(high, 0.5*(low+high)))
			exit, err := d.ExitTime(middle, low, high)
			if !known(t, err) && !(exit.Value >= 0 && exit.Log == exit.Log && !math.IsInf(exit.Log, 1)) {
				t.Fatalf("exit time %v", exit)
			}
		}
		if s := d.LogScale(from); s != s {
			t.Fatalf("scale function %v", s)
		}
	})
}

// The law of the hybrid model at any time, from any start, and without noise.
func TestEveryHybridHorizonIsALaw(t *testing.T) {
	checkSeldom(t, 14, func(t *rapid.T) {
		d, err := NewHybrid(everyDim.Draw(t, "dim"), everyBeta.Draw(t, "beta"), everyAttention.Draw(t, "attention"), everyEpsilon.Draw(t, "epsilon"))
		if err != nil {
			t.Fatal(err)
		}
		times := []float64{math.Exp(rapid.Float64Range(-7, 7).Draw(t, "log horizon"))}
		laws, err := d.EvolveUniform(times, 1e-3)
		if rapid.Bool().Draw(t, "point") {
			laws, err = d.EvolveFrom(everyZ.Draw(t, "z0"), times, 1e-3)
		}
		if known(t, err) {
			return
		}
		before := 0.0
		for z := -1.0; z <= 1; z += 1.0 / 16 {
			p := laws[0].Below(z)
			if !(p.Value >= before && p.Value <= 1 && p.Error >= 0 && p.Error <= 1) {
				t.Fatalf("P(Z ≤ %v) = %v after %v", z, p, before)
			}
			before = p.Value
		}
	})
}
