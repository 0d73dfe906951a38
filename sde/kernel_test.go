package sde

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/sde/internal/lanes"
	"antipode/sphere/must"
)

// softmaxOf is softmax attention, written as a user might write it.
func softmaxOf(beta float64) Kernel {
	return func(weights []float64, _ int) {
		largest := slices.Max(weights)
		for j := range weights {
			weights[j] -= largest
		}
		Exponentials(weights, beta)
		total := 0.0
		for _, w := range weights {
			total += w
		}
		for j := range weights {
			weights[j] /= total
		}
	}
}

// softmaxOfPairs is softmax attention as a function of the score alone.
func softmaxOfPairs(beta float64) PairKernel {
	return PairKernel{Weigh: func(scores []float64) { Exponentials(scores, beta) }, Normalized: true}
}

// unnormalizedOfPairs is unnormalised attention of N tokens as a function of the score alone.
func unnormalizedOfPairs(beta float64, tokens int) func(scores []float64) {
	return func(scores []float64) {
		Exponentials(scores, beta)
		for k := range scores {
			scores[k] /= float64(tokens)
		}
	}
}

// With a kernel that is softmax or the unnormalised one, trajectories are those of the built-in attention up
// to rounding, which three layers hardly enlarge: the random numbers are the same ones.
func TestKernelIsTheAttention(t *testing.T) {
	unnormalized := func(weights []float64, _ int) {
		Exponentials(weights, 1.5)
		for j := range weights {
			weights[j] /= float64(len(weights))
		}
	}
	for k, model := range []Model{
		Transformer{Sigma: 1}, Transformer{Law: Rademacher, Sigma: 1}, Hybrid{Law: Rademacher, Epsilon: 1},
		Flow{}, Flow{Scheme: RK4}, TransformerSDE{Sigma: 1}, TransformerSDE{Sigma: 1, Scheme: Geodesic},
		HybridSDE{Epsilon: 1},
	} {
		for _, size := range [][2]int{{2, 2}, {3, 4}, {5, 20}, {50, 8}, {250, 2}, {90, 70}, {150, 16}} {
			if size[0] > 80 && k%3 > 0 {
				continue // many tokens have the same attention in every model
			}
			for _, interaction := range [][]float64{nil, GaussianInteraction(size[1], 0.3)} {
				c := Cell{Model: model, Tokens: size[0], Dim: size[1], Beta: 1.5, Depth: 20,
					Start: UniformStart{}, Interaction: interaction}
				wanted := map[Attention][]float64{}
				for _, c.Attention = range []Attention{Softmax, Unnormalized} {
					wanted[c.Attention] = tokensAfter(t, c, 3)
				}
				for _, of := range []struct {
					attention Attention
					kernel    Kernel
					pairs     PairKernel
				}{
					{Softmax, softmaxOf(1.5), PairKernel{}}, {Unnormalized, unnormalized, PairKernel{}},
					{Softmax, nil, softmaxOfPairs(1.5)},
					{Unnormalized, nil, PairKernel{Weigh: unnormalizedOfPairs(1.5, size[0])}},
				} {
					c.Attention = of.attention
					own := c
					own.Kernel, own.PairKernel = of.kernel, of.pairs
					must.Do(t, own.Validate())
					want, got := wanted[of.attention], tokensAfter(t, own, 3)
					for k := range want {
						if !(math.Abs(got[k]-want[k]) <= 1e-11) {
							t.Errorf("%s, %v, kernel of pairs %v: coordinate %d is %v, want %v", name(c),
								of.attention, of.kernel == nil, k, got[k], want[k])
							break
						}
					}
				}
			}
		}
	}
}

// tokensAfter returns the tokens of trajectory 3 after some layers.
func tokensAfter(t *testing.T, c Cell, layers int64) []float64 {
	t.Helper()
	l, all := newLanes(c, 7, 1, KeepApart, 1), []lanes.Lane{{Trajectory: 3}}
	must.Do(t, l.Start(0, 3))
	l.Advance(all, layers)
	if all[0].Err != nil {
		t.Fatal(all[0].Err)
	}
	return slices.Clone(l.Tokens(0))
}

// A kernel is told whose scores it weighs: with this one, each token attends only to the next one. Field and
// Weights of a cell use the kernel.
func TestKernelOfToken(t *testing.T) {
	next := func(weights []float64, i int) {
		n := len(weights)
		clear(weights)
		weights[(i+1)%n] = 2
	}
	c := Cell{Model: Transformer{Sigma: 1}, Tokens: 3, Dim: 2, Depth: 1, Start: UniformStart{}, Kernel: next}
	field, weights := make([]float64, 6), make([]float64, 9)
	c.Field(field, []float64{1, 0, 0, 1, 0.6, 0.8})
	c.Weights(weights, []float64{1, 0, 0, 1, 0.6, 0.8})
	if !slices.Equal(field, []float64{0, 2, 1.2, 1.6, 2, 0}) ||
		!slices.Equal(weights, []float64{0, 2, 0, 0, 0, 2, 2, 0, 0}) {
		t.Errorf("field %v, weights %v", field, weights)
	}
}

