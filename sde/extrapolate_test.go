package sde

import (
	"math"
	"testing"
)

// Extrapolation against the exact value, within 4.5 standard errors; false alarm 7e-6. The
// bias at depth 64 without it is 0.01, twenty times that with it.
func TestExtrapolationOfABrownianMotionOnTheSphere(t *testing.T) {
	e, want := brownianToken(t, Euler, 32)
	got, err := e.Extrapolate(t.Context(), 0.003)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v, want %v", got, want)
	if got.StandardError > 0.003 || math.Abs(got.Value-want) > 4.5*got.StandardError {
		t.Errorf("%v ± %v, want %v", got.Value, got.StandardError, want)
	}
	if bias := got.Fine - want; bias < 1.5*got.StandardError || math.Abs(bias+got.Shift) > 4.5*got.StandardError {
		t.Errorf("bias %v, shift %v", bias, got.Shift)
	}
	if math.Abs(got.Value-(2*got.Fine-got.Coarse)) > 1e-12 || math.Abs(got.Shift-(got.Fine-got.Coarse)) > 1e-12 {
		t.Errorf("%+v does not fit together", got)
	}
}
