package trainability

import (
	"context"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
	"antipode/sphere/must"
)

// Cells with the recommended strength are not at the edge, and only trainable cells count.
func TestCellsAtTheEdge(t *testing.T) {
	best := propagation.Recommendation{AlphaSA: 2}
	row := func(alpha float64, verdict propagation.Verdict) Row {
		return Row{AlphaSA: alpha, Verdict: verdict}
	}
	const trainable = propagation.Trainable
	for want, rows := range map[string][]Row{
		"": {row(2, trainable), row(3, trainable), row(1, trainable+1)},
		"\nWarning: 2 of the trainable cells have less": {row(1, trainable), row(1.5, trainable),
			row(2, trainable)},
		"\nWarning: the trainable cell has less":   {row(1, trainable), row(1, trainable+1)},
		"\nWarning: all trainable cells have less": {row(1, trainable), row(1.5, trainable)},
	} {
		got := New().atTheEdge(rows, best)
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The recommendation says whether a strength is needed at all, and whether it is the critical one.
func TestTextOfARecommendation(t *testing.T) {
	for want, best := range map[string]propagation.Recommendation{
		"any α_SA above 0 and β ≤ 1, half of the smallest critical β. The cosine is at or below 0.99 with " +
			"any strength above 0.": {AlphaSA: 0, Beta: 1},
		"For α_SA ≥ α_c = 2 the cosine is at or below 0.99.":            {AlphaSA: 2, Edge: 2, Beta: 1},
		"For α_SA ≥ α_c = 2 the cosine is at or below 0.99; but in the": {AlphaSA: 4, Edge: 2, Beta: 1},
	} {
		if got := New().recommended(best); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Tokens that are alike from the start have collapsed there. A negative strength has no map.
func TestReach(t *testing.T) {
	e := New()
	e.Start = 1
	if got := e.reach(1); got != "at the start" {
		t.Error(got)
	}
	e.Start = 0
	if got := e.reach(1); got != "at layer 44" {
		t.Error(got)
	}
	if got := e.reach(-1); !strings.HasPrefix(got, "nowhere: ") {
		t.Error(got)
	}
}

// The report says if no strength keeps the tokens apart, as when they are alike from the start.
func TestReportWithoutARecommendation(t *testing.T) {
	e := New()
	e.AlphaSA, e.Beta, e.Depth, e.Start = []float64{1}, []float64{0.5}, 3, 1
	var text strings.Builder
	must.Do(t, e.Describe(&text, experimenttest.Table(t, e, run.Options{})))
	if !strings.Contains(text.String(), "No strength α_SA keeps the cosine at or below 0.99.") {
		t.Error(&text)
	}
}

// A run whose context has ended, or whose rows have no room, stops.
func TestFailures(t *testing.T) {
	e := New()
	e.AlphaSA, e.Beta, e.Depth = []float64{1}, []float64{0.5}, 3
	experimenttest.CheckStops(t, "one cell", e)
}

// A strength or a start without a map is an error of its cells, and so is a context that has ended.
func TestCellsWithoutAMap(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		ctx          context.Context
		alpha, start float64
		want         string
	}{
		"a cell": {t.Context(), 1, 0.1, ""}, "ended": {ended, 1, 0.1, "context canceled"},
		"no map":   {t.Context(), -1, 0.1, "α = -1"},
		"no start": {t.Context(), 1, -1, "alpha-sa 1: at β = 0.5: "},
	} {
		e := New()
		e.Beta, e.Depth, e.Start = []float64{0.5}, 3, c.start
		_, err := e.row(c.ctx, c.alpha)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	e := New()
	if e.Start = -1; !strings.HasPrefix(e.reach(1), "nowhere: ") {
		t.Errorf("from a start of -1: %s", e.reach(1))
	}
}
