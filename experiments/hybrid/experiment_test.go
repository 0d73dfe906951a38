package hybrid

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere/must"
)

func TestHybridValidateNamesTheParameter(t *testing.T) {
	experimenttest.Refuse(t, New, []struct {
		Name, Problem string
		Change        func(e *Experiment)
	}{
		{"beta", "no values", func(h *Experiment) { h.Beta = nil }},
		{"epsilon", "-1 is out of bounds", func(h *Experiment) { h.Epsilon = []float64{-1} }},
		{"epsilon", "NaN is out of bounds", func(h *Experiment) { h.Epsilon = []float64{math.NaN()} }},
		{"epsilon", "cells", func(h *Experiment) {
			h.Beta, h.Epsilon = setting.Steps(0, 1000, 100), setting.Steps(0, 1000, 100)
		}},
		{"dim", "must be a whole number from 2", func(h *Experiment) { h.Dim = 1 }},
		{"attention", "must be softmax or unnormalized", func(h *Experiment) { h.Attention = -1 }},
		{"law", "must be gaussian", func(h *Experiment) { h.Law = 7 }},
		{"horizon", "whole number of layers", func(h *Experiment) { h.Depth, h.Horizon = 10, 0.25 }},
		{"beta", "e^2β overflows", func(h *Experiment) { h.Beta = []float64{1, 800} }},
	})
}

// hybridCell returns the row of one cell at β = 1.
func hybridCell(
	t *testing.T, attention sde.Attention, epsilon float64, depth int64, horizon float64, trajectories int64,
) Row {
	t.Helper()
	h := New()
	h.Attention, h.Beta, h.Epsilon = attention, []float64{1}, []float64{epsilon}
	h.Depth, h.Horizon, h.Trajectories = depth, horizon, trajectories
	rows, err := data.RowsOf[Row](experimenttest.Table(t, h, run.Options{Seed: 1}))
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, error %v", len(rows), err)
	}
	if rows[0].Epsilon != epsilon || rows[0].Beta != 1 {
		t.Fatalf("the row is of β = %g, ε = %g", rows[0].Beta, rows[0].Epsilon)
	}
	return rows[0]
}

// Simulated fractions agree with the theory, at a depth whose effect is less than half a standard error, and
// would not agree if the noise had variance ε instead of ε². 4.5 standard errors of two fractions: one false
// alarm in 7·10^4 seeds.
func TestHybridAgreesWithTheory(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	c := hybridCell(t, sde.Softmax, 1.3, 100, 20, 1500)
	if sigmas := c.difference(); sigmas > 4.5 {
		t.Errorf("%d antipodal and %d single of %d, theory %v and %v: %.1f standard errors",
			c.Antipodal, c.Single, c.Trajectories, c.AntipodalHorizon, c.SingleHorizon, sigmas)
	}
	wrong := must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, math.Sqrt(1.3)))(t)
	law := must.Get(fokkerplanck.Uniform(wrong, []float64{20}, 1e-5))(t)
	off := outcomes.Deviation(c.Antipodal, c.Trajectories, law[0].Antipodal(1e-3).Value)
	if off < 4.5 {
		t.Errorf("a wrong theory would be only %.1f standard errors off: no power", off)
	}
}

// With softmax both outcomes attract for ε between two thresholds; with unnormalised attention there is only
// one threshold. The expected values were computed by other programs.
func TestHybridTheory(t *testing.T) {
	for _, want := range []struct {
		epsilon, limit, antipodal, single float64
	}{
		{1.2, 0.71702256, 0.43651, 0.27318}, {1.3, 0.88637863, 0.78015, 0.12382},
	} {
		c := hybridCell(t, sde.Softmax, want.epsilon, 1, 50, 1)
		if math.Abs(c.Limit-want.limit) > 1e-8 || math.Abs(c.AntipodalHorizon-want.antipodal) > 1e-4 ||
			math.Abs(c.SingleHorizon-want.single) > 1e-4 {
			t.Errorf("ε = %g: limit %v, at time 50 %v antipodal and %v single, want %+v", want.epsilon,
				c.Limit, c.AntipodalHorizon, c.SingleHorizon, want)
		}
		if !c.both() {
			t.Errorf("ε = %g: not both outcomes attract", want.epsilon)
		}
	}
	threshold := math.Sqrt(2 * math.Exp(-1))
	for _, epsilon := range []float64{0.999 * threshold, 1.001 * threshold} {
		c := hybridCell(t, sde.Unnormalized, epsilon, 1, 1, 1)
		want := 0.
		if epsilon > threshold {
			want = 1
		}
		if c.Limit != want || c.both() || math.Abs(c.EpsilonSingle-threshold) > 1e-15 ||
			c.EpsilonAntipodal != c.EpsilonSingle {
			t.Errorf("ε = %g: limit %v, thresholds %v and %v", epsilon, c.Limit, c.EpsilonSingle,
				c.EpsilonAntipodal)
		}
	}
}