// A PairKernel gives the same trajectory as the Kernel that it defines, whatever the Attention of the cell:
// for tokens in vectors, for tokens advanced by products of matrices, and for loops.
func TestPairKernelIsItsKernel(t *testing.T) {
	for _, normalized := range []bool{true, false} {
		pairs := PairKernel{Normalized: normalized, Weigh: func(scores []float64) {
			for k, s := range scores {
				scores[k] = 0.125 + s*s
			}
		}}
		for _, size := range [][2]int{{5, 4}, {20, 30}, {140, 25}} {
			for _, attention := range []Attention{Softmax, Unnormalized} {
				c := Cell{Model: Transformer{Law: Uniform, Sigma: 0.5}, Tokens: size[0], Dim: size[1],
					Beta: 3, Depth: 10, Start: UniformStart{}, Attention: attention}
				one := c
				c.PairKernel, one.Kernel = pairs, pairs.Kernel()
				got, want := tokensAfter(t, c, 5), tokensAfter(t, one, 5)
				for k := range want {
					if !(math.Abs(got[k]-want[k]) < 1e-10) {
						t.Fatalf("%s, normalized %v, %v: coordinate %d is %v, want %v", name(c), normalized,
							attention, k, got[k], want[k])
					}
				}
			}
		}
	}
}

// Tokens with a kernel merge. When two atoms are left, they still follow the kernel, and are not replaced by
// a chain with the attention of the cell.
func TestPairKernelOfAtoms(t *testing.T) {
	start := must.Get(NewStatesStart([]float64{0.6, 0.8, 0, 0.6, 0.8, 1e-10, 0, 0.6, 0.8}, 3, 3))(t)
	c := Cell{Model: Transformer{Sigma: 1}, Tokens: 3, Dim: 3, Depth: 10, Start: start,
		PairKernel: softmaxOfPairs(4)}
	merged, plain := after(t, c, 40, MergeLaws), after(t, c, 40, KeepApart)
	if !slices.Equal(merged[:3], merged[3:6]) || slices.Equal(plain[:3], plain[3:6]) {
		t.Errorf("tokens %v, of atoms %v", plain, merged)
	}
	for k, v := range plain {
		if !(math.Abs(v-merged[k]) < 1e-8) {
			t.Fatalf("tokens %v, of atoms %v", plain, merged)
		}
	}
}

func TestKernelRefuses(t *testing.T) {
	transformer := Cell{Model: Transformer{Sigma: 1}, Tokens: 2, Dim: 3, Depth: 10, Start: UniformStart{},
		Kernel: softmaxOf(1)}
	for want, change := range map[string]func(c *Cell){
		"method tokens": func(c *Cell) { c.Method = Chain },
		"heun":          func(c *Cell) { c.Model = TransformerSDE{Sigma: 1, Scheme: Heun} },
		"one head":      func(c *Cell) { c.Heads = 2 },
		"not both":      func(c *Cell) { c.PairKernel = softmaxOfPairs(1) },
		"function":      func(c *Cell) { c.Kernel, c.PairKernel.Normalized = nil, true },
		"harmonics": func(c *Cell) {
			c.Kernel, c.PairKernel, c.AttentionSum = nil, softmaxOfPairs(1), HarmonicsSum
		},
		"tangent": func(c *Cell) { c.Tangent, c.Start = true, OppositeStart{1, 1} },
	} {
		c := transformer
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
}

// BenchmarkKernel times a layer of recursion (4) with built-in softmax, and with softmax as a kernel.
func BenchmarkKernel(b *testing.B) {
	for _, size := range [][2]int{{50, 8}, {16, 8}, {256, 8}, {128, 64}, {250, 2}, {700, 2}} {
		cell := Cell{Model: Transformer{Sigma: 1}, Tokens: size[0], Dim: size[1], Start: UniformStart{}}
		one, pairs := cell, cell
		one.Kernel, pairs.PairKernel = softmaxOf(1.5), softmaxOfPairs(1.5)
		for _, of := range []struct {
			name string
			cell Cell
		}{{"built-in", cell}, {"pairs", pairs}, {"kernel", one}} {
			b.Run(fmt.Sprintf("%s/N=%d,d=%d", of.name, cell.Tokens, cell.Dim), func(b *testing.B) {
				benchmarkLanes(b, of.cell, 16)
			})
		}
	}
}
