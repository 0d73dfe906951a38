package overlap

import (
	"math"
	"strings"
	"testing"

	"antipode/sde"
)

// A number that cannot be computed is null in the row, the report says why, and the other numbers are there.
func TestWhatIsNotThereIsNull(t *testing.T) {
	unlimited := New()
	unlimited.Beta, unlimited.Attention = []float64{1000}, sde.Unnormalized
	r, err := unlimited.row(4, 1000)
	if err != nil || !math.IsNaN(r.Lyapunov) || !math.IsNaN(r.Within) || !math.IsNaN(r.Between) ||
		!(r.Antipodal > 0.49 && r.Single > 0.5) {
		t.Errorf("e^2000: %+v, %v", r, err)
	}
	text := strings.Join(unlimited.sentences(r), "\n")
	if !strings.Contains(text, "beyond 1.8e308 per unit of time") || strings.Contains(text, "Inf") {
		t.Errorf("e^2000:\n%s", text)
	}
	unequal := New()
	unequal.Masses, unequal.Attention = [2]float64{1, 9}, sde.Unnormalized
	r, err = unequal.row(4, 340)
	if err != nil || !math.IsNaN(r.Lifetime) || !math.IsNaN(r.LogLifetime) || r.Single != 1 {
		t.Errorf("times of e^680: %+v, %v", r, err)
	}
	if text := strings.Join(unequal.sentences(r), "\n"); !strings.Contains(text, "times are not available") {
		t.Errorf("times of e^680:\n%s", text)
	}
	horizon, quiet := 10.0, 1e-160
	hybrid := New()
	hybrid.Epsilon, hybrid.Horizon = Noises{quiet}, &horizon
	r, err = hybrid.row(4, 1)
	if err != nil || !math.IsNaN(r.AntipodalHorizon) || r.Single != 1 {
		t.Errorf("noise of 1e-320: %+v, %v", r, err)
	}
	if text := strings.Join(hybrid.sentences(r), "\n"); !strings.Contains(text,
		"unknown: overlap: times are") {
		t.Errorf("noise of 1e-320:\n%s", text)
	}
	short := 0.001
	rough := New()
	rough.Horizon, rough.Tolerance = &short, 1e-4
	if r, err = rough.row(10_000, 1); err != nil || !math.IsNaN(r.SingleHorizon) || r.AntipodalHorizon != 0 {
		t.Errorf("the front of the law: %+v, %v", r, err)
	}
	if text := strings.Join(rough.sentences(r), "\n"); !strings.Contains(text,
		"unknown values are not accurate to 0.001") {
		t.Errorf("the front of the law:\n%s", text)
	}
}

// The estimated error stands after the probability whose error it is.
func TestErrorOfOneOfTwoProbabilities(t *testing.T) {
	nan := math.NaN()
	for want, p := range map[string][3]float64{
		"P(antipodal) = 0.25, P(single) = 0.5, estimated error 1e-10":     {0.25, 0.5, 1e-10},
		"P(antipodal) = 0.25, estimated error 2e-10, P(single) = unknown": {0.25, nan, 2e-10},
		"P(antipodal) = unknown, P(single) = 0.5, estimated error 3e-10":  {nan, 0.5, 3e-10},
		"P(antipodal) = unknown, P(single) = unknown":                     {nan, nan, 1e-9},
		"P(antipodal) = 0.125, P(single) = 0.5":                           {0.125, 0.5, nan},
	} {
		if got := lawText(p[0], p[1], p[2]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
