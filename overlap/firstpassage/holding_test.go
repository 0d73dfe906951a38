package firstpassage_test

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// The lifetimes in the presence of ever weaker MLPs with ReLU and GELU grow with the exponent, which is
// known in closed form.
func TestHoldingExponent(t *testing.T) {
	for _, c := range []struct {
		dim  int
		beta float64
		a    activation.Activation
	}{{4, 1.5, activation.ReLU}, {7, 1.9, activation.GELU}} {
		attention := must.Get(overlap.New(c.dim, c.beta, overlap.Softmax, 1.3))(t)
		exponent, ok := attention.HoldingExponent()
		if want := (1 - float64(c.dim-2)/math.Cosh(2*c.beta)) / 2; !ok ||
			!(math.Abs(exponent-want) <= 1e-12) {
			t.Errorf("exponent %v, %v, want %v", exponent, ok, want)
		}
		life := func(strength float64) float64 {
			block, err := attention.WithMLP(overlap.MLP{Activation: c.a, Strength: strength, Variance: 1})
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := block.HoldingExponent(); ok {
				t.Error("an entrance holds")
			}
			time := must.Get(firstpassage.Lifetime(block))(t)
			return time.Log
		}
		if got := (life(1e-12) - life(1e-11)) / math.Ln10; !(math.Abs(got-exponent) <= 0.005) {
			t.Errorf("%+v: lifetimes grow with the exponent %v, want %v", c, got, exponent)
		}
	}
	if below, err := overlap.New(6, 0.5, overlap.Softmax, 1); err != nil {
		t.Fatal(err)
	} else if _, ok := below.HoldingExponent(); ok {
		t.Error("an end that does not attract holds")
	}
}
