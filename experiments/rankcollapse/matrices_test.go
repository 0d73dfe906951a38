package rankcollapse

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// For each dimension of keys, the mean squared distance of saved attention matrices from uniform attention is
// the value in the table of values.
func TestSavedAttentionHasTheDistance(t *testing.T) {
	two := int64(2)
	c := New()
	c.Figure, c.Networks = "7", &two
	values := must.Get(data.RowsOf[Row](experimenttest.Table(t, c, run.Options{Seed: 3})))(t)
	c.Save = networks.SavedAttention
	table := experimenttest.Table(t, c, run.Options{Seed: 3})
	experimenttest.CheckStops(t, "attention", c)
	experimenttest.CheckNoRoom(t, "attention", c, table)
	experimenttest.CheckColumns(t, "attention", c, table)
	rows, err := data.RowsOf[MatrixRow](table)
	if err != nil || len(rows) != 5*2*10*10 {
		t.Fatal(len(rows), err)
	}
	distances := map[int32]float64{}
	for _, r := range rows {
		distances[r.KeyDim] += (r.Value - 0.1) * (r.Value - 0.1) / 100 / 2
	}
	for _, r := range values {
		if r.Quantity == Distance && !(math.Abs(distances[r.KeyDim]-r.Simulated) <= 1e-13*r.Simulated) {
			t.Errorf("d_k = %d: %v, in the table of values %v", r.KeyDim, distances[r.KeyDim], r.Simulated)
		}
	}
}

// In a table of matrices each kind of networks has a name of its own.
func TestEveryLawOfMatricesHasAName(t *testing.T) {
	for _, figure := range figureNames()[:7] {
		c := New()
		c.Figure = figure
		names := map[string]bool{}
		for _, p := range c.parts() {
			if p.classes == 0 {
				name, _ := c.named(p.setting())
				if names[name] {
					t.Errorf("figure %s: two laws are %s", figure, name)
				}
				names[name] = true
			}
		}
	}
}
