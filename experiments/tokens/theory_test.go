package tokens

import (
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sphere/invariant"
)

// Simulated fractions for three tokens agree with their theory: 4 numbers within 4.5 standard errors are one
// false alarm in 35,000 seeds. There is no such theory for two tokens, and the columns are absent without
// --theory. The dimension is 2, in which the theory takes the least time.
func TestTheoryOfThreeTokens(t *testing.T) {
	longtest.Only(t)
	k := New()
	k.Tokens, k.Beta, k.Depth, k.Horizon, k.Trajectories = []int{2, 3}, []float64{1.5, 2.5}, 50, 3, 400
	k.Dim, k.Tolerance = 2, 0.05
	if len(k.Columns()) != len(k.ShardColumns()) {
		t.Error("columns of a theory that is not asked for")
	}
	k.Theory = true
	table := experimenttest.Table(t, k, run.Options{Seed: 1})
	rows, err := data.RowsOf[Row](table)
	if err != nil || len(table.Schema.Columns) != len(k.ShardColumns())+3 {
		t.Fatal(len(table.Schema.Columns), err)
	}
	for _, r := range rows {
		if r.Tokens == 2 {
			if r.ThreeTokens.Antipodal == r.ThreeTokens.Antipodal {
				t.Errorf("%+v of two tokens", r.ThreeTokens)
			}
			continue
		}
		for _, c := range []struct {
			count int64
			p     float64
		}{{r.Antipodal, r.ThreeTokens.Antipodal}, {r.Single, r.ThreeTokens.Single}} {
			if off := outcomes.Deviation(c.count, 400, c.p); !(off < 4.5 && r.ThreeTokens.Error <= 1e-3) {
				t.Errorf("β = %v: %d, theory %+v: %.1f standard errors", r.Beta, c.count, r.ThreeTokens, off)
			}
		}
	}
	var text strings.Builder
	if err := k.Describe(&text, table); err != nil ||
		!strings.Contains(text.String(), "theory of antipodal") ||
		!strings.Contains(text.String(), "largest difference to the theory at this horizon") {
		t.Errorf("%s, %v", &text, err)
	}
	if _, err := k.Draw(table); err != nil {
		t.Error(err)
	}
	k.Covariance, k.Tokens = invariant.Symmetric, []int{3}
	if r, err := data.RowsOf[Row](experimenttest.Table(t, k, run.Options{Seed: 1})); err != nil ||
		r[0].ThreeTokens.Single == r[0].ThreeTokens.Single {
		t.Errorf("a theory of other values: %v", err)
	}
}
