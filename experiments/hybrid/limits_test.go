package hybrid

import (
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/theory"
	"antipode/sde"
)

// Up to 24 cells have a line each, and more have a line for each β.
func TestLinesOfTheReport(t *testing.T) {
	for cells, lines := range map[int]int{24: 24, 25: 1} {
		h := New()
		h.Beta, h.Epsilon = []float64{1}, nil
		var rows []Row
		for k := range cells {
			epsilon := float64(k+1) / 10
			h.Epsilon = append(h.Epsilon, epsilon)
			rows = append(rows, cell(epsilon, 1, 1, 10, 20))
		}
		var text strings.Builder
		if err := h.Describe(&text, experimenttest.TableOf(t, h, rows...)); err != nil {
			t.Fatal(err)
		}
		table, _, _ := strings.Cut(text.String(), "\n\n")
		if got := strings.Count(table, "\n"); got != lines {
			t.Errorf("%d cells: %d lines\n%s", cells, got, &text)
		}
	}
}

// Both outcomes attract strictly between the thresholds. At the threshold of a single cluster, and above it,
// its limit is 0.
func TestBetweenTheThresholds(t *testing.T) {
	for epsilon, want := range map[float64]bool{1: false, 1.25: true, 1.5: false, 0.5: false, 2: false} {
		r := BlockRow{Row: cell(epsilon, 1, 1.5, 0, 0)}
		r.LimitSingle, r.Limit = math.NaN(), 0.75
		if r.both() != want {
			t.Errorf("ε = %g: both attract: %v", epsilon, r.both())
		}
		limit := 0.25
		if epsilon >= 1.5 {
			limit = 0
		}
		if r.singleLimit() != limit {
			t.Errorf("ε = %g: limit %g", epsilon, r.singleLimit())
		}
		if r.LimitSingle = 0.5; r.singleLimit() != 0.5 {
			t.Errorf("ε = %g: limit %g instead of a known one", epsilon, r.singleLimit())
		}
	}
}

// The theory at the depth counts if both of its probabilities are known; otherwise that in the limit counts.
// The greater of the two differences is reported.
func TestTheoryOfARow(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		depthAntipodal, depthSingle, wantAntipodal, wantSingle float64
	}{{0.5, 0.25, 0.5, 0.25}, {nan, 0.25, 0.75, 0.125}, {0.5, nan, 0.75, 0.125}} {
		r := cell(1, 1, 1, 50, 30)
		r.AntipodalHorizon, r.SingleHorizon = 0.75, 0.125
		r.DepthAntipodal, r.DepthSingle = c.depthAntipodal, c.depthSingle
		if a, s := r.theory(); a != c.wantAntipodal || s != c.wantSingle {
			t.Errorf("%+v: %v and %v", c, a, s)
		}
	}
	for _, p := range [][2]float64{{0.5, 0.5}, {0.9, 0.3}} { // 4 standard errors of 5, and 13.3 of 3
		r := cell(1, 1, 1, 50, 30)
		r.DepthAntipodal, r.DepthSingle = p[0], p[1]
		want := map[float64]float64{0.5: 4, 0.9: 40. / 3}[p[0]]
		if got := r.difference(); !(math.Abs(got-want) <= 0.15) {
			t.Errorf("%v: %v standard errors, want %v", p, got, want)
		}
	}
}

// Derivatives are simulated if at least 20 trajectories are antipodal and at least 20 are not.
func TestDerivativesOfFewTrajectories(t *testing.T) {
	for antipodal, want := range map[int64]bool{0: false, 19: false, 20: true, 21: false, 40: false} {
		h := New()
		h.Attention, h.Trajectories, h.Depth, h.Horizon = sde.Softmax, 40, 30, 2
		var r DerivedRow
		r.Beta, r.Epsilon, r.Trajectories, r.Row.Antipodal = 1, 1.2, h.Trajectories, antipodal
		err := h.setDerivatives(t.Context(), run.Options{Seed: 1}, &r, make([]theory.Derivative, 2))
		s := r.Simulated
		if known := !math.IsNaN(s.ByBeta) && !math.IsNaN(s.ByEpsilon); err != nil || known != want {
			t.Errorf("%d antipodal trajectories: %+v, error %v", antipodal, s, err)
		}
	}
}

// A run with derivatives stops if its context ends, and if its rows cannot be written.
func TestFailuresOfDerivatives(t *testing.T) {
	h := New()
	h.Beta, h.Epsilon, h.Derivatives = []float64{1}, []float64{1.2}, true
	h.Trajectories, h.Depth, h.Horizon = 3, 10, 1
	experimenttest.CheckStops(t, "derivatives", h)
	table := experimenttest.Table(t, h, run.Options{Seed: 1})
	experimenttest.CheckNoRoom(t, "derivatives", h, table)
	experimenttest.CheckColumns(t, "derivatives", h, table)
	h.Horizon = 0.01
	if err := h.Run(t.Context(), run.Options{}, table); err == nil {
		t.Errorf("a horizon of a part of a layer: %v", err)
	}
}

// A tie has the colour of the antipodal outcome, and otherwise the more frequent outcome has its own.
func TestColourOfATie(t *testing.T) {
	if a, b := dominanceColor(0.25, 0.25), dominanceColor(0, 0.25); a != b {
		t.Errorf("%v, and %v if only the antipodal outcome occurs", a, b)
	}
	if a, b := dominanceColor(0.25, 0), dominanceColor(0.25, 0.125); a != b || a == dominanceColor(0, 0.25) {
		t.Errorf("%v and %v where single clusters are more frequent", a, b)
	}
}
