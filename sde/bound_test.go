package sde

import (
	"math"
	"testing"

	"antipode/sde/internal/lanes"
	"antipode/sphere/must"
)

// At the largest β that is allowed, the worst step of unnormalised attention does not overflow: all tokens
// are equal and aligned with the rows of V, whose entries are the largest that a law gives, 8.6σ. The bound
// on β is at most 5 below the value at which that step overflows.
func TestLargestBetaLeavesRoomForTheWorstStep(t *testing.T) {
	for _, d := range []int{1, 4, 100} {
		for _, sigma := range []float64{1, 1e6} {
			c := Cell{Model: Transformer{Sigma: sigma}, Attention: Unnormalized, Tokens: 2, Dim: d, Depth: 1,
				Start: UniformStart{}}
			step := func(beta float64) error {
				c.Beta = beta
				x, value := make([]float64, c.Tokens*d), make([]float64, d*d)
				for k := range x {
					x[k] = 1 / math.Sqrt(float64(d))
				}
				for k := range value {
					value[k] = 8.6 * sigma
				}
				return NewStepper(c).Step(x, value)
			}
			if err := step(c.LargestBeta()); err != nil {
				t.Errorf("d=%d σ=%g: %v at β = %v", d, sigma, err, c.Beta)
			}
			if step(c.LargestBeta()+5) == nil {
				t.Errorf("d=%d σ=%g: β up to %v would do", d, sigma, c.Beta)
			}
			c.Tokens = 500 // are summed before the sum is divided by N
			if err := step(c.LargestBeta()); err != nil {
				t.Errorf("N=500 d=%d σ=%g: %v at β = %v", d, sigma, err, c.Beta)
			}
		}
	}
}

// The increment of the hybrid has standard deviation 1; only the transformer's has σ.
func TestHybridIncrementsHaveDeviationOne(t *testing.T) {
	c := Cell{Model: Hybrid{Law: Rademacher, Epsilon: 2}, Tokens: 2, Dim: 3, Depth: 1, Start: UniformStart{}}
	increment := make([]float64, 1)
	for layer := range int64(10) {
		if c.Model.draw(increment, c.Depth, c.stream(1), 0, layer); math.Abs(increment[0]) != 1 {
			t.Errorf("increment %v", increment[0])
		}
	}
}

// A chain of unnormalised attention keeps finite logarithms at the largest β that is allowed, and soon loses
// them at a β above twice that.
func TestLargestChainBetaKeepsTheLogarithms(t *testing.T) {
	for _, sigma := range []float64{1, 1e6} {
		c := Cell{Model: Transformer{Sigma: sigma}, Method: Chain, Attention: Unnormalized, Tokens: 2, Dim: 4,
			Depth: 1, Start: PairStart{0.5}}
		least := func(beta float64) float64 {
			c.Beta = beta
			l, all, lowest := newLanes(c, 1, lanes.PerVector, KeepApart, 1), make([]lanes.Lane,
				lanes.PerVector), 0.
			for k := range all {
				must.Do(t, l.Start(k, 0))
				all[k].Trajectory = int64(k)
			}
			l.Advance(all, 2000)
			for k := range all {
				if all[k].Err != nil {
					return math.Inf(-1)
				}
				lowest = min(lowest, numbers(l, k)[0], numbers(l, k)[1])
			}
			return lowest
		}
		if v := least(c.largestChainBeta()); !(v > -1e6 && v < -1e5) {
			t.Errorf("σ=%g: ln(1∓Z) = %v at β = %v", sigma, v, c.Beta)
		}
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
		if v := least(2 * c.largestChainBeta()); !math.IsInf(v, -1) {
			t.Errorf("σ=%g: ln(1∓Z) = %v at β = %v", sigma, v, c.Beta)
		}
		if c.Validate() == nil {
			t.Errorf("σ=%g: β = %v is allowed", sigma, c.Beta)
		}
	}
}
