package lanes

import (
	"math"
	"testing"

	"antipode/sphere/must"
)

// The tokens that are shown in place of a pair have the overlap of the pair, and coincide if the pair does.
func TestPairsAreSeenAsTokens(t *testing.T) {
	l := newVectorTokens(crowd(5, 4, 1), PerVector, true)
	all := make([]Lane, PerVector)
	for k := range all {
		all[k].Trajectory = int64(k)
		must.Do(t, l.Start(k, int64(k)))
	}
	pairs := 0
	for all[0].Layer < 800 {
		l.Advance(all, 40)
		for k := range all {
			p, ok := l.Pair(k)
			if !ok {
				continue
			}
			pairs++
			x := l.Tokens(k)
			for i, atom := range l.atoms[k].of {
				seen := squaresOf(x[:4], x[4*i:4*(i+1)])
				want := Pair{Above: math.Ln2, Below: math.Inf(-1)} // of a token and itself
				if atom != l.atoms[k].of[0] {
					want = p
				}
				for _, v := range [][2]float64{{seen.above, want.Above}, {seen.below, want.Below}} {
					if square := 2 * math.Exp(v[1]); !(math.Abs(v[0]-square) <= 1e-12*square) {
						t.Errorf("lane %d: square %v, want %v", k, v[0], square)
					}
				}
			}
		}
	}
	if pairs < 20 {
		t.Errorf("%d pairs seen", pairs)
	}
}
