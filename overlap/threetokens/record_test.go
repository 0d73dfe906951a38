package threetokens

import (
	"fmt"
	"testing"

	"antipode/overlap"
	"antipode/overlap/internal/overlaptest"
)

// Laws on grids that are coarser than any of Uniform, and the grids of Uniform, are as recorded. The laws in
// two and five dimensions were compared with those of Uniform, which are as near as such grids are: basins to
// 3e-4.
func TestLawsOfThreeTokensAreAsRecorded(t *testing.T) {
	var records []overlaptest.Record
	for _, c := range []struct {
		tokens
		tolerance float64
		grid      resolution
	}{
		{tokens{2, 0.4, overlap.Softmax, 1}, 0.1, resolution{closeness: 12, across: 1, width: 0.3, length: 9,
			top: 4, steps: 6}},
		{tokens{5, 1.3, overlap.Unnormalized, 0.7}, 0.01, resolution{closeness: 12, across: 5, width: 0.3,
			length: 10, top: 3, steps: 8}},
		{tokens{30, 2.4, overlap.Softmax, 1.2}, 0.3, resolution{closeness: 12, across: 5, width: 0.35,
			length: 8, top: 3, steps: 8}},
	} {
		r := overlaptest.Record{Cell: fmt.Sprintf("%+v", c)}
		for _, l := range newGrid(c.tokens, c.grid, floor(c.beta, 1)).laws([]float64{0.2, 1}, c.tolerance) {
			r.Add(l.Time, l.Single.Value, l.TwoAgainstOne.Value, l.SingleBasin.Value)
			r.Add(l.TwoAgainstOneBasin.Value)
		}
		records = append(records, r)
	}
	for _, dim := range []int{2, 3, 8, 9, 19, 20, 200} {
		for level := range 3 {
			beta, tolerance := 1.1*float64(level), 0.3/float64(dim)
			g, h := resolutionOf(dim, beta, level, tolerance), floor(beta, level)
			r := overlaptest.Record{Cell: fmt.Sprintf("grid of d=%d β=%g level %d", dim, beta, level)}
			r.Add(float64(g.closeness), float64(g.across), g.width, g.length, g.top, float64(g.steps))
			r.Add(h.epsilon, h.share, stable(beta, level).epsilon)
			records = append(records, r)
		}
	}
	overlaptest.CompareRecords(t, "testdata/laws.txt", records)
}
