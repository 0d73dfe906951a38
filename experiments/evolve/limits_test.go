package evolve

import (
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/setting"
)

// The report has a line for up to forty cells, and says how many others there are.
func TestLinesOfTheReport(t *testing.T) {
	for cells, lines := range map[int]int{40: 40, 41: 40} {
		e := New()
		e.Model, e.Tokens, e.Dim, e.Beta = []setting.Model{setting.Flow}, 3, []int{4}, nil
		var rows []Row
		for k := range cells {
			e.Beta = append(e.Beta, float64(k))
			rows = append(rows, seenAt("flow", 4, float64(k), map[float64][2]int64{0: {0, 0}, 1: {9, 0}})...)
		}
		var text strings.Builder
		if err := e.Describe(&text, experimenttest.TableOf(t, e, rows...)); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(text.String(), "flow"); got < lines ||
			strings.Contains(text.String(), "1 more") != (cells > 40) {
			t.Errorf("%d cells: %d lines\n%s", cells, got, &text)
		}
	}
}

// A series of a panel has up to ten dots, and up to six if there are more than four series; no time has two.
func TestDotsOfASeries(t *testing.T) {
	s := New().events()[0]
	for _, c := range []struct{ times, most, want int }{{100, 10, 10}, {100, 6, 6}, {4, 10, 4}, {1, 10, 1}} {
		rows := make(evolution, c.times)
		for k := range rows {
			rows[k] = Row{Time: float64(k), Trajectories: 10, Single: 3}
		}
		if got := s.dots(rows, 0.5, c.most); len(got.Points) != c.want || got.Points[0].Y != 0.3 {
			t.Errorf("%+v: %d dots", c, len(got.Points))
		}
	}
	e := New()
	e.Tokens, e.Dim = 3, []int{4}
	for models, want := range map[int]int{1: 10, 2: 6} {
		e.Model = []setting.Model{setting.Transformer, setting.Hybrid}[:models]
		var cells []*drawnCell
		for _, model := range e.Model {
			c := evolution{}
			for time := range 100 {
				c = append(c, Row{Model: Model(model), Tokens: 3, Dim: 4, Beta: 1, Time: float64(time),
					Trajectories: 10, Single: 3, Unclustered: 7})
			}
			cells = append(cells, &drawnCell{evolution: c})
		}
		p, err := e.panel(1, e.panels(cells)[0], &figure.Key{})
		if err != nil {
			t.Fatal(err)
		}
		for _, mark := range p.Marks {
			if dots, is := mark.(figure.Dots); is && len(dots.Points) != want {
				t.Errorf("%d models: %d dots", models, len(dots.Points))
			}
		}
	}
}

// A dot at the end of a plot stays, and a later one does not.
func TestDotsUntilTheEnd(t *testing.T) {
	dots := figure.Dots{Points: []figure.Point{{X: 1}, {X: 3}, {X: 4}}, Low: []float64{1, 2, 3},
		High: []float64{4, 5, 6}}
	if got := until(3, dots); len(got.Points) != 2 || got.Points[1].X != 3 || got.Low[1] != 2 ||
		got.High[1] != 5 || len(got.Low) != 2 || len(got.High) != 2 {
		t.Errorf("%+v", got)
	}
}

// Half of the trajectories have clustered at the first time at which not more than half have not.
func TestHalfOfTheTrajectories(t *testing.T) {
	for _, c := range []struct {
		clustered int64
		want      string
	}{{4, "not by time 9"}, {5, "by time 2"}} {
		cells := []evolution{
			seenAt("transformer", 4, 1, map[float64][2]int64{0: {0, 0}, 2: {c.clustered, 0}, 9: {4, 0}}),
			seenAt("flow", 4, 1, map[float64][2]int64{0: {0, 0}, 1: {9, 0}, 9: {9, 0}}),
		}
		if got := comparison(cells); !strings.Contains(got, "in the transformer "+c.want) {
			t.Errorf("%d of 10: %q", c.clustered, got)
		}
	}
}

// Runs, reports and figures with a forecast, and with the theory of three tokens, fail if they cannot go on.
func TestFailures(t *testing.T) {
	for name, change := range map[string]func(e *Experiment){
		"forecast": func(e *Experiment) { e.Forecast = 2 },
		"theory":   func(e *Experiment) { e.Theory = true },
		"log time": func(e *Experiment) { e.LogTime = true },
	} {
		e := New()
		e.Model, e.Tokens, e.Dim, e.Beta = []setting.Model{setting.Transformer}, 3, []int{2}, []float64{1}
		e.Depth, e.Horizon, e.Trajectories, e.Tolerance = 5, 0.4, 3, 0.05
		change(e)
		experimenttest.CheckStops(t, name, e)
		table := experimenttest.Table(t, e, run.Options{Seed: 1})
		experimenttest.CheckNoRoom(t, name, e, table)
		experimenttest.CheckColumns(t, name, e, table)
	}
}
