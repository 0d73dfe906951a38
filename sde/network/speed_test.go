package network

import (
	"testing"
	"time"
)

// A network of the size that the paper's figures need, and how much of its time the same
// matrix products take by themselves.
func BenchmarkForward(b *testing.B) {
	n := Network{
		Kind: PostNorm, Activation: ReLU, Tokens: 256, Dim: 512, Heads: 1, Layers: 10,
		QueryKey2: 1, Value2: 0.2, Hidden2: 0.2, Output2: 0.2, AlphaSA: 1, AlphaMLP: 1, Q: 1,
	}
	e := Ensemble{Network: n, Networks: 1, Workers: 1}
	whole, products := time.Duration(0), time.Duration(0)
	for range b.N {
		start := time.Now()
		run(b, e)
		whole += time.Since(start)
		start = time.Now()
		onlyProducts(n)
		products += time.Since(start)
	}
	flops := float64(b.N*n.Layers) * (10*float64(n.Tokens*n.Dim*n.Dim) + 4*float64(n.Tokens*n.Tokens*n.Dim))
	b.ReportMetric(flops/1e9/whole.Seconds(), "Gflop/s")
	b.ReportMetric(100*products.Seconds()/whole.Seconds(), "%-in-products")
}

func onlyProducts(n Network) {
	x, w := newMatrix(n.Tokens, n.Dim), newMatrix(n.Dim, n.Dim)
	y, rows := newMatrix(n.Tokens, n.Dim), newMatrix(n.Tokens, n.Tokens)
	for _, m := range []matrix{x, w, rows} {
		for k := range m.Data {
			m.Data[k] = float64(k % 7)
		}
	}
	for range n.Layers {
		for range 5 {
			multiply(plain, transposed, 1, x, w, 0, y)
		}
		multiply(plain, transposed, 1, x, x, 0, rows)
		multiply(plain, plain, 1, rows, x, 0, y)
	}
}
