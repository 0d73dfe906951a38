package network

import (
	"testing"
	"time"

	"antipode/internal/products"
	"antipode/sde/internal/kernels"
	"antipode/sphere/must"
)

// BenchmarkForward measures a network of the size that the papers' figures need: the time of its forward
// pass and of drawing its weights, and the fraction of the pass that is spent in products.
func BenchmarkForward(b *testing.B) {
	n := Network{
		Norm: PostNorm, Activation: ReLU, Tokens: 256, Dim: 512, Heads: 1, Layers: 10, Input: Gaussian,
		QueryKey2: 1, Value2: 0.2, Hidden2: 0.2, Output2: 0.2, AlphaSA: 1, AlphaMLP: 1, Q: 1,
	}
	transformer := must.Get(New(n, 1, 1))(b)
	w := transformer.Workspace(Batch{})
	s := Sequence{Vectors: newMatrix(n.Tokens, n.Dim)}
	newSource(kernels.NewStream(1, 1), 0).tokens(n, s.Vectors)
	shortest := func(best *time.Duration, f func()) {
		start := time.Now()
		f()
		*best = min(*best, time.Since(start))
	}
	forward, drawn, only := time.Hour, time.Hour, time.Hour
	for range b.N {
		shortest(&forward, func() { w.Forward(s) })
		shortest(&drawn, func() { run(b, Ensemble{Network: n, Networks: 1, Workers: 1}) })
		shortest(&only, func() { onlyProducts(n) })
	}
	flops := float64(n.Layers) * (10*float64(n.Tokens*n.Dim*n.Dim) + 4*float64(n.Tokens*n.Tokens*n.Dim))
	b.ReportMetric(flops/1e9/forward.Seconds(), "Gflop/s")
	b.ReportMetric(1e3*forward.Seconds()/float64(n.Layers), "ms/layer")
	b.ReportMetric(1e3*drawn.Seconds()/float64(n.Layers), "ms/layer-drawn")
	b.ReportMetric(100*only.Seconds()/forward.Seconds(), "%-in-products")
}

func onlyProducts(n Network) {
	x, w := newMatrix(n.Tokens, n.Dim), newMatrix(n.Dim, n.Dim)
	y, rows := newMatrix(n.Tokens, n.Dim), newMatrix(n.Tokens, n.Tokens)
	for _, m := range []matrix{x, w, rows} {
		for k := range m.Data {
			m.Data[k] = float64(k % 7)
		}
	}
	p := products.New(1)
	for range n.Layers {
		for range 5 {
			p.Multiply(plain, transposed, 1, x, w, 0, y)
		}
		p.Multiply(plain, transposed, 1, x, x, 0, rows)
		p.Multiply(plain, plain, 1, rows, x, 0, y)
	}
}
