package threetokens

import (
	"math"
	"testing"
)

// Between two heights the mass of a density that is a cubic polynomial is exact up to rounding, wherever in
// their cells the heights are.
func TestMassBetweenHeights(t *testing.T) {
	g := &grid{resolution: resolution{width: 0.3}, rows: 40}
	density := func(position float64) float64 { // in cells
		return 2 + position*(-0.3+position*(0.05+position*0.002))
	}
	integral := func(position float64) float64 {
		return position * (2 + position*(-0.15+position*(0.05/3+position*0.0005)))
	}
	rows := make([]float64, g.rows)
	for j := range rows {
		rows[j] = density(float64(j) + 0.5)
	}
	const high = 33.4
	for _, low := range []float64{2.6, 3, 7.25, 11.5, 20.1, 29.9} {
		got := g.above(rows, 0.3*low) - g.above(rows, 0.3*high)
		if want := integral(high) - integral(low); !(math.Abs(got/want-1) <= 1e-13) {
			t.Errorf("mass from %v to %v cells: %v, want %v", low, high, got, want)
		}
	}
}
