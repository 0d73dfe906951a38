package sde

import (
	"fmt"
	"testing"
)

func BenchmarkChain(b *testing.B) {
	for _, c := range []Cell{
		{Dim: 2}, {Dim: 4}, {Dim: 10}, {Dim: 4, Attention: Unnormalized},
		{Dim: 4, Start: OppositeStart{1, 2}, Tokens: 3},
		{Dim: 4, Model: Hybrid, Law: Rademacher},
	} {
		c.Method, c.Beta, c.Sigma, c.Epsilon, c.Depth = Chain, 1.5, 1, 1, 100
		if c.Start == nil {
			c.Start, c.Tokens = UniformStart{}, 2
		}
		b.Run(fmt.Sprintf("%v/%v/d=%d/N=%d", c.Model, c.Attention, c.Dim, c.Tokens), func(b *testing.B) {
			const width = 32
			lanes, all := newLanes(c, 1, width, false), make([]lane, width)
			for k := range all {
				all[k].trajectory = int64(k)
				if err := lanes.start(k, int64(k)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			b.ResetTimer()
			lanes.advance(all, int64(b.N))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/width, "ns/trajectory-layer")
		})
	}
}
