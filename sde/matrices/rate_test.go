package matrices

import (
	"fmt"
	"testing"

	"antipode/sphere/must"
)

// BenchmarkNetwork measures a sample of three layers.
func BenchmarkNetwork(b *testing.B) {
	for _, attention := range []Attention{Markov, Softmax, Linear, ReLU} {
		for _, heads := range []int{1, 8} {
			n := Network{Attention: attention, Tokens: 256, Dim: 512, Layers: 3, Heads: heads,
				LayerNorm: true}
			w := n.Workspace()
			name := fmt.Sprintf("%v/heads=%d/", attention, heads)
			b.Run(name+"signal", func(b *testing.B) {
				for b.Loop() {
					s := w.Start(1, 0)
					for range n.Layers {
						must.Do(b, s.Advance())
					}
				}
			})
			b.Run(name+"gradients", func(b *testing.B) {
				for b.Loop() {
					must.Get(w.Gradients(1, 0))(b)
				}
			})
		}
	}
}

// BenchmarkValues measures the computation of the values of a matrix.
func BenchmarkValues(b *testing.B) {
	for _, size := range []int{250, 1000, 2000} {
		s := advanced(b, Network{Tokens: size, Dim: size, Layers: 2, Heads: 1}, 1, 0)
		b.Run(fmt.Sprintf("T=%d/singular", size), func(b *testing.B) {
			for b.Loop() {
				must.Get(SingularValues(s.X()))(b)
			}
		})
		b.Run(fmt.Sprintf("T=%d/eigen", size), func(b *testing.B) {
			for b.Loop() {
				must.Get(Eigenvalues(s.Attention(0)))(b)
			}
		})
		b.Run(fmt.Sprintf("T=%d/excess", size), func(b *testing.B) {
			for b.Loop() {
				must.Get(CovarianceExcess(s.X()))(b)
			}
		})
	}
}
