package hybrid

import (
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

func TestHybridValidateNamesTheParameter(t *testing.T) {
	for _, c := range []struct {
		parameter, problem string
		change             func(h *Hybrid)
	}{
		{"beta", "no values", func(h *Hybrid) { h.Beta = nil }},
		{"epsilon", "-1 is out of bounds", func(h *Hybrid) { h.Epsilon = []float64{-1} }},
		{"epsilon", "NaN is out of bounds", func(h *Hybrid) { h.Epsilon = []float64{math.NaN()} }},
		{"epsilon", "cells", func(h *Hybrid) { h.Beta, h.Epsilon = grids.Steps(0, 1000, 100), grids.Steps(0, 1000, 100) }},
		{"dim", "must be a whole number from 2", func(h *Hybrid) { h.Dim = 1 }},
		{"attention", "must be softmax or unnormalized", func(h *Hybrid) { h.Attention = -1 }},
		{"law", "must be gaussian", func(h *Hybrid) { h.Law = 7 }},
		{"horizon", "whole number of layers", func(h *Hybrid) { h.Depth, h.Horizon = 10, 0.25 }},
		{"beta", "e^2β overflows", func(h *Hybrid) { h.Beta = []float64{1, 800} }},
	} {
		h := New()
		c.change(h)
		err := h.Validate()
		var problem *parameter.Error
		if !errors.As(err, &problem) || problem.Parameter != c.parameter || !strings.Contains(problem.Problem, c.problem) {
			t.Errorf("error %v, want %s: %s", err, c.parameter, c.problem)
		}
	}
}

func hybridCell(t *testing.T, attention sde.Attention, epsilon float64, depth int64, horizon float64, trajectories int64) *hybridCells {
	t.Helper()
	h := New()
	h.Attention, h.Beta, h.Epsilon = attention, []float64{1}, []float64{epsilon}
	h.Depth, h.Horizon, h.Trajectories = depth, horizon, trajectories
	c, err := ReadHybrid(experimenttest.Table(t, h, run.Options{Seed: 1}))
	if err != nil {
		t.Fatal(err)
	}
	if c.epsilon[0] != epsilon || c.beta[0] != 1 {
		t.Fatalf("the row is of β = %g, ε = %g", c.beta[0], c.epsilon[0])
	}
	return c
}

// Simulation and theory agree, at a depth whose own effect is below half a standard
// error, and would not if the noise had variance ε instead of ε². 4.5 standard errors
// of two fractions: a false alarm in 7·10^4 seeds.
func TestHybridAgreesWithTheory(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	c := hybridCell(t, sde.Softmax, 1.3, 100, 20, 1500)
	if sigmas := c.difference(0); sigmas > 4.5 {
		t.Errorf("%v antipodal and %v single of %v, theory %v and %v: %.1f standard errors",
			c.antipodal, c.single, c.trajectories, c.antipodalHorizon, c.singleHorizon, sigmas)
	}
	wrong, err := overlap.NewHybrid(3, 1, overlap.Softmax, math.Sqrt(1.3))
	if err != nil {
		t.Fatal(err)
	}
	law, err := fokkerplanck.Uniform(wrong, []float64{20}, 1e-5)
	if err != nil {
		t.Fatal(err)
	}
	if off := outcomes.Deviation(c.antipodal[0], c.trajectories[0], law[0].Antipodal(1e-3).Value); off < 4.5 {
		t.Errorf("a wrong theory would be only %.1f standard errors off: no power", off)
	}
}

// Softmax has both outcomes between its thresholds, unnormalised attention one
// threshold: values that were computed by other programs.
func TestHybridTheory(t *testing.T) {
	for _, want := range []struct {
		epsilon, limit, antipodal, single float64
	}{
		{1.2, 0.71702256, 0.43651, 0.27318}, {1.3, 0.88637863, 0.78015, 0.12382},
	} {
		c := hybridCell(t, sde.Softmax, want.epsilon, 1, 50, 1)
		if math.Abs(c.limit[0]-want.limit) > 1e-8 || math.Abs(c.antipodalHorizon[0]-want.antipodal) > 1e-4 || math.Abs(c.singleHorizon[0]-want.single) > 1e-4 {
			t.Errorf("ε = %g: limit %v, at time 50 %v antipodal and %v single, want %+v", want.epsilon, c.limit[0], c.antipodalHorizon[0], c.singleHorizon[0], want)
		}
		if !c.both(0) {
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
		if c.limit[0] != want || c.both(0) || math.Abs(c.singleThreshold[0]-threshold) > 1e-15 || c.antipodalThreshold[0] != c.singleThreshold[0] {
			t.Errorf("ε = %g: limit %v, thresholds %v and %v", epsilon, c.limit[0], c.singleThreshold[0], c.antipodalThreshold[0])
		}
	}
}
