package fokkerplanck

import (
	"testing"
)

func BenchmarkUniform(b *testing.B) {
	for _, c := range []struct{ beta, horizon float64 }{{1.5, 50}, {1, 10}} {
		d := diffusion(b, 4, c.beta)
		b.Run("", func(b *testing.B) {
			for b.Loop() {
				Uniform(d, []float64{c.horizon}, 1e-5)
			}
		})
	}
}
