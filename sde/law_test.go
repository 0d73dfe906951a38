package sde

import (
	"math"
	"slices"
	"testing"

	"antipode/sde/internal/increments"

	"gonum.org/v1/gonum/stat/distuv"
)

// Each law has mean 0, standard deviation σ, its own fourth moment, and its own
// distribution function: 250,000 draws, moments within 5 standard errors, Kolmogorov
// distance below 2.6/√n. A false alarm in some 10^4 seeds. The kernels' tests show
// the power.
func TestLaws(t *testing.T) {
	const sigma, n = 1.7, 250_000
	unit := distuv.UnitNormal
	mass := unit.CDF(2) - unit.CDF(-2)
	const tau = increments.TruncatedDeviation
	tau2 := tau * tau
	for _, c := range []struct {
		law      Law
		kurtosis float64 // fourth moment over σ⁴
		cdf      func(x float64) float64
	}{
		{Gaussian, 3, unit.CDF},
		{Uniform, 9. / 5, func(x float64) float64 { return (1 + x/math.Sqrt(3)) / 2 }},
		{TruncatedNormal, (3*tau2 - 2*8*unit.Prob(2)/mass) / (tau2 * tau2),
			func(x float64) float64 { return (unit.CDF(x*tau) - unit.CDF(-2)) / mass }},
		{Rademacher, 1, nil},
	} {
		cell := Cell{Model: Transformer{Law: c.law, Sigma: sigma}, Tokens: 2, Dim: 10, Depth: 1,
			Start: UniformStart{}}
		stream := cell.stream(1)
		values := make([]float64, n)
		for k := 0; k < n; k += 100 {
			cell.Model.draw(values[k:k+100], cell.Depth, stream, int64(k%700), int64(k/700))
		}
		sums := [5]float64{}
		for _, v := range values {
			for p, q := 1, v/sigma; p <= 4; p, q = p+1, q*v/sigma {
				sums[p] += q / n
			}
		}
		root := math.Sqrt(n)
		// Bounds on the standard deviations of the powers: 1, √(κ-1), √15, √96.
		for p, want := range []float64{1: 0, 2: 1, 3: 0, 4: c.kurtosis} {
			deviation := []float64{1, 1, math.Sqrt(max(0, c.kurtosis-1)), math.Sqrt(15), math.Sqrt(96)}[p]
			if !(math.Abs(sums[p]-want) <= 5*deviation/root+1e-9) {
				t.Errorf("%v: moment %d over σ^%d is %v, want %v", c.law, p, p, sums[p], want)
			}
		}
		if c.cdf == nil {
			for _, v := range values {
				if math.Abs(v) != sigma {
					t.Fatalf("%v: value %v", c.law, v)
				}
			}
			continue
		}
		slices.Sort(values)
		worst := 0.0
		for k, v := range values {
			worst = max(worst, math.Abs(c.cdf(v/sigma)-(float64(k)+0.5)/n))
		}
		if worst*root > 2.6 {
			t.Errorf("%v: Kolmogorov distance %.2f/√n", c.law, worst*root)
		}
	}
}
