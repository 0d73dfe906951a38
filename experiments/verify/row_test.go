package verify

import (
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
)

// The columns of a run's table have the labels of its own claims, and its rows are read as they were written.
func TestRowsHaveTheLabelsOfTheirClaims(t *testing.T) {
	e := New()
	e.Only = []string{"c4", "eq21"}
	columns := e.Columns()
	for k, want := range [][]string{
		{"eq21", "c4"},
		{"clustering, (21)", "clustering, C.4"},
		{
			"the diffusion coefficient of softmax has a factor √2 that (21) lacks",
			"in the middle expression for s the term y should be 2y; the final form is right",
		},
	} {
		if !slices.Equal(columns[k].Labels, want) {
			t.Errorf("labels of %s: %q", columns[k].Name, columns[k].Labels)
		}
	}
	table := data.NewTable(run.Schema(e, 1))
	for _, c := range e.Claims() {
		result := Result{
			Claim: c, Predicted: 1, Measured: 2, StandardError: 0.5,
			Verdict: either(c.ID == "c4"), FalseAlarm: 1e-7,
		}
		if err := data.WriteRows(relabelled(table, columns), result.row()); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := data.RowsOf[Row](table)
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{ID: "eq21", Source: "clustering, (21)",
			Claim:     "the diffusion coefficient of softmax has a factor √2 that (21) lacks",
			Predicted: 1, Measured: 2, Stderr: 0.5, Verdict: fails, FalseAlarm: 1e-7},
		{ID: "c4", Source: "clustering, C.4",
			Claim:     "in the middle expression for s the term y should be 2y; the final form is right",
			Predicted: 1, Measured: 2, Stderr: 0.5, Verdict: holds, FalseAlarm: 1e-7},
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %+v", rows)
	}
}
