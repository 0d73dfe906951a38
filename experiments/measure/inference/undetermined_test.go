package inference

import (
	"errors"
	"math/rand/v2"
	"testing"

	"antipode/internal/lists"
)

// A noise that does not depend on the parameters does not determine them, nor do scores of a single group or
// scores that are 0.
func TestUndeterminedParameters(t *testing.T) {
	d := chain{tokens: 3, dim: 5, depth: 10, sequences: 4, sigma2: 0.05, beta: 1}.
		data(rand.New(rand.NewPCG(1, 2)))
	fixed := func(t *transition, _ []float64, to []noise) {
		attention(nil)(t, []float64{0.05, 1}, to)
	}
	start := []float64{0.05, 1}
	_, _, climbing := d.climb(fixed, start, few)
	_, largest := d.maximise(fixed, start)
	_, curved := d.withErrors(fixed, start, d.scores(attention(nil), start))
	for name, err := range map[string]error{"climb": climbing, "maximum": largest, "errors": curved} {
		if !errors.Is(err, ErrUndetermined) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, scores := range map[string][][]float64{"none": {{0, 0}}, "one group": {{1, 2}}} {
		groups := map[string][]int{"none": {0, 1}, "one group": {0, 0}}[name]
		if _, err := groupProducts(scores, groups); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for range d.noises(fixed, start) {
		break // ends the iteration
	}
}

// In two dimensions all tokens have equal steps, which are no evidence that β is 0.
func TestEqualStepsInTwoDimensions(t *testing.T) {
	for dim, want := range map[int]bool{2: false, 3: true} {
		c := chain{tokens: 3, dim: dim, depth: 20, sequences: 10, sigma2: 0.05}
		d := c.data(rand.New(rand.NewPCG(2, 3)))
		if fit := d.equalSteps(attention(nil), false); (fit != nil) != want {
			t.Errorf("d = %d: %+v", dim, fit)
		}
	}
}

// Numbers at equal distances are as uniform as can be, and equal numbers are not.
func TestUniformityOfNumbers(t *testing.T) {
	equal := lists.Of(1000, func(int) float64 { return 0.5 })
	even := lists.Of(1000, func(k int) float64 { return (float64(k) + 0.5) / 1000 })
	if uniformity(even) != 1 || !(uniformity(equal) < 1e-9) {
		t.Errorf("p-values %v and %v", uniformity(even), uniformity(equal))
	}
}
