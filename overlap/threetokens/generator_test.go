package threetokens

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
)

// Applied to a polynomial of the overlaps that is symmetric under permutations of the tokens and vanishes
// for one cluster, the generator agrees with drift and covariance of the overlaps. The error is largest
// for three tokens in a plane, 120° apart, at the corner of the grid.
func TestGeneratorOfOverlaps(t *testing.T) {
	longtest.Only(t)
	for _, h := range []height{{0.5, 0}, {0.5, 1}} {
		testGenerator(t, h)
	}
}

func testGenerator(t *testing.T, h height) {
	w := tokens{4, 0.8, overlap.Softmax, 1}
	n := resolution{closeness: 26, across: 7, width: 0.05, length: 14, top: 2, steps: 1}
	g := newGrid(w, n, h)
	f := func(z [3]float64) float64 { return 4 - z[0] - z[1] - z[2] - z[0]*z[1]*z[2] }
	overlaps := func(p place) [3]float64 {
		m12, m13, m23 := p.distances()
		return [3]float64{1 - m12, 1 - m13, 1 - m23}
	}
	value := make([][]float64, g.rows) // by row and state
	for j := range value {
		value[j] = []float64{f(overlaps(placeOf(0, g.ratio((float64(j)+0.5)*g.width), 0)))}
		for s := range g.size() - 1 {
			value[j] = append(value[j], f(overlaps(g.place[g.node(j, 1+s/len(g.x), s%len(g.x))])))
		}
	}
	rates := g.generator()
	worst, most := 0.0, 0.0
	for j := range g.rows - 2 {
		for i := g.closeness / 2; i < g.closeness; i++ { // far from where tokens are treated as merged
			for k := range g.x {
				got := 0.0
				for other := max(0, j-2); other <= j+2; other++ {
					for s, at := range value[other] {
						got += rates.block[other][j-other+2][s*g.size()+g.state(i, k)] * at
					}
				}
				z := overlaps(g.place[g.node(j, i, k)])
				drift, c := plainMotion(&w, z)
				want := -c[0][1]*z[2] - c[0][2]*z[1] - c[1][2]*z[0]
				for a, other := range [3]float64{z[1] * z[2], z[0] * z[2], z[0] * z[1]} {
					want -= drift[a] * (1 + other)
				}
				worst, most = max(worst, math.Abs(got-want)), max(most, math.Abs(want))
			}
		}
	}
	if worst > 0.01 || most < 1 {
		t.Errorf("%+v: largest error %v of %v", h, worst, most)
	}
}
