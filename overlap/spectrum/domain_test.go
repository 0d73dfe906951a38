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
