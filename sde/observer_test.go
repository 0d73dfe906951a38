package sde

import (
	"math"
	"testing"
)

// An observer and a stop rule see the tokens of a cell; for a chain, whatever N is, they see no tokens, but
// the logarithms. A chain begins at the overlap of its start.
func TestObserversSeeTokensOrLogarithms(t *testing.T) {
	for _, c := range []struct {
		cell    Cell
		want    int
		masses  [2]float64
		overlap float64
	}{
		{Cell{Model: Transformer{Sigma: 1}, Method: Tokens, Tokens: 3, Dim: 4, Beta: 1, Depth: 5,
			Start: UniformStart{}}, 12, [2]float64{}, 0},
		{Cell{Model: Transformer{Sigma: 1}, Method: Chain, Tokens: 2, Dim: 4, Beta: 1, Depth: 5,
			Start: PairStart{Overlap: 0.28}}, 0, [2]float64{1, 1}, 0.28},
		{Cell{Model: Transformer{Sigma: 1}, Method: Chain, Tokens: 5, Dim: 4, Beta: 1, Depth: 5,
			Start: OppositeStart{First: 2, Second: 3}}, 0, [2]float64{2, 3}, -1},
	} {
		seen, asked := 0, 0
		e := &Ensemble[struct{}]{
			Cells: []Cell{c.cell}, Trajectories: 1, Layers: 3, Times: []int64{0, 3}, Workers: 1,
			Observer: func(int) func(*struct{}, *View) {
				return func(_ *struct{}, v *View) {
					seen = len(v.Tokens())
					p, chain := v.Pair()
					if chain != (c.cell.Method == Chain) || p.Masses != c.masses {
						t.Errorf("%v of %d tokens: pair %+v, %v", c.cell.Method, c.cell.Tokens, p, chain)
					}
					above, below := math.Expm1(p.Above)-c.overlap, -math.Expm1(p.Below)-c.overlap
					if chain && v.Layer == 0 && math.Abs(above)+math.Abs(below) > 1e-15 {
						t.Errorf("a chain from overlap %v begins with %+v", c.overlap, p)
					}
				}
			},
			Stop: func(int) func(*View) bool {
				return func(v *View) bool {
					asked = len(v.Tokens())
					return false
				}
			},
			Reduce: func(int, int64, struct{}) error { return nil },
		}
		if err := e.Run(t.Context()); err != nil || seen != c.want || asked != c.want {
			t.Errorf("%v of %d tokens: an observer sees %d numbers, a stop rule %d, not %d (%v)",
				c.cell.Method, c.cell.Tokens, seen, asked, c.want, err)
		}
	}
}
