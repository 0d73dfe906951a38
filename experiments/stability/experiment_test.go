package stability

import (
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sde"
	"antipode/sphere/must"
)

func TestStabilityValidateNamesTheParameter(t *testing.T) {
	experimenttest.Refuse(t, New, []struct {
		Name, Problem string
		Change        func(e *Experiment)
	}{
		{"masses", "must be two whole numbers", func(s *Experiment) { s.Masses = nil }},
		{"masses", "must be two whole", func(s *Experiment) { s.Masses = [][2]int{{0, 2}} }},
		{"masses", "1,2 is there twice", func(s *Experiment) { s.Masses = [][2]int{{1, 2}, {1, 2}} }},
		{"dim", "1 is out of bounds", func(s *Experiment) { s.Dim = []int{1} }},
		{"beta", "e^2β overflows", func(s *Experiment) {
			s.Attention, s.Beta = sde.Unnormalized,
				[]float64{800}
		}},
		{"beta", "cells", func(s *Experiment) {
			s.Beta, s.Dim = setting.Steps(0, 50_000, 100),
				[]int{2, 3, 4}
		}},
		{"depth", "must be a whole number from 1", func(s *Experiment) { s.Depth = 0 }},
		{"law", "must be gaussian", func(s *Experiment) { s.Law = 7 }},
	})
	// Clusters that would last very long are refused before anything is simulated.
	s := New()
	s.Beta = []float64{0.5, 20}
	err := s.Run(t.Context(), run.Options{},
		data.SinkFunc(func(...data.Values) error { t.Error("a row"); return nil }))
	var problem *parameter.Error
	if !errors.As(err, &problem) || problem.Value != "20" ||
		!strings.Contains(problem.Problem, "units of time") {
		t.Errorf("β = 20: %v", err)
	}
}

// Simulated times agree with the theory, if the delay of observations at whole layers is taken into account,
// and would not agree with that of dimension 3. The standard errors of the logarithms of the two times are at
// most 1/√2000 and 1/√1000: 4.5 of them are one false alarm in 3·10^4 seeds.
func TestStabilityAgreesWithTheory(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	for _, law := range []sde.Law{sde.Gaussian, sde.Rademacher} { // simulated by the chain, and by tokens
		t.Run(law.String(), func(t *testing.T) { stabilityAgrees(t, law) })
	}
}

func stabilityAgrees(t *testing.T, law sde.Law) {
	s := New()
	s.Masses, s.Beta, s.Trajectories, s.Law = [][2]int{{2, 1}}, []float64{1.5}, 2000, law
	rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, s, run.Options{Seed: 1})))(t)
	r := rows[0]
	late := must.Get(s.lateness(r.Clusters))(t)
	if !(math.Abs(r.LifetimeTheory-7.42007094) <= 1e-8) ||
		!(math.Abs(r.DecayTimeTheory-8.30630879) <= 1e-8) ||
		r.First != 2 || r.Second != 1 {
		t.Errorf("clusters of %d and %d: theory %v and %v", r.First, r.Second, r.LifetimeTheory,
			r.DecayTimeTheory)
	}
	check := func(name string, measured, predicted, deviation float64) float64 {
		off := math.Abs(math.Log(measured/predicted)) / deviation
		t.Logf("%s %.3f, theory %.3f: %.1f standard errors", name, measured, predicted, off)
		return off
	}
	if off := check("lifetime", r.Lifetime, r.LifetimeTheory+late, 1/math.Sqrt(2000)); off > 4.5 {
		t.Errorf("lifetime is %.1f standard errors off", off)
	}
	if off := check("decay time", r.DecayTime, r.DecayTimeTheory, 1/math.Sqrt(1000)); off > 4.5 {
		t.Errorf("decay time is %.1f standard errors off", off)
	}
	wrong := must.Get(s.diffusion(Clusters{First: 1, Second: 2, Dim: 3, Beta: 1.5}))(t)
	times := must.Get(timesOf(wrong))(t)
	if check("lifetime", r.Lifetime, times[0], 1/math.Sqrt(2000)) < 4.5 ||
		check("decay time", r.DecayTime, times[1], 1/math.Sqrt(1000)) < 4.5 {
		t.Error("the theory of another dimension would pass: no power")
	}
}
