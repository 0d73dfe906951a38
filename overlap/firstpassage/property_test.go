package firstpassage

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/must"

	"pgregory.net/rapid"
)

// Times scale with 1/σ², and the masses may be exchanged.
func TestTimesScaleAndExchange(t *testing.T) {
	overlaptest.CheckSeldom(t, 15, func(t *rapid.T) {
		dim, beta, m := overlaptest.Dimensions.Draw(t, "dim"), rapid.Float64Range(0, 20).Draw(t, "beta"),
			everyMass(t, "mass")
		attention := everyAttention.Draw(t, "attention")
		logSigma := rapid.Float64Range(-50, 50).Draw(t, "log sigma")
		times := func(sigma, m1, m2 float64) [3]Time {
			d := must.Get(overlap.NewMasses(dim, beta, attention, sigma, m1, m2))(t)
			var result [3]Time
			for i, f := range []func() (Time, error){
				func() (Time, error) { return Lifetime(d) },
				func() (Time, error) { return DecayTime(d) },
				func() (Time, error) { return Exit(d, -0.3, -0.8, 0.4) },
			} {
				result[i] = must.Get(f())(t)
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

// Times, scale function and coefficients are finite for every model at every temperature, between any
// points including the ends.
func TestEveryPassageIsFinite(t *testing.T) {
	overlaptest.CheckSeldom(t, 150, func(t *rapid.T) {
		dim, beta, attention := overlaptest.Dimensions.Draw(t, "dim"), everyBeta.Draw(t, "beta"),
			everyAttention.Draw(t, "attention")
		var d *overlap.Diffusion
		var err error
		if rapid.Bool().Draw(t, "hybrid") {
			d, err = overlap.NewHybrid(dim, beta, attention, everyEpsilon.Draw(t, "epsilon"))
		} else {
			d, err = overlap.NewMasses(dim, beta, attention, 1,
				rapid.SampledFrom([]float64{1, 1.5, 1e3, overlap.MaxMass}).Draw(t, "mass"), 1)
		}
		if err != nil {
			t.Fatal(err)
		}
		from, to := overlaptest.Overlaps.Draw(t, "from"), overlaptest.Overlaps.Draw(t, "to")
		passage, err := Between(d, from, to)
		if !overlaptest.Refused(t, err) && !(passage.Value >= 0 && passage.Log == passage.Log) {
			t.Fatalf("passage time %v", passage)
		}
		if low, high := min(from, to), max(from, to); -1 < low && low < high && high < 1 {
			middle := max(low, min(high, 0.5*(low+high)))
			exit, err := Exit(d, middle, low, high)
			isTime := exit.Value >= 0 && exit.Log == exit.Log && !math.IsInf(exit.Log, 1)
			if !overlaptest.Refused(t, err) && !isTime {
				t.Fatalf("exit time %v", exit)
			}
		}
		if s := d.LogScale(from); s != s {
			t.Fatalf("scale function %v", s)
		}
	})
}
