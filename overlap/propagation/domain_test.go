package propagation

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
)

// The domains of all arguments end where the constants say.
func TestDomains(t *testing.T) {
	above, below, nan, inf := domaintest.Above, domaintest.Below, math.NaN(), math.Inf(1)
	for _, c := range []struct {
		what  string
		field func(b *Block) *float64
		top   float64
	}{
		{"β", func(b *Block) *float64 { return &b.Beta }, math.MaxFloat64},
		{"σ_v²", func(b *Block) *float64 { return &b.SigmaV2 }, 1e6},
		{"σ_w²", func(b *Block) *float64 { return &b.SigmaW2 }, 1e6},
		{"σ_b²", func(b *Block) *float64 { return &b.SigmaB2 }, 1e6},
		{"α of attention", func(b *Block) *float64 { return &b.AlphaSA }, 1e3},
		{"α of the MLP", func(b *Block) *float64 { return &b.AlphaMLP }, 1e3},
	} {
		domaintest.Check(t, c.what, func(x float64) error {
			b := bert()
			*c.field(&b) = x
			_, err := NewMap(b)
			return err
		}, []float64{0, c.top}, []float64{domaintest.Below(0), above(c.top), nan, inf})
	}
	of := func(change func(b *Block)) error {
		b := bert()
		change(&b)
		_, err := NewMap(b)
		return err
	}
	domaintest.Check(t, "tokens", func(x float64) error { return of(func(b *Block) { b.Tokens = x }) },
		[]float64{2, MaxCrossTokens, inf}, []float64{below(2), above(MaxCrossTokens), nan, -inf})
	domaintest.Check(t, "kind", func(k Kind) error { return of(func(b *Block) { b.Kind = k }) },
		[]Kind{0, 3}, []Kind{-1, 4})
	domaintest.Check(t, "activation", func(a Activation) error {
		return of(func(b *Block) { b.Activation = a })
	},
		[]Activation{0, Activation(len(ActivationNames) - 1)},
		[]Activation{-1, Activation(len(ActivationNames))})

	domaintest.Check(t, "squared norm", func(q float64) error { return checkRun(State{q, 0}, 1) },
		[]float64{5e-324, math.MaxFloat64}, []float64{0, -1, nan, inf})
	domaintest.Check(t, "overlap", func(p float64) error { return checkRun(State{2, p}, 1) },
		[]float64{0, 2}, []float64{domaintest.Below(0), above(2), nan})
	domaintest.Check(t, "layers", func(layers int) error { return checkRun(State{1, 0}, layers) },
		[]int{0, 1}, []int{-1})

	domaintest.Check(t, "tokens of a row", func(x float64) error { return checkScores(x, 1) },
		[]float64{2, MaxTokens}, []float64{below(2), above(MaxTokens), nan, inf})
	domaintest.Check(t, "deviation", func(x float64) error { return checkScores(2, x) },
		[]float64{0, MaxDeviation}, []float64{domaintest.Below(0), above(MaxDeviation), nan})
	cross := func(tokens, deviation, rho float64) error {
		_, err := CrossParticipation(tokens, deviation, rho)
		return err
	}
	domaintest.Check(t, "tokens of two rows", func(x float64) error { return cross(x, 0, 0.5) },
		[]float64{2, MaxCrossTokens}, []float64{below(2), above(MaxCrossTokens), nan, inf})
	domaintest.Check(t, "deviation of two rows", func(x float64) error { return cross(2, x, 0) },
		[]float64{0, MaxCrossDeviation}, []float64{domaintest.Below(0), above(MaxCrossDeviation), nan})
	domaintest.Check(t, "correlation of two rows", func(x float64) error { return cross(2, 0, x) },
		[]float64{0, 1}, []float64{domaintest.Below(0), above(1), nan})

	effective := func(deviation float64, dim, tokens int) error {
		_, err := EffectiveBeta(deviation, dim, tokens)
		return err
	}
	domaintest.Check(t, "deviation of weights", func(x float64) error { return effective(x, 1, 2) },
		[]float64{0, math.MaxFloat64}, []float64{domaintest.Below(0), nan, inf})
	domaintest.Check(t, "dimension", func(dim int) error { return effective(1, dim, 2) },
		[]int{1}, []int{0, -1})
	domaintest.Check(t, "tokens of β", func(tokens int) error { return effective(1, 1, tokens) },
		[]int{2}, []int{1, 0})
	domaintest.Check(t, "causal tokens", func(tokens int) error {
		_, err := UniformCausal(make([]float64, tokens*tokens), tokens, 1)
		return err
	}, []int{1, 2}, []int{0})
}
