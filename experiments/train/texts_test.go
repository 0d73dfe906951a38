package train

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
)

// curveOf returns a learning curve of single evaluations with the given losses, one for each seed.
func curveOf(e *Experiment, losses ...float64) *learningCurve {
	c := &learningCurve{setting: e.settings()[0]}
	for _, loss := range losses {
		c.runs = append(c.runs, []evaluation{{Row: Row{Layer: math.NaN(), ValidationLoss: loss}}})
	}
	return c
}

// One setting learns less than another if the interval of the paired differences of their losses is above 0,
// and more if it is below, however small the differences are. For three seeds Student's quantile is 4.303.
func TestComparisonsOfSmallDifferences(t *testing.T) {
	e := New()
	base := curveOf(e, 1, 1, 1)
	for _, c := range []struct {
		losses []float64
		want   string
	}{
		{[]float64{1.011, 1.010, 1.009}, "first learn less than second, the loss " +
			"differs by +0.01 ± 0.0025 (95 %, 3 seeds)."},
		{[]float64{0.989, 0.990, 0.991}, "first learn more than second, the loss " +
			"differs by -0.01 ± 0.0025 (95 %, 3 seeds)."},
		{[]float64{1.001, 1.010, 1.009}, "undecided whether first learn more than second"},
		{[]float64{1.01}, "undecided whether first learn more than second, the loss differs by +0.01 ± " +
			"+Inf (95 %, 1 seed)."},
	} {
		got := comparisonText(curveOf(e, c.losses...), base, "first", "second")
		if !strings.Contains(got, ": "+c.want) {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// The name of a setting has the strength of branches if it is not 1, and the overlap of words if there is
// one.
func TestNamesOfSettings(t *testing.T) {
	for _, c := range []struct {
		change func(e *Experiment)
		want   string
	}{
		{func(e *Experiment) {}, ", α = 1, β = 1, σ_v² = 1, adam"},
		{func(e *Experiment) { e.Branches = []float64{0.5} },
			", α = 1, β = 1, branches = 0.5, σ_v² = 1, adam"},
		{func(e *Experiment) { e.Overlap = []float64{0.25} },
			", α = 1, β = 1, overlap = 0.25, σ_v² = 1, adam"},
	} {
		e := New()
		e.Task, e.AlphaSA, e.Beta, e.SigmaV2 = masked, []float64{1}, []float64{1}, []float64{1}
		e.Optimiser, e.Branches, e.Overlap = []string{"adam"}, []float64{1}, []float64{0}
		c.change(e)
		if got := e.settings()[0].name(); !strings.Contains(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// A table may have ten million rows: for each seed and each evaluation a row of the network, of its input and
// of each layer.
func TestLargestTableOfRuns(t *testing.T) {
	for steps, allowed := range map[int64]bool{49_999: true, 50_000: false} {
		e := New()
		e.Layers, e.Steps, e.Every, e.Seeds = []int{18}, steps, 1, 10
		if err := e.Validate(); (err == nil) != allowed ||
			err != nil && !strings.HasPrefix(err.Error(), "every 1: the table would have 1e+07 rows") {
			t.Errorf("%d steps: %v", steps, err)
		}
	}
}

// An evaluation is made before the first step, after each interval and at the end.
func TestNumberOfRecords(t *testing.T) {
	for _, c := range [][3]int64{{1, 1, 2}, {10, 10, 2}, {11, 10, 3}, {20, 10, 3}, {9, 10, 2}, {10, 3, 5}} {
		e := New()
		e.Steps, e.Every = c[0], c[1]
		if got := e.records(); got != c[2] {
			t.Errorf("%d steps, every %d: %d records, want %d", c[0], c[1], got, c[2])
		}
	}
}

// A batch, and the validation, may have all examples of a task.
func TestAllExamplesOfATask(t *testing.T) {
	for batch, allowed := range map[int64]bool{8: true, 9: false} {
		e := New()
		for name, text := range map[string]string{"task": heaviside, "examples": "8"} {
			if err := parameter.ByName(e.Parameters(), name).Set(text); err != nil {
				t.Fatal(err)
			}
		}
		e.Batch = batch
		if err := e.Validate(); (err == nil) != allowed ||
			err != nil && err.Error() != "batch 9: must be at most the number of examples that are learned "+
				"from, 8" {
			t.Errorf("batch %d: %v", batch, err)
		}
	}
}

// Each line of the reports on depths and on layers for which there is no room is an error.
func TestReportsWithoutRoom(t *testing.T) {
	_, curves := depthCurves()
	for name, describe := range map[string]func(w io.Writer) error{
		"depths": func(w io.Writer) error { return describeDepths(w, curves) },
		"layers": func(w io.Writer) error { return describeLayers(w, curves, nil) },
	} {
		var text strings.Builder
		if err := describe(&text); err != nil || strings.Count(text.String(), "\n") < 4 {
			t.Errorf("%s: %v\n%s", name, err, &text)
		}
		room := 0
		for line := range strings.Lines(text.String()) {
			left := experimenttest.Room(room + len(line) - 1)
			if err := describe(&left); !errors.Is(err, experimenttest.ErrNoRoom) {
				t.Errorf("%s, without room for %s: %v", name, line, err)
			}
			room += len(line)
		}
	}
}
