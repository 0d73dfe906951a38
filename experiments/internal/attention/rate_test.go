package attention

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The intervals of a rate contain it in 95 % of 3000 samples, within 0.016 (4 standard deviations), and their
// mean width agrees with the scatter of the estimates within 6 %. There are two or three sizes, or four or
// six with a correction; the standard errors of the means differ by a factor of 6.
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
			fit := FitRate(c.sizes, means, errors, c.correction)
			if fit.Low <= c.rate && c.rate <= fit.High {
				covered++
			}
			squares += (fit.Value - c.rate) * (fit.Value - c.rate) / samples
			widths += (fit.High - fit.Low) / samples
		}
		if share := float64(covered) / samples; !(math.Abs(share-0.95) <= 0.016) {
			t.Errorf("%v: %.4f of the intervals cover the rate", c.sizes, share)
		}
		if ratio := widths / (2 * 1.96 * math.Sqrt(squares)); !(math.Abs(ratio-1) <= 0.06) {
			t.Errorf("%v: intervals are %v times as wide as the rates scatter", c.sizes, ratio)
		}
	}
}

// If a standard error is 0, all sizes have the same weight: y = 1, 2, 8 at x = 1, 2, 4 have slope 1.5 in
// logarithms, and the interval is unknown (NaN). Means that are not positive are left out, together with
// their sizes and standard errors.
func TestRatesWithoutErrors(t *testing.T) {
	r := FitRate([]float64{1, 2, 4}, []float64{1, 2, 8}, []float64{0, 0.1, 0.1}, 1)
	if !(math.Abs(r.Value-1.5) <= 1e-12) || !math.IsNaN(r.Low) || !math.IsNaN(r.High) {
		t.Errorf("rate %+v", r)
	}
	want := FitRate([]float64{1, 4}, []float64{1, 8}, []float64{0.1, 0.3}, 1)
	r = FitRate([]float64{1, 2, 4}, []float64{1, -2, 8}, []float64{0.1, 0.7, 0.3}, 1)
	if !(math.Abs(r.Value-1.5) <= 1e-12) || r != want {
		t.Errorf("rate %+v, want %+v", r, want)
	}
}

func TestFitRate(t *testing.T) {
	x, y, errors := []float64{100, 200, 400, 800}, make([]float64, 4), make([]float64, 4)
	for k := range x {
		y[k] = 3 * math.Pow(x[k], -1.5) * math.Exp(7/x[k])
		errors[k] = 0.01 * y[k]
	}
	r := FitRate(x, y, errors, 1)
	if !(math.Abs(r.Value+1.5) <= 1e-9) || !(math.Abs(r.High-r.Value-(r.Value-r.Low)) <= 1e-12) ||
		!(r.High-r.Low > 0.02 && r.High-r.Low < 0.2) {
		t.Errorf("rate %+v, want -1.5", r)
	}
	// With two sizes the standard error is that of a difference of two logarithms.
	r = FitRate(x[:2], []float64{1, 4}, []float64{0.1, 0.4}, 1)
	if want := 1.959963984540054 * 0.1 * math.Sqrt2 / math.Ln2; !(math.Abs(r.Value-2) <= 1e-12) ||
		!(math.Abs(r.High-2-want) <= 1e-9) {
		t.Errorf("rate %+v, want 2 ± %v", r, want)
	}
	if r = FitRate(x[:1], y[:1], errors[:1], 1); !math.IsNaN(r.Value) {
		t.Errorf("rate %+v of one size", r)
	}
	if r = FitRate(x[:2], []float64{0, 4}, []float64{0, 0}, 1); !math.IsNaN(r.Value) {
		t.Errorf("rate %+v of one positive mean", r)
	}
}
