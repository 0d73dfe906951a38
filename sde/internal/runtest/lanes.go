package runtest

import (
	"math"
	"testing"
)

// PerLane reports the time of a benchmark's operation on n numbers as the time per number.
func PerLane(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), unit)
	b.ReportMetric(0, "ns/op")
}

// SameBits fails the test at the first number whose bits differ between got and want. All NaN count as equal.
func SameBits(t testing.TB, what string, got, want [][8]float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d rows, want %d", what, len(got), len(want))
	}
	for v := range want {
		for k, w := range want[v] {
			g := got[v][k]
			if math.Float64bits(g) != math.Float64bits(w) && (g == g || w == w) {
				t.Fatalf("%s: row %d lane %d: %v (%#x), want %v (%#x)",
					what, v, k, g, math.Float64bits(g), w, math.Float64bits(w))
			}
		}
	}
}
