package fokkerplanck

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/must"

	"pgregory.net/rapid"
)

// The law of the hybrid model is a probability law at any time, from any start, and without noise.
func TestEveryHybridHorizonIsALaw(t *testing.T) {
	longtest.Only(t)
	overlaptest.CheckSeldom(t, 7, func(t *rapid.T) {
		d := must.Get(overlap.NewHybrid(overlaptest.Dimensions.Draw(t, "dim"), everyBeta.Draw(t, "beta"),
			everyAttention.Draw(t, "attention"), everyEpsilon.Draw(t, "epsilon")))(t)
		times := []float64{math.Exp(rapid.Float64Range(-7, 7).Draw(t, "log horizon"))}
		laws, err := Uniform(d, times, 1e-3)
		if rapid.Bool().Draw(t, "point") {
			laws, err = From(d, overlaptest.Overlaps.Draw(t, "z0"), times, 1e-3)
		}
		if overlaptest.Refused(t, err) {
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

// The law at any time is a probability law with a positive Error, for any model, start and time.
func TestEveryHorizonIsALaw(t *testing.T) {
	attentions := rapid.SampledFrom([]overlap.Attention{overlap.Softmax, overlap.Unnormalized})
	draws := 0
	rapid.Check(t, func(t *rapid.T) {
		dim, beta, z0 := overlaptest.Dimensions.Draw(t, "dim"), rapid.Float64Range(0, 20).Draw(t, "beta"),
			overlaptest.Overlaps.Draw(t, "z0")
		attention, ratio := attentions.Draw(t, "attention"),
			rapid.SampledFrom([]float64{1, 1.5, 1e3, overlap.MaxMass}).Draw(t, "masses")
		horizon := math.Exp(rapid.Float64Range(-7, 7).Draw(t, "log horizon"))
		if draws++; draws > 12 {
			return
		}
		d := must.Get(overlap.NewMasses(dim, beta, attention, 1, 1, ratio))(t)
		laws := must.Get(From(d, z0, []float64{horizon}, 1e-3))(t)
		f, before := laws[0], 0.0
		for z := -1.0; z <= 1; z += 1.0 / 16 {
			p := f.Below(z)
			if !(p.Value >= before && p.Value <= 1 && p.Error >= 0 && p.Error <= 1) {
				t.Fatalf("P(Z ≤ %v) = %v after %v", z, p, before)
			}
			before = p.Value
		}
	})
}
