package spectrum

import (
	"testing"

	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sde/matrices"
)

// Each worker has the memory of the largest network, and ten numbers of eight bytes for each of the rows of a
// sample.
func TestMemory(t *testing.T) {
	s := New()
	s.Tokens, s.Layers, s.Samples = 30, 2, 5
	network := lists.Max(0, s.networks(), func(n matrices.Network) float64 { return n.Memory(1) })
	for workers, busy := range map[int]float64{1: 1, 3: 3, 8: 5} {
		want := busy * (network + 80*float64(s.rowsOfSample()))
		if got := s.bytes(run.Options{Workers: workers}, 5); got != want {
			t.Errorf("%d workers: %v bytes, want %v", workers, got, want)
		}
	}
}
