package attentionmatrix

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
)

// For seven tokens in five dimensions a layer takes 3145 operations, its attention 1715 and the eigenvalues
// 40·7³, of 4e-10 s each. Each β has 49 entries and 7 eigenvalues, of which it keeps both parts.
func TestNeeds(t *testing.T) {
	e := New()
	e.Beta, e.Tokens, e.Dim = []float64{0.25, 0.5, 1}, 7, 5
	for workers, busy := range map[int]float64{1: 1, 2: 2, 8: 3} {
		needs := experimenttest.Needs(t, e, run.Options{Workers: workers})
		if want := (3145. + 1715 + 40*343) * 3 * 4e-10 / busy; !(math.Abs(needs.Seconds/want-1) <= 1e-12) {
			t.Errorf("%d workers: %g s, want %g", workers, needs.Seconds, want)
		}
		if needs.Rows != 3*56 || needs.Kept != 8*3*63 {
			t.Errorf("%+v", needs)
		}
	}
}

// At 2000 tokens in ten dimensions each worker has 96.6 MB of matrices and 100 bytes for each of 4 million
// numbers. The run is refused beyond 16 GiB.
func TestMemory(t *testing.T) {
	e := New()
	e.Tokens, e.Dim, e.Beta = 2000, 10, nil
	for k := range 40 {
		e.Beta = append(e.Beta, float64(k)/100)
	}
	no := func(run.Needs) error { return experimenttest.ErrNoRoom }
	err := e.Run(t.Context(), run.Options{Workers: 34, Preflight: no}, nil)
	if err != experimenttest.ErrNoRoom {
		t.Errorf("34 workers: %v", err)
	}
	err = e.Run(t.Context(), run.Options{Workers: 35, Preflight: no}, nil)
	experimenttest.CheckRefused(t, err, "tokens", "the run would need 16.2 GiB of memory; must be at most 16")
}

// Up to five matrices are drawn, which are smaller if they are five, and the caption counts the others.
func TestManyMatrices(t *testing.T) {
	for count, want := range map[int]string{4: "", 5: "", 6: ", the first 5 of 6 β"} {
		e := New()
		e.Tokens, e.Dim, e.Beta = 2, 3, nil
		for k := range count {
			e.Beta = append(e.Beta, float64(k)/10)
		}
		table := experimenttest.Table(t, e, run.Options{Seed: 1})
		drawn := figuretest.Draw(t, e, table)
		if len(drawn.Panels) != 2*min(count, 5) || !strings.Contains(drawn.Caption, want) ||
			strings.Contains(drawn.Caption, "the first") != (want != "") {
			t.Errorf("%d β: %d panels, %s", count, len(drawn.Panels), drawn.Caption)
		}
	}
}

// Numbers of rows or columns beyond those of the parameters are left out, and so is a column 0 of an entry.
func TestPlacesOutside(t *testing.T) {
	e := New()
	e.Tokens, e.Dim, e.Beta = 2, 3, []float64{0.5}
	row := func(quantity Quantity, query, key int32, value float64) Row {
		return Row{Beta: 0.5, Quantity: quantity, Query: query, Key: key, Value: value}
	}
	rows := []Row{row(Entry, 1, 1, 0.1), row(Entry, 1, 2, 0.2), row(Entry, 2, 1, 0.3), row(Entry, 2, 2, 0.4),
		row(Eigenvalue, 1, 0, 1), row(Eigenvalue, 2, 0, 0.5), row(Entry, 0, 1, 9), row(Entry, 3, 1, 9),
		row(Entry, 1, 3, 9), row(Entry, 2, 0, 9), row(Eigenvalue, 3, 0, 9)}
	var text strings.Builder
	const want = "β = 0.5: largest entry 0.4, a token attends to 6.667 of 2 tokens, " +
		"second eigenvalue 0.5 in absolute value.\n"
	table := data.NewTable(run.Schema(e, 1))
	if err := data.WriteRows(table, rows...); err != nil {
		t.Fatal(err)
	}
	if err := e.Describe(&text, table); err != nil || text.String() != want {
		t.Errorf("%s, error %v", &text, err)
	}
}
