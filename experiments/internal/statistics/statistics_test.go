package statistics

import (
	"math"
	"testing"
)

func TestDeviations(t *testing.T) {
	half := func(x float64) float64 { return x / 2 }
	if mean, squares := Deviations([]float64{2, 4, 12}, half); mean != 3 || squares != 4+1+9 {
		t.Errorf("mean %v, squares %v; want 3 and 14", mean, squares)
	}
	if mean, squares := Deviations([]float64{5}, half); mean != 2.5 || squares != 0 {
		t.Errorf("mean %v, squares %v of a single sample; want 2.5 and 0", mean, squares)
	}
}

func TestEstimateOf(t *testing.T) {
	half := func(x float64) float64 { return x / 2 }
	e := EstimateOf([]float64{2, 4, 12}, half)
	// √(variance/3), where the variance is (4+1+9)/2
	if want := math.Sqrt(7. / 3); e.Value != 3 || !(math.Abs(e.Stderr-want) <= 1e-15) {
		t.Errorf("mean %v, standard error %v; want 3 and %v", e.Value, e.Stderr, want)
	}
	if e := EstimateOf([]float64{2, 4}, half); e.Value != 1.5 || e.Stderr != 0.5 {
		t.Errorf("mean %v, standard error %v of two samples; want 1.5 and 0.5", e.Value, e.Stderr)
	}
	if e := EstimateOf([]float64{5}, half); e.Value != 2.5 || !math.IsNaN(e.Stderr) {
		t.Errorf("mean %v, standard error %v of a single sample; want 2.5 and NaN", e.Value, e.Stderr)
	}
}
