package sde

import (
	"fmt"
	"testing"

	"antipode/sde/internal/lanes"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// BenchmarkChain times a layer of the overlap chain, random numbers included.
func BenchmarkChain(b *testing.B) {
	value := Transformer{Sigma: 1}
	for _, c := range []Cell{
		{Model: value, Dim: 2}, {Model: value, Dim: 4}, {Model: value, Dim: 10},
		{Model: value, Dim: 4, Attention: Unnormalized},
		{Model: value, Dim: 4, Start: OppositeStart{1, 2}, Tokens: 3},
		{Dim: 4, Model: Hybrid{Law: Rademacher, Epsilon: 1}},
		{Dim: 4, Model: Hybrid{Law: Uniform, Epsilon: 1}},
		{Dim: 4, Model: Hybrid{Law: TruncatedNormal, Epsilon: 1}},
		{Dim: 4, Model: Hybrid{Law: Gaussian, Epsilon: 1}},
		{Dim: 4, Model: Hybrid{Law: Rademacher, Epsilon: 1}, Attention: Unnormalized},
		{Dim: 4, Model: Hybrid{Law: Rademacher, Epsilon: 1}, Start: OppositeStart{1, 2}, Tokens: 3},
	} {
		c.Method = Chain
		if c.Start == nil {
			c.Start, c.Tokens = UniformStart{}, 2
		}
		name := fmt.Sprintf("%v/%v/N=%d,d=%d", c.Model, c.Attention, c.Tokens, c.Dim)
		if hybrid, ok := c.Model.(Hybrid); ok {
			name = fmt.Sprintf("%v/%v/%v/N=%d", c.Model, hybrid.Law, c.Attention, c.Tokens)
		}
		b.Run(name, func(b *testing.B) { benchmarkLanes(b, c, 64) })
	}
}

// BenchmarkChainWithMLP times a layer of the overlap chain, with attention alone and with an MLP of infinite
// width, random numbers included.
func BenchmarkChainWithMLP(b *testing.B) {
	c := Cell{Model: Transformer{Sigma: 1}, Method: Chain, Tokens: 2, Dim: 4, Start: UniformStart{}}
	b.Run("attention", func(b *testing.B) { benchmarkLanes(b, c, 64) })
	for _, arrangement := range []Arrangement{Together, InSequence} {
		for _, a := range []activation.Activation{activation.Tanh, activation.ReLU} {
			c.MLP, c.Arrangement = MLP{Activation: a, Strength: 0.5, Variance: 4}, arrangement
			cell := c
			b.Run(fmt.Sprintf("%v/%v", a, arrangement), func(b *testing.B) { benchmarkLanes(b, cell, 64) })
		}
	}
}

// BenchmarkTokens times a layer of the tokens of recursion (4), none of them merged, random numbers included.
func BenchmarkTokens(b *testing.B) {
	for _, size := range [][2]int{{2, 4}, {2, 10}, {2, 64}, {16, 8}, {50, 4}} {
		c := Cell{Model: Transformer{Sigma: 1}, Tokens: size[0], Dim: size[1], Start: UniformStart{}}
		b.Run(fmt.Sprintf("N=%d,d=%d", c.Tokens, c.Dim), func(b *testing.B) { benchmarkLanes(b, c, 16) })
	}
}

// BenchmarkMLP times a layer of tokens with attention and a tanh MLP, its random weights included.
func BenchmarkMLP(b *testing.B) {
	for _, size := range [][4]int{{2, 4, 16, 16}, {16, 16, 64, 16}, {64, 64, 256, 1}, {256, 256, 1024, 1}} {
		c := Cell{Model: Transformer{Sigma: 1}, Tokens: size[0], Dim: size[1], Start: UniformStart{},
			MLP: MLP{Activation: activation.Tanh, Strength: 1, Variance: 1, Width: size[2]}}
		name := fmt.Sprintf("N=%d,d=%d,m=%d", c.Tokens, c.Dim, c.MLP.Width)
		b.Run(name, func(b *testing.B) { benchmarkLanes(b, c, size[3]) })
	}
}

func benchmarkLanes(b *testing.B, c Cell, width int) {
	c.Beta, c.Depth = 1.5, 100
	l, all := newLanes(c, 1, width, KeepApart, 1), make([]lanes.Lane, width)
	for k := range all {
		all[k].Trajectory = int64(k)
		must.Do(b, l.Start(k, int64(k)))
	}
	b.ReportAllocs()
	b.ResetTimer()
	l.Advance(all, int64(b.N))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(width), "ns/layer")
	b.ReportMetric(0, "ns/op")
}
