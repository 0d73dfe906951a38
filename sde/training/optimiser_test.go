package training

import (
	"math"
	"testing"
)

// Four steps of each rule, with weight decay, from w = 0.7, agree with optax 0.2.8.
func TestOptimisers(t *testing.T) {
	for rule, want := range [][]float64{
		{0.6815, 0.7380925, 0.7319020375, 0.6282425273125001},
		{0.6815, 0.7232925, 0.7506100375, 0.6687110173124999},
		{0.6501347708894878, 0.6762141154501803, 0.6924854582424453, 0.6721220828721752},
		{0.6466661129568105, 0.6724067563191785, 0.6895207360390818, 0.6682005670552373},
	} {
		o := Optimiser{Rule: Rule(rule), Momentum: 0.8, Beta1: 0.85, Beta2: 0.97, Epsilon: 1e-3, Decay: 0.1}
		w, m, v := []float64{0.7}, []float64{0}, []float64{0}
		for k, g := range []float64{0.3, -1.2, 0.05, 2} {
			s := o.at(int64(k+1), 0.05, 1)
			s.move(w, []float64{g}, m, v, o.Decay)
			if !(math.Abs(w[0]-want[k]) <= 1e-13) {
				t.Errorf("%v: %v after step %d, want %v", o.Rule, w[0], k+1, want[k])
			}
		}
	}
	// With β = 0 for both moments, a step of Adam has the sign of the gradient.
	o := Optimiser{Rule: Adam, Epsilon: 1e-12}
	w := []float64{1}
	s := o.at(1, 0.5, 1)
	if s.move(w, []float64{-3}, []float64{0}, []float64{0}, 0); !(math.Abs(w[0]-1.5) <= 1e-11) {
		t.Errorf("%v", w)
	}
}

// In a warm-up of scores the factor grows linearly to 1.
func TestScoresWarmUp(t *testing.T) {
	for steps, want := range map[int64][3]float64{0: {1, 1, 1}, 1: {1, 1, 1}, 4: {0.25, 0.5, 1}} {
		m := Method{ScoreWarmup: steps}
		if got := [3]float64{m.scores(0), m.scores(1), m.scores(9)}; got != want {
			t.Errorf("%d steps: %v, want %v", steps, got, want)
		}
	}
}

// Learning rates for 4 steps of warm-up and 8 steps after it, computed by hand.
func TestSchedules(t *testing.T) {
	for decline, want := range [][]float64{
		{1, 2, 4, 4, 4, 4}, {1, 2, 4, 4, 2, 0.5}, {1, 2, 4, 4, 2, 0.15224093497742653},
		{1, 2, 4, 8 / math.Sqrt(5), 8 / 3., 8 / math.Sqrt(12)},
		{1, 2, 4, 4, 0.4, 0.04}, // a tenth from step 4.8 on, a hundredth from 9.6 on
	} {
		s := Schedule{Rate: 4, Warmup: 4, Decline: Decline(decline)}
		for k, step := range []int64{0, 1, 3, 4, 8, 11} {
			if got := s.At(step, 12); !(math.Abs(got-want[k]) <= 1e-14) {
				t.Errorf("%s: %v at step %d, want %v", DeclineNames[decline], got, step, want[k])
			}
		}
		s.Warmup = 0
		if got := s.At(0, 1); got != 4 {
			t.Errorf("%s: %v at the only step", DeclineNames[decline], got)
		}
	}
	// A step that is exactly at two or four fifths of all steps has the lower rate.
	for step, want := range []float64{4, 4, 0.4, 0.4, 0.04} {
		if got := (Schedule{Rate: 4, Decline: Tenths}).At(int64(step), 5); !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("%v at step %d of 5, want %v", got, step, want)
		}
	}
	// If all steps are warm-up, there is no division by the number of later steps.
	if got := (Schedule{Rate: 4, Warmup: 4, Decline: Cosine}).At(4, 4); got != 4 {
		t.Errorf("%v after a schedule of warm-up alone", got)
	}
}
