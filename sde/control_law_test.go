package sde

import (
	"math"
	"slices"
	"testing"

	"antipode/sde/internal/increments"

	"gonum.org/v1/gonum/stat/distuv"
)

// distributions are the distribution functions of the continuous laws at σ = 1.
func distributions() map[Law]func(x float64) float64 {
	unit := distuv.UnitNormal
	mass := unit.CDF(2) - unit.CDF(-2)
	return map[Law]func(x float64) float64{
		Gaussian: unit.CDF,
		Uniform:  func(x float64) float64 { return min(1, max(0, (1+x/math.Sqrt(3))/2)) },
		TruncatedNormal: func(x float64) float64 {
			return min(1, max(0, (unit.CDF(x*increments.TruncatedDeviation)-unit.CDF(-2))/mass))
		},
	}
}

// lawDistance returns the p-value of the Kolmogorov-Smirnov distance between values
// and a law: 2exp(-2s²) for the distance s/√n, the leading term of its limiting law.
func lawDistance(values []float64, distribution func(x float64) float64) float64 {
	slices.Sort(values)
	n := float64(len(values))
	distance := 0.0
	for k, v := range values {
		p := distribution(v)
		distance = max(distance, p-float64(k)/n, float64(k+1)/n-p)
	}
	return min(1, 2*math.Exp(-2*n*distance*distance))
}

// A negative control for the laws of an entry. All have variance 1, and the distribution function tells each
// from every other one. The smallest distance of two laws, the Gaussian and the truncated normal one, is
// 0.0167. With n = 10^5 draws that is 5.3/√n. An alarm at 10^-6 needs 2.69/√n, and the standard deviation is
// at most ½/√n: power 1-2·10^-7.
func TestLawsOfEqualVarianceAreToldApart(t *testing.T) {
	const falseAlarm, n = 1e-6, 100_000
	for law := range Law(len(LawNames)) {
		c := Cell{Model: Transformer{Law: law, Sigma: 1}, Tokens: 2, Dim: 10, Depth: 1, Start: UniformStart{}}
		values := make([]float64, n)
		for k := 0; k < n; k += 100 {
			c.Model.draw(values[k:k+100], c.Depth, c.stream(2), int64(k/100), 0)
		}
		for other, distribution := range distributions() {
			p := lawDistance(values, distribution)
			t.Logf("defect: values %-39s detector: %-42s p = %s", law.String()+", law "+other.String(),
				"distance of values from their law", pValueText(p))
			if (law == other) != (p >= falseAlarm) {
				t.Errorf("values %v, law %v: p = %.2g", law, other, p)
			}
		}
	}
}
