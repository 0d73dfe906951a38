package threetokens

import (
	"math"
	"testing"
)

// Between two heights the mass of a density that is a polynomial is exact up to rounding, wherever in their
// cells the heights are. The polynomial is cubic, and of degree 7 in high dimension.
func TestMassBetweenHeights(t *testing.T) {
	for dim, coefficients := range map[int][]float64{
		3:  {2, -0.3, 0.05, 0.002},
		20: {2, -0.3, 0.05, 0.002, -3e-4, 2e-5, -1e-6, 4e-8},
	} {
		g := &grid{tokens: tokens{dim: dim}, resolution: resolution{width: 0.3}, rows: 40}
		density := func(position float64) (sum float64) { // in cells
			for k, c := range coefficients {
				sum += float64(c * math.Pow(position, float64(k)))
			}
			return sum
		}
		integral := func(position float64) (sum float64) {
			for k, c := range coefficients {
				sum += c * math.Pow(position, float64(k+1)) / float64(k+1)
			}
			return sum
		}
		rows := make([]float64, g.rows)
		for j := range rows {
			rows[j] = density(float64(j) + 0.5)
		}
		const high = 33.4
		for _, low := range []float64{4.6, 5, 7.25, 11.5, 20.1, 29.9} {
			got := g.above(rows, 0.3*low) - g.above(rows, 0.3*high)
			if want := integral(high) - integral(low); !(math.Abs(got/want-1) <= 1e-12) {
				t.Errorf("dimension %d: mass from %v to %v cells: %v, want %v", dim, low, high, got, want)
			}
		}
	}
}
