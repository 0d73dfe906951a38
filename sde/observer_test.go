package sde

import (
	"math"
	"testing"
)

// An observer and a stop rule see the tokens of a cell, or of a chain two logarithms, whatever N.
func TestObserversSeeTokensOrLogarithms(t *testing.T) {
	for _, c := range []struct {
		cell Cell
		want int
	}{
		{Cell{Method: Tokens, Tokens: 3, Dim: 4, Beta: 1, Sigma: 1, Depth: 5, Start: UniformStart{}}, 12},
		{Cell{Method: Chain, Tokens: 2, Dim: 4, Beta: 1, Sigma: 1, Depth: 5, Start: PairStart{Overlap: 0.28}}, 2},
		{Cell{Method: Chain, Tokens: 5, Dim: 4, Beta: 1, Sigma: 1, Depth: 5, Start: OppositeStart{First: 2, Second: 3}}, 2},
	} {
		seen, asked := 0, 0
		e := &Ensemble[struct{}]{
			Cells: []Cell{c.cell}, Trajectories: 1, Layers: 3, Times: []int64{0, 3}, Workers: 1,
			Observer: func(int) func(*struct{}, int64, int64, []float64) {
				return func(_ *struct{}, _, layer int64, x []float64) {
					seen = len(x)
					at, ok := c.cell.Start.(PairStart)
					if ok && layer == 0 && math.Abs(math.Expm1(x[0])-at.Overlap)+math.Abs(-math.Expm1(x[1])-at.Overlap) > 1e-15 {
						t.Errorf("a chain from overlap %v begins with %v", at.Overlap, x)
					}
				}
			},
			Stop: func(int) func(int64, []float64) bool {
				return func(_ int64, x []float64) bool {
					asked = len(x)
					return false
				}
			},
			Reduce: func(int, int64, struct{}) error { return nil },
		}
		if err := e.Run(t.Context()); err != nil || seen != c.want || asked != c.want {
			t.Errorf("%v of %d tokens: an observer sees %d numbers, a stop rule %d, not %d (%v)", c.cell.Method, c.cell.Tokens, seen, asked, c.want, err)
		}
	}
}
