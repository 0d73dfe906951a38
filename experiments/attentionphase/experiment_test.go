package attentionphase

import (
	"context"
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/overlap/propagation"
	"antipode/sphere/must"
)

// In the limit and for T tokens the columns are those of the theory. In the limit below β_c the cosine from ρ
// = 0 does not exist, nor the entropy.
func TestAttentionPhaseRows(t *testing.T) {
	tokens := int64(200)
	for _, number := range []*int64{nil, &tokens} {
		a := New()
		a.Beta, a.Rho, a.Tokens = []float64{0.5, 3}, []float64{0, 0.4}, number
		points, err := data.RowsOf[Row](experimenttest.Table(t, a, run.Options{}))
		if err != nil || len(points) != 4 {
			t.Fatal(len(points), err)
		}
		for _, v := range points {
			next := must.Get(propagation.Attention{Beta: v.Beta, SigmaV2: 1,
				Tokens: networks.TokensOrInfinite(a.Tokens)}.Step(propagation.State{Q: 1, P: v.Rho}))(t)
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

// The participation ratio and the cosine of simulated layers agree with the theory for the number of tokens,
// within four standard errors of 20 layers (8 comparisons, false alarms: fewer than one in 1,000 seeds) and
// 0.015 for the finite dimension: tokens are not quite orthogonal, and the norm of a query varies by 1/√d.
func TestSimulatedLayers(t *testing.T) {
	longtest.Only(t)
	a, tokens, samples := New(), int64(64), int64(20)
	a.Beta, a.Rho, a.Tokens, a.Simulate, a.Dim = []float64{0.6, 2}, []float64{0.1,
		0.5}, &tokens, &samples, 700
	rows, err := data.RowsOf[Row](experimenttest.Table(t, a, run.Options{Seed: 2}))
	if err != nil || len(rows) != 4 {
		t.Fatal(len(rows), err)
	}
	const finite = 0.015
	for _, r := range rows {
		if d := math.Abs(r.Y2Simulated - r.Y2); d > 4*r.Y2Stderr+finite || r.Y2Stderr > 0.03 {
			t.Errorf("β = %g, ρ = %g: Y2 %v ± %v, want %v", r.Beta, r.Rho, r.Y2Simulated, r.Y2Stderr, r.Y2)
		}
		if d := math.Abs(r.RatioSimulated - r.Cosine); d > 4*r.RatioStderr+finite || r.RatioStderr > 0.03 {
			t.Errorf("β = %g, ρ = %g: cosine %v ± %v, want %v", r.Beta, r.Rho, r.RatioSimulated,
				r.RatioStderr, r.Cosine)
		}
		// The mean cosine is larger, as the norms of rows differ.
		if !(r.CosineSimulated > r.RatioSimulated-0.01 && r.CosineSimulated < 1) {
			t.Errorf("β = %g, ρ = %g: mean cosine %v", r.Beta, r.Rho, r.CosineSimulated)
		}
	}
}

// A sample that is interrupted is none.
func TestInterruptedSample(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, tokens := New(), int64(8)
	a.Tokens, a.Dim = &tokens, 8
	if numbers, err := a.sample(ctx, 0.5, 1, 1); err != context.Canceled || numbers != nil {
		t.Errorf("%v, error %v", numbers, err)
	}
	if numbers, err := a.sample(t.Context(), 0.5, 1, 1); err != nil || len(numbers) != 3*len(a.Beta) {
		t.Errorf("%v, error %v", numbers, err)
	}
}
