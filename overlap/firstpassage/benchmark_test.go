package firstpassage

import (
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

func BenchmarkDecayTime(b *testing.B) {
	d := must.Get(overlap.NewMasses(4, 2.5, overlap.Softmax, 1, 1, 2))(b)
	for b.Loop() {
		DecayTime(d)
	}
}
