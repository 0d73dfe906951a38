package lanes

import (
	"math"
	"slices"
	"testing"

	"antipode/sphere/must"
)

// The tokens that are shown in place of a pair have the overlap of the pair, and coincide if the pair does,
// also after a lane has moved.
func TestPairsAreSeenAsTokens(t *testing.T) {
	const dim = 4
	for name, l := range map[string]Lanes{
		"vectors":  newVectorTokens(crowd(5, dim, 1), PerVector, true),
		"matrices": newMatrixTokens(crowd(5, dim, 1), PerVector, true, 1),
	} {
		t.Run(name, func(t *testing.T) {
			all := make([]Lane, PerVector)
			for k := range all {
				all[k].Trajectory = int64(k)
				must.Do(t, l.Start(k, int64(k)))
			}
			pairs := 0
			check := func(k int) {
				p, ok := l.Pair(k)
				if !ok {
					return
				}
				pairs++
				x := l.Tokens(k)
				for i, atom := range p.Of {
					seen := squaresOf(x[:dim], x[dim*i:dim*(i+1)])
					want := Pair{Above: math.Ln2, Below: math.Inf(-1)} // of a token and itself
					if atom != p.Of[0] {
						want = p
					}
					for _, v := range [][2]float64{{seen.above, want.Above}, {seen.below, want.Below}} {
						if square := 2 * math.Exp(v[1]); !(math.Abs(v[0]-square) <= 1e-12*square) {
							t.Errorf("lane %d: square %v, want %v", k, v[0], square)
						}
					}
				}
			}
			for all[0].Layer < 800 {
				l.Advance(all, 40)
				for k := range all {
					check(k)
				}
			}
			last, tokens := len(all)-1, slices.Clone(l.Tokens(len(all)-1))
			if _, ok := l.Pair(last); !ok || pairs < 20 {
				t.Fatalf("%d pairs seen, the last lane is one: %v", pairs, ok)
			}
			l.Move(0, last)
			if check(0); !slices.Equal(l.Tokens(0), tokens) {
				t.Error("a pair that moved to another lane has other tokens")
			}
		})
	}
}
