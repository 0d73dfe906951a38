package attentionphase

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
)

// In the limit and for T tokens the columns are the theory's; below β_c from ρ = 0 there
// is no cosine, and no entropy.
func TestAttentionPhaseRows(t *testing.T) {
	tokens := int64(200)
	for _, a := range []*Experiment{{Beta: []float64{0.5, 3}, Rho: []float64{0, 0.4}},
		{Beta: []float64{0.5, 3}, Rho: []float64{0, 0.4}, Tokens: &tokens}} {
		points, err := data.RowsOf[Row](experimenttest.Table(t, a, run.Options{}))
		if err != nil || len(points) != 4 {
			t.Fatal(len(points), err)
		}
		for _, v := range points {
			next, err := propagation.Attention{Beta: v.Beta, SigmaV2: 1,
				Tokens: networks.TokensOrInfinite(a.Tokens)}.Step(propagation.State{Q: 1, P: v.Rho})
			if err != nil {
				t.Fatal(err)
			}
			vanishes := a.Tokens == nil && v.Rho == 0 && v.Beta == 0.5
			if vanishes != math.IsNaN(v.Cosine) || !vanishes && v.Cosine != next.Cosine() {
				t.Errorf("β = %g, ρ = %g: cosine %g, want %g", v.Beta, v.Rho, v.Cosine, next.Cosine())
			}
			if infinite := a.Tokens == nil && v.Beta == 0.5; infinite != math.IsNaN(v.Entropy) {
				t.Errorf("β = %g, ρ = %g: entropy %g", v.Beta, v.Rho, v.Entropy)
			}
		}
	}
}
