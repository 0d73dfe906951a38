package overlap

import "testing"

func BenchmarkLyapunov(b *testing.B) {
	for _, dim := range []int{4, 10000} {
		for _, depth := range []int{1, 100, 1_000_000} {
			l := antipodalDepth(b, dim, 5, Softmax, depth)
			b.Run("", func(b *testing.B) {
				for b.Loop() {
					l.Lyapunov()
				}
			})
		}
	}
}

func BenchmarkCriticalBetaDepth(b *testing.B) {
	for _, dim := range []int{4, 10, 1000} {
		b.Run("", func(b *testing.B) {
			for b.Loop() {
				CriticalBetaDepth(dim, Softmax, 1, 100)
			}
		})
	}
}

func BenchmarkEvolveUniform(b *testing.B) {
	for _, c := range []struct{ beta, horizon float64 }{{1.5, 50}, {1, 10}} {
		d := diffusion(b, 4, c.beta)
		b.Run("", func(b *testing.B) {
			for b.Loop() {
				d.EvolveUniform([]float64{c.horizon}, 1e-5)
			}
		})
	}
}

func BenchmarkDecayTime(b *testing.B) {
	d := must(b)(NewMasses(4, 2.5, Softmax, 1, 1, 2))
	for b.Loop() {
		d.DecayTime()
	}
}
