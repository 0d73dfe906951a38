package finitedepth

import (
	"testing"

	"antipode/overlap"
)

func BenchmarkLyapunov(b *testing.B) {
	for _, dim := range []int{4, 10000} {
		for _, depth := range []int{1, 100, 1_000_000} {
			l := antipodal(b, dim, 5, overlap.Softmax, depth)
			b.Run("", func(b *testing.B) {
				for b.Loop() {
					l.Lyapunov()
				}
			})
		}
	}
}

func BenchmarkCriticalBeta(b *testing.B) {
	for _, dim := range []int{4, 10, 1000} {
		b.Run("", func(b *testing.B) {
			for b.Loop() {
				CriticalBeta(dim, overlap.Softmax, 1, 100)
			}
		})
	}
}
