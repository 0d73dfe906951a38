package firstpassage

import (
	"testing"

	"antipode/overlap"
)

func BenchmarkDecayTime(b *testing.B) {
	d := must(b)(overlap.NewMasses(4, 2.5, overlap.Softmax, 1, 1, 2))
	for b.Loop() {
		DecayTime(d)
	}
}
