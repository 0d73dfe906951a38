package steppers

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sde/internal/attention"
	"antipode/sde/internal/fields"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// With products of matrices, value matrices give the same layer as with loops, and tokens that coincide get
// the same bits.
func TestHeadsByProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 7))
	const tokens, dim = 9, 48
	settings := attention.Settings{
		Attention: fields.Attention{Beta: 0.9, Softmax: true, Count: tokens, Dim: dim}, Spread: 0.8}
	layer := Layer{Heads: 2, Values: dim * dim, Noise: 0.4, Drift: 0.06, MLPFactor: 0.4,
		MLP: &MLP{activation.Tanh, 0.6, 2, 3}}
	stepper := NewSublayers(attention.New(settings), layer)
	loops := NewSublayers(attention.New(settings), layer)
	if stepper.products == nil {
		t.Fatal("no products")
	}
	loops.products, loops.pushed = nil, loops.pushed[:dim]
	increment := make([]float64, stepper.IncrementLen())
	for k := range increment {
		increment[k] = r.NormFloat64()
	}
	x := uniformTokens(r, tokens, dim)
	copy(x[dim:2*dim], x[4*dim:5*dim])
	want := slices.Clone(x)
	must.Do(t, stepper.Step(x, increment))
	must.Do(t, loops.Step(want, increment))
	for k := range x {
		if !(math.Abs(x[k]-want[k]) <= 1e-13) {
			t.Errorf("coordinate %d: %v, want %v", k, x[k], want[k])
		}
	}
	if !slices.Equal(x[dim:2*dim], x[4*dim:5*dim]) {
		t.Error("coincident tokens differ")
	}
}
