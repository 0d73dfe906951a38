package verify

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
)

// The error of claims that fail names them, each with its comparison, and is a finding.
func TestRefuted(t *testing.T) {
	eq21 := Result{Claim: Claim{ID: "eq21"}, What: "d=4 β=1"}
	for want, results := range map[string][]Result{
		"1 claim fails: eq21 (d=4 β=1)": {eq21},
		"2 claims fail: eq21 (d=4 β=1), c4 (final form)": {
			eq21, {Claim: Claim{ID: "c4"}, What: "final form"}},
	} {
		if err := error(&Refuted{results}); err.Error() != want || !errors.Is(err, run.ErrFinding) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The lines of claims are written one by one as their rows come, and the summary at the end; together they
// are the report. Rows that are not those of the table are an error.
func TestFollow(t *testing.T) {
	e := New()
	e.Only = []string{"c4", "eq21"}
	table := data.NewTable(run.Schema(e, 1))
	var followed, report bytes.Buffer
	rows, end, err := e.Follow(&followed)
	ensure(err)
	for k, c := range e.Claims() {
		result := Result{Claim: c, Predicted: 1, Measured: 2, Verdict: either(k > 0), FalseAlarm: 1e-7}
		for _, sink := range []data.Sink{table, rows} {
			ensure(data.WriteRows(relabelled(sink, e.Columns()), result.row()))
		}
		if lines := strings.Count(followed.String(), "\n"); lines != k+2 {
			t.Errorf("%d lines after row %d", lines, k)
		}
	}
	ensure(end())
	ensure(e.Describe(&report, table))
	if followed.String() != report.String() || !strings.Contains(report.String(), "1 of 2 claims holds.") {
		t.Errorf("%s\nreport:\n%s", &followed, &report)
	}
	if rows.Write(data.Slice[float64]{1}) == nil {
		t.Error("rows with one column are taken")
	}
}

// A claim may end its parts before the last subject.
func TestPartsEnd(t *testing.T) {
	var seen []int
	for x := range parts(&report{}, []int{1, 2, 3}) {
		if seen = append(seen, x); x == 2 {
			break
		}
	}
	if !slices.Equal(seen, []int{1, 2}) {
		t.Errorf("%v", seen)
	}
}

// Pairs that are opposite at the first time and not at the second count as lost, and pairs that become
// opposite do not; both change their outcome.
func TestChangesBetweenTimes(t *testing.T) {
	for name, c := range map[string]struct {
		measure       func(f *fixture, r *report)
		early         int64
		lost, changed float64
	}{
		"figure 3": {changeBetweenHorizons, 50 * 25, 1, 0}, "figure 7": {figure7Stable, 25 * 40, 1, 1},
	} {
		for first, want := range map[float64]float64{-1: c.lost, 1: c.changed} {
			made := genuine
			made.view = func(v *sde.View) *sde.View {
				x := []float64{1, 0, 0, 0, first, 0, 0, 0}
				if v.Layer > c.early {
					x[4] = -first
				}
				return sde.NewView(v.Trajectory, v.Layer, x, 4)
			}
			var r report
			c.measure(&fixture{context: t.Context(), seed: 1, subject: made}, &r)
			if got := r.comparisons[0].measured; got != want {
				t.Errorf("%s from overlap %v: a fraction %v, want %v", name, first, got, want)
			}
		}
	}
}

// Networks that diverge have an infinite loss, and count as learning in 50 steps more than there are.
func TestNetworksThatDiverge(t *testing.T) {
	f := &fixture{context: t.Context(), seed: 1, subject: genuine}
	l := heaviside(1, 1, 0, 1e-2, false, 70)
	l.task = func(seed uint64) (training.Task, error) { return tasks.NewHeaviside(4, 16, 1, 1, seed) }
	l.method.Bound, l.method.Batch, l.method.Validation = 1e-9, 1, 1
	losses, steps := f.losses(l), f.stepsToLearn(l, 1)
	for k := range pairs {
		if !math.IsInf(losses[k], 1) || steps[k] != 120 {
			t.Errorf("loss %v, steps %v", losses[k], steps[k])
		}
	}
	if all := f.outcomes(l); !math.IsInf(all[0].Loss, 1) || len(all) != pairs {
		t.Errorf("%+v", all)
	}
	ended := errors.New("ended")
	l.task = func(uint64) (training.Task, error) { return nil, ended }
	c := Claim{ID: "some-claim", measure: func(f *fixture, r *report) { f.losses(l) }}
	if _, err := c.check(f); !errors.Is(err, ended) {
		t.Errorf("error %v", err)
	}
}
