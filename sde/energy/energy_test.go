package energy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sde"
	"antipode/sphere"
)

// pairEnergy is the energy of tokens as a sum of pairs that loses no digits.
func pairEnergy(x []float64, d int, beta float64) float64 {
	n, sum, lost := len(x)/d, 0.0, 0.0
	for i := range n {
		for j := range n {
			square := 0.0 // of the distance: 2 - 2z without cancellation
			for k := range d {
				square += (x[i*d+k] - x[j*d+k]) * (x[i*d+k] - x[j*d+k])
			}
			w := math.Exp(-beta * square / 2)
			s := sum + w
			lost += (sum - s) + w // w is at most 1, and the first of all
			sum = s
		}
	}
	return (sum + lost) / float64(n) / float64(n)
}

// Energies by harmonics are within their bound of sums over pairs, and those over pairs are too: of tokens
// that are uniform, in a cluster of any width, in two opposite ones of any sizes, or in one place.
func TestEnergy(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 1))
	worst := [2]float64{}
	for round := range 50 {
		c := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2 + r.IntN(300), Dim: 2 + round%3, Depth: 10,
			Beta: 50 * math.Pow(r.Float64(), 3), Start: sde.UniformStart{}}
		if round > 46 {
			c.Beta = 50
		}
		x := make([]float64, c.Tokens*c.Dim)
		width, opposite := math.Pow(10, 1-10*r.Float64())*float64(r.IntN(4)), r.Float64()*float64(r.IntN(2))
		for i := range x {
			if i%c.Dim == 0 && i > 0 && r.Float64() < opposite {
				x[i] = -2
			}
			x[i] = x[i] + 1/float64(c.Dim-i%c.Dim) + width*r.NormFloat64()
		}
		for i := 0; i < len(x); i += c.Dim {
			sphere.Normalize(x[i:i+c.Dim], x[i:i+c.Dim])
		}
		want := pairEnergy(x, c.Dim, c.Beta)
		for k, sum := range []sde.AttentionSum{sde.DirectSum, sde.HarmonicsSum} {
			c.AttentionSum = sum
			e := New(c)
			if e.ByHarmonics() != (sum == sde.HarmonicsSum) {
				t.Fatalf("%v: by harmonics: %v", sum, e.ByHarmonics())
			}
			worst[k] = max(worst[k], math.Abs(e.Of(x)-want)/want)
		}
	}
	t.Logf("largest errors: %.2g of pairs, %.2g by harmonics", worst[0], worst[1])
	if !(worst[0] < 2e-14) || !(worst[1] < sde.AttentionSumError) {
		t.Errorf("largest errors: %.2g of pairs, %.2g by harmonics", worst[0], worst[1])
	}
}

// Very many tokens of which a quarter are opposite the others have the energy 1 - 3/8 (1 - e^{-2β}), and of
// tokens of more dimensions or of larger β all pairs are summed.
func TestEnergyOfManyTokens(t *testing.T) {
	c := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 240_000, Dim: 3, Beta: 5, Depth: 10,
		Start: sde.UniformStart{}}
	x := make([]float64, c.Tokens*c.Dim)
	for i := range x {
		if x[i] = []float64{0.48, 0.6, 0.64}[i%3]; i/3%4 == 0 {
			x[i] = -x[i]
		}
	}
	const want = 0.625017024973661
	if got := New(c).Of(x); !(math.Abs(got-want) <= sde.AttentionSumError*want) {
		t.Errorf("energy %.17g, want %.17g", got, want)
	}
	for _, of := range []sde.Cell{{Tokens: 2000, Dim: 5, Beta: 5}, {Tokens: 2000, Dim: 4, Beta: 51}} {
		if of.Model, of.Depth, of.Start = c.Model, 10, c.Start; New(of).ByHarmonics() {
			t.Errorf("d = %d, β = %v: by harmonics", of.Dim, of.Beta)
		}
	}
}

// BenchmarkEnergies is the energy of uniform tokens by harmonics, or over pairs.
func BenchmarkEnergies(b *testing.B) {
	for _, n := range []int{1000, 20_000, 1_000_000} {
		for _, dim := range []int{2, 3, 4} {
			for _, sum := range []sde.AttentionSum{sde.DirectSum, sde.HarmonicsSum} {
				if sum == sde.DirectSum && n > 20_000 {
					continue
				}
				b.Run(fmt.Sprintf("N=%d,d=%d,%v", n, dim, sum), func(b *testing.B) {
					c := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: n, Dim: dim, Beta: 5, Depth: 100,
						Start: sde.UniformStart{}, AttentionSum: sum}
					x, e := make([]float64, n*dim), New(c)
					r := rand.New(rand.NewPCG(39, 2))
					if err := c.Start.Fill(x, dim, 0, r.NormFloat64); err != nil {
						b.Fatal(err)
					}
					for b.Loop() {
						e.Of(x)
					}
				})
			}
		}
	}
}
