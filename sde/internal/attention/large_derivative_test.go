package attention

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sde/internal/fields"
	"antipode/sphere"
)

// Derivatives of the attention field by matrix products are those by loops over pairs of tokens, with common
// and with independent noise.
func TestDerivativesByProducts(t *testing.T) {
	const tokens, dim = 11, 6
	random := rand.New(rand.NewPCG(7, 1))
	normal := func(n int) []float64 {
		x := make([]float64, n)
		for k := range x {
			x[k] = random.NormFloat64()
		}
		return x
	}
	x := normal(tokens * dim)
	for i := range tokens {
		sphere.Normalize(x[i*dim:(i+1)*dim], x[i*dim:(i+1)*dim])
	}
	for _, interaction := range [][]float64{nil, normal(dim * dim)} {
		for _, softmax := range []bool{false, true} {
			for _, independent := range []bool{false, true} {
				s := Settings{Attention: fields.Attention{Count: tokens, Dim: dim, Beta: 0.7,
					Softmax: softmax, Interaction: interaction}}
				byProducts := NewDerivative(New(s), independent)
				byLoops := NewDerivative(NewByLoops(s), independent)
				if !byProducts.ByProducts() || byLoops.ByProducts() {
					t.Fatal("both are computed in the same way")
				}
				for name, of := range map[string]func(f *Derivative, dst, field []float64, i int){
					"traces": func(f *Derivative, dst, field []float64, i int) {
						f.AlongTraces(dst, x, field, i)
					},
					"contraction": func(f *Derivative, dst, field []float64, i int) {
						f.NoiseContraction(dst, x, field, i)
					},
				} {
					all := [2][]float64{}
					for k, f := range []*Derivative{byProducts, byLoops} {
						field, dst := make([]float64, tokens*dim), make([]float64, dim)
						f.Field(field, x)
						f.Prepare(x, field)
						for i := range tokens {
							of(f, dst, field, i)
							all[k] = append(all[k], dst...)
						}
					}
					for k, got := range all[0] {
						if want := all[1][k]; !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
							t.Errorf("softmax %v, matrix %v, independent %v: %s %d is %v, by loops %v",
								softmax, interaction != nil, independent, name, k, got, want)
						}
					}
				}
			}
		}
	}
}
