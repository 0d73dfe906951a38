package spectrum

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
)

// The domains of all arguments end where the comment of NewProduct says.
func TestDomains(t *testing.T) {
	above, below, nan, inf := domaintest.Above, domaintest.Below, math.NaN(), math.Inf(1)
	of := func(mean float64, ratios ...float64) error { _, err := NewProduct(mean, ratios...); return err }
	domaintest.Check(t, "mean", func(x float64) error { return of(x, 1) },
		[]float64{5e-324, math.MaxFloat64}, []float64{0, -1, nan, inf})
	domaintest.Check(t, "ratio", func(x float64) error { return of(1, 1, x) },
		[]float64{1 / MaxRatio, MaxRatio}, []float64{below(1 / MaxRatio), above(MaxRatio), nan, inf})
	domaintest.Check(t, "ratios", func(ratios []float64) error { return of(1, ratios...) },
		[][]float64{{2}}, [][]float64{nil, {}})
}

// The laws have their densities on closed supports: the circle includes its boundary, and the quarter circle
// begins at 0 and ends with density 0.
func TestDensitiesAtTheEdges(t *testing.T) {
	circle, quarter := Circle{5}, QuarterCircle{3}
	for _, c := range []struct{ got, want float64 }{
		{circle.Density(complex(3, 4)), 1 / (25 * math.Pi)}, {circle.Density(0), 1 / (25 * math.Pi)},
		{circle.Density(complex(domaintest.Above(3), 4)), 0}, {circle.Distribution(5), 1},
		{circle.Distribution(2.5), 0.25}, {circle.Distribution(6), 1}, {circle.Distribution(-1), 0},
		{quarter.Density(0), 2 / (3 * math.Pi)}, {quarter.Density(domaintest.Below(0)), 0},
		{quarter.Density(6), 0},
		{quarter.Density(3), math.Sqrt(27) / (9 * math.Pi)}, {quarter.Density(7), 0}, {quarter.Edge(), 6},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-16) {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
	if d := quarter.Density(domaintest.Below(6)); !(d > 0 && d < 1e-7) {
		t.Errorf("the density falls to %v", d)
	}
}
