package attentionmatrix

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// Rows of the matrix sum to 1, so that its largest eigenvalue is 1. The trace is the sum of the eigenvalues.
// At β = 0 all entries are 1/T. The logarithm of the ratio of two entries of a row is proportional to β.
func TestMatrices(t *testing.T) {
	e := New()
	e.Beta, e.Tokens, e.Dim = []float64{0, 0.5, 1}, 7, 5
	rows, err := data.RowsOf[Row](experimenttest.Table(t, e, run.Options{Seed: 4}))
	if err != nil || len(rows) != 3*(49+7) {
		t.Fatal(len(rows), err)
	}
	var logarithms [3]float64 // log ratio of two entries of the second row
	for k, beta := range e.Beta {
		of := rows[k*56 : (k+1)*56]
		trace, sums, eigen := 0.0, [7]float64{}, 0.0
		for _, r := range of {
			if r.Beta != beta {
				t.Fatalf("β = %g: %+v", beta, r)
			}
			switch {
			case r.Quantity == Eigenvalue:
				eigen += r.Value
				if r.Query == 1 && (!(math.Abs(r.Value-1) <= 1e-12) || r.Imaginary != 0) {
					t.Errorf("β = %g: largest eigenvalue %v", beta, r)
				}
				continue
			case r.Query == r.Key:
				trace += r.Value
			}
			sums[r.Query-1] += r.Value
			if beta == 0 && !(math.Abs(r.Value-1./7) <= 1e-15) {
				t.Errorf("β = 0: entry %v", r.Value)
			}
		}
		for _, sum := range sums {
			if !(math.Abs(sum-1) <= 1e-14) {
				t.Errorf("β = %g: a row sums to %v", beta, sum)
			}
		}
		if !(math.Abs(trace-eigen) <= 1e-12) {
			t.Errorf("β = %g: trace %v, eigenvalues %v", beta, trace, eigen)
		}
		logarithms[k] = math.Log(of[7].Value / of[9].Value)
	}
	if !(math.Abs(logarithms[2]-2*logarithms[1]) <= 1e-12) || math.Abs(logarithms[1]) < 1e-3 {
		t.Errorf("differences of scores %v", logarithms)
	}
}

// If another program has removed rows of a table and reordered its matrices, Describe takes only the complete
// matrices, and each for the β of its rows.
func TestFilteredMatrices(t *testing.T) {
	e := New()
	e.Beta, e.Tokens, e.Dim = []float64{0.25, 0.5, 1}, 7, 5
	table := experimenttest.Table(t, e, run.Options{Seed: 4})
	const each = 49 + 7
	var whole, left strings.Builder
	must.Do(t, e.Describe(&whole, table))
	filtered := data.NewTable(table.Schema)
	for _, part := range [][2]int{{2 * each, 3 * each}, {each, 2 * each}, {1, each}} {
		must.Do(t, filtered.Write(table.Slice(part[0], part[1]).Columns...))
	}
	must.Do(t, e.Describe(&left, filtered))
	lines := strings.SplitAfter(whole.String(), "\n")
	if want := lines[1] + lines[2]; !strings.HasPrefix(want, "β = 0.5: ") || left.String() != want {
		t.Errorf("%s\nwant\n%s", &left, want)
	}
}
