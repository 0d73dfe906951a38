package overlap

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// The rows of a grid of ε are those of runs with each ε alone. Only the grid has a column with ε.
func TestGridOfNoises(t *testing.T) {
	grid := New()
	grid.Dim, grid.Beta, grid.Epsilon = []int{3, 5}, []float64{1, 0.5}, Noises{1.2, 0, 0.7}
	rows, err := run.RowsOf[fullRow](experimenttest.Table(t, grid, run.Options{Seed: 1}))
	if err != nil || len(rows) != 12 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	text := experimenttest.Text(experimenttest.Table(t, grid, run.Options{Seed: 1}))
	for k, epsilon := range grid.Epsilon {
		one := New()
		one.Dim, one.Beta, one.Epsilon = grid.Dim, grid.Beta, Noises{epsilon}
		table := experimenttest.Table(t, one, run.Options{Seed: 1})
		if table.Schema.Index("epsilon") >= 0 {
			t.Error("a single ε has a column")
		}
		alone := must.Get(run.RowsOf[fullRow](table))(t)
		for i, r := range alone {
			if got := rows[3*i+k]; got.Epsilon != epsilon || got.Antipodal != r.Antipodal ||
				got.Lyapunov != r.Lyapunov || got.Dim != r.Dim || got.Beta != r.Beta {
				t.Errorf("ε = %v: %+v, alone %+v", epsilon, got.Row, r.Row)
			}
		}
	}
	if !strings.Contains(text, `"beta":1,"epsilon":1.2,"z0":null`) {
		t.Errorf("no column of ε:\n%s", text)
	}
}

// In JSON a single ε is written as a number, as in files of older versions, and several as a list.
func TestNoisesInJSON(t *testing.T) {
	for text, want := range map[string]Noises{"null": nil, "0.5": {0.5}, "[0.5,1]": {0.5, 1}} {
		var got Noises
		if err := json.Unmarshal([]byte(text), &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
		if again, err := json.Marshal(got); err != nil || string(again) != text {
			t.Errorf("%s is written %s, %v", text, again, err)
		}
	}
	if err := json.Unmarshal([]byte(`"x"`), new(Noises)); err == nil {
		t.Error("a text is an ε")
	}
}

// The horizontal axis of the figure of a grid is the first of β, ε and d that varies, and there is a line for
// each combination of the other two.
func TestFigureOverNoises(t *testing.T) {
	o := New()
	o.Dim, o.Beta, o.Epsilon = []int{4, 3}, []float64{0.5}, Noises{0, 0.5, 1, 1.5}
	f := must.Get(o.Draw(experimenttest.Table(t, o, run.Options{Seed: 1})))(t)
	text := figuretest.Figure(f).Strings()
	for _, want := range []string{"noise amplitude ε", "d = 3, β = 0.5", "d = 4, β = 0.5"} {
		if !strings.Contains(strings.Join(text, "\n"), want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	o.Beta = []float64{0.5, 1}
	o.Dim = []int{3}
	f = must.Get(o.Draw(experimenttest.Table(t, o, run.Options{Seed: 1})))(t)
	text = figuretest.Figure(f).Strings()
	if !slices.Contains(text, "d = 3, ε = 1.5") {
		t.Errorf("no line of an ε over β in %q", text)
	}
}
