package activation

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
)

// Variances are from LeastVariance to LargestVariance, for each of the activations.
func TestDomains(t *testing.T) {
	for a := range Activation(len(Names)) {
		domaintest.Check(t, "variance of "+a.String(), func(x float64) error {
			_, err := NewCorrelation(a, x)
			return err
		}, []float64{LeastVariance, 1, LargestVariance}, []float64{domaintest.Below(LeastVariance),
			domaintest.Above(LargestVariance), 0, -1, math.NaN(), math.Inf(1)})
	}
	domaintest.Check(t, "activation", func(a Activation) error {
		_, err := NewCorrelation(a, 1)
		return err
	}, []Activation{0, Activation(len(Names) - 1)}, []Activation{-1, Activation(len(Names))})
}
