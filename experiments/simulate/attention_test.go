package simulate

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sphere/must"
)

// The saved attention matrices are computed from the saved states of the same run: e^(βx_iᵀBx_j), divided by
// the sum of the row for softmax attention, and by N for unnormalised attention. Here B is a rotation by 90°,
// so that xᵀBy = x₂y₁-x₁y₂ up to its sign.
func TestSavedAttention(t *testing.T) {
	for _, name := range []string{"softmax", "unnormalized"} {
		s := New()
		s.Tokens, s.Dim, s.Beta, s.Trajectories = 3, 2, 0.8, 2
		s.Interaction = experimenttest.Must(setting.ParseInteraction("rotation:90"))
		s.Depth, s.Horizon, s.Every = 10, 1, 0.5
		must.Do(t, s.Attention.UnmarshalText([]byte(name)))
		s.Save = saveStates
		states := must.Get(data.RowsOf[StateRow](experimenttest.Table(t, s, run.Options{Seed: 6})))(t)
		s.Save = saveAttention
		table := experimenttest.Table(t, s, run.Options{Seed: 6})
		rows, err := data.RowsOf[AttentionRow](table)
		if err != nil || len(rows) != 9*len(states) || len(states) != 6 {
			t.Fatal(len(rows), len(states), err)
		}
		for k, r := range rows {
			state := states[k/9]
			if r.Moment != state.Moment || int(r.Query) != k%9/3+1 || int(r.Key) != k%3+1 {
				t.Fatalf("row %d: %+v", k, r)
			}
			weight := func(j int) float64 {
				x, y := state.Tokens[r.Query-1], state.Tokens[j]
				return math.Exp(0.8 * (x[1]*y[0] - x[0]*y[1]))
			}
			total := 3.
			if name == "softmax" {
				total = weight(0) + weight(1) + weight(2)
			}
			if want := weight(int(r.Key)-1) / total; !(math.Abs(r.Weight-want) <= 1e-14) {
				t.Errorf("%s, row %d: weight %v, want %v", name, k, r.Weight, want)
			}
		}
		drawn := must.Get(s.Draw(table))(t)
		if texts := figuretest.Figure(drawn).Strings(); len(texts) < 6 {
			t.Errorf("figure with the texts %q", texts)
		}
	}
}
