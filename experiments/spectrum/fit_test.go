package spectrum

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap/spectrum"
)

// Distances by hand: of three values from the uniform law, of two from below, of ties, and of values
// from a law with an atom of ½ at 0, which values there have or not.
func TestDistance(t *testing.T) {
	uniform := func(x float64) float64 { return max(0, min(x, 1)) }
	atom := func(x float64) float64 {
		if x < 0 {
			return 0
		}
		return 0.5 + 0.5*min(x, 1)
	}
	for _, c := range []struct {
		values []float64
		law    func(float64) float64
		want   float64
	}{
		{[]float64{0.9, 0.1, 0.4}, uniform, 2./3 - 0.4},
		{[]float64{0.9, 0.5}, uniform, 0.5},
		{[]float64{0.3, 0.3, 0.3, 0.9}, uniform, 0.45},
		{[]float64{0, 0, 0.5, 1}, atom, 0.25},
		{[]float64{0.2, 0.6}, atom, 0.6},
	} {
		if got := distance(c.values, c.law); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: distance %v, want %v", c.values, got, c.want)
		}
	}
	got := distance([]float64{1.3}, spectrum.QuarterCircle{Sigma: 1.3}.Distribution)
	if want := 1./3 + math.Sqrt(0.75)/math.Pi; math.Abs(got-want) > 1e-12 { // φ = π/6: (2φ + sin 2φ)/π
		t.Errorf("distance %v, want %v", got, want)
	}
}

// Intervals cover the rate in 95 % of 3000 samples, within 0.016 (4 standard deviations), for two sizes,
// three, and four and six with a correction, with errors that differ by a factor of 6, and are as wide as
// rates scatter, within 6 %.
func TestRatesAreCovered(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		sizes                   []float64
		rate, share, correction float64
	}{
		{[]float64{100, 300}, 1.7, 0, 1},
		{[]float64{100, 200, 400}, -0.8, 0, 1},
		{[]float64{50, 100, 200, 400, 800, 1600}, -3, 6, 0.5},
		{[]float64{50, 100, 200, 400}, 0.4, -0.8, 2. / 3},
	} {
		const samples = 3000
		covered := 0
		squares, widths := 0.0, 0.0
		for range samples {
			means, errors := make([]float64, len(c.sizes)), make([]float64, len(c.sizes))
			for k, x := range c.sizes {
				mean := 2 * math.Pow(x, c.rate) * math.Exp(c.share*0.02*math.Pow(x/c.sizes[0], -c.correction))
				errors[k] = mean * 0.001 * (1 + 5*float64(k%2))
				means[k] = mean + errors[k]*r.NormFloat64()
			}
			fit := fitRate(c.sizes, means, errors, c.correction)
			if fit.low <= c.rate && c.rate <= fit.high {
				covered++
			}
			squares += (fit.value - c.rate) * (fit.value - c.rate) / samples
			widths += (fit.high - fit.low) / samples
		}
		if share := float64(covered) / samples; math.Abs(share-0.95) > 0.016 {
			t.Errorf("%v: %.4f of the intervals cover the rate", c.sizes, share)
		}
		if ratio := widths / (2 * 1.96 * math.Sqrt(squares)); math.Abs(ratio-1) > 0.06 {
			t.Errorf("%v: intervals are %v times as wide as the rates scatter", c.sizes, ratio)
		}
	}
}

// Without errors all sizes count the same: y = 1, 2, 8 at x = 1, 2, 4 have slope 1.5 in logarithms; the
// interval is unknown. Means that are not positive are left out with their own sizes and errors.
func TestRatesWithoutErrors(t *testing.T) {
	r := fitRate([]float64{1, 2, 4}, []float64{1, 2, 8}, []float64{0, 0.1, 0.1}, 1)
	if math.Abs(r.value-1.5) > 1e-12 || !math.IsNaN(r.low) || !math.IsNaN(r.high) {
		t.Errorf("rate %+v", r)
	}
	want := fitRate([]float64{1, 4}, []float64{1, 8}, []float64{0.1, 0.3}, 1)
	r = fitRate([]float64{1, 2, 4}, []float64{1, -2, 8}, []float64{0.1, 0.7, 0.3}, 1)
	if math.Abs(r.value-1.5) > 1e-12 || r != want {
		t.Errorf("rate %+v, want %+v", r, want)
	}
}
