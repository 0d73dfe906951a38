//go:build long

package stablerank

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// BERT at T = 128 has the means that an independent program in NumPy found for 8 networks, within four
// standard errors of the difference.
func TestBERTAgainstNumPy(t *testing.T) {
	s := modelsExperiment(t, "bert")
	s.Tokens, s.Samples = []int{128}, 8
	rows := must.Get(data.RowsOf[ModelRow](experimenttest.Table(t, s, run.Options{Seed: 1})))(t)
	for layer, want := range map[int][4]float64{ // mean cosine and stable rank, each with its standard error
		0:  {0.33360, 0.0047, 1.03507, 0.00152},
		1:  {0.35964, 0.0058, 1.02877, 0.00141},
		6:  {0.47380, 0.0070, 1.01273, 0.00069},
		12: {0.62107, 0.0101, 1.00442, 0.00035},
	} {
		r := rows[layer]
		if math.Abs(r.Cosine-want[0]) > 4*math.Hypot(r.CosineStderr, want[1]) ||
			math.Abs(r.StableRank-want[2]) > 4*math.Hypot(r.StableRankStderr, want[3]) ||
			math.Abs(r.Norm-math.Sqrt(768)) > 1e-7 {
			t.Errorf("%+v, NumPy %v", r, want)
		}
	}
}
