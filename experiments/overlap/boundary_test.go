package overlap

import (
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere/invariant"
)

// The line of d = 4 in the plane of β and the spread S starts from S = 0 at cosh 2β = 2 and has two folds,
// between which three values of S belong to one β. traceSpreads locates each β at which the number of values
// changes to within 3/120/2^20, so that the ends of branches that meet are close to each other, and those of
// a line that begins are close to S = 0.
func TestTraceSpreads(t *testing.T) {
	const low, high = 0, 3
	all := New().traceSpreads(4, low, high)
	if got := branches(all); got != 3 {
		t.Errorf("%d branches, want 3", got)
	}
	folds, begin := 0, math.NaN()
	for k := range len(all) - 1 {
		one, other := all[k], all[k+1]
		if !(one.beta < other.beta) {
			t.Fatalf("β = %v before %v", one.beta, other.beta)
		}
		if len(one.spreads) == len(other.spreads) {
			continue
		}
		if other.beta-one.beta > 1e-7 {
			t.Errorf("β from %v to %v: %v to %v", one.beta, other.beta, one.spreads, other.spreads)
		}
		if _, below, above, ok := fold(one, other); ok {
			folds++
			if !(below < above && above-below < 0.15) {
				t.Errorf("at β = %v %v and %v meet", one.beta, below, above)
			}
			continue
		}
		begin = one.beta
		if least := slices.Min(slices.Concat(one.spreads, other.spreads)); least > 0.03 {
			t.Errorf("at β = %v a line begins at %v", one.beta, least)
		}
	}
	if want := math.Acosh(2) / 2; folds != 2 || !(math.Abs(begin-want) <= 1e-3) {
		t.Errorf("%d folds, want 2; S begins at β = %v, want %v", folds, begin, want)
	}
}

// With antisymmetric value matrices there is no theory of the boundary, and unequal masses are refused. If S
// does not matter, everywhere says that -1 attracts at every S, as in dimensions 2 and 3, or at none, as in
// dimension 40.
func TestBoundaryWithoutSpreads(t *testing.T) {
	o := New()
	o.Boundary, o.Covariance = true, invariant.Antisymmetric
	o.Dim, o.Beta = []int{4}, []float64{0.5, 1}
	table := experimenttest.Table(t, o, run.Options{})
	rows, err := data.RowsOf[Row](table)
	if err != nil || len(rows) != 2 || !math.IsNaN(rows[0].SpreadC) {
		t.Fatal(rows, err)
	}
	var text strings.Builder
	if err := o.Describe(&text, table); err != nil || !strings.Contains(text.String(), "there is no theory") {
		t.Errorf("%s %v", text.String(), err)
	}
	if _, err := o.Draw(table); err != nil {
		t.Error(err)
	}
	o.Masses = [2]float64{1, 2}
	o.Boundary = false
	const refusal = "masses 1,2: must be equal with antisymmetric value matrices"
	if err := o.Validate(); err == nil || err.Error() != refusal {
		t.Errorf("unequal masses: %v", err)
	}
	for d, want := range map[int]string{2: "every S > 0", 3: "every S > 0", 40: "no S"} {
		if got := New().everywhere(d, 0); got != want {
			t.Errorf("d = %d: at %s, want %s", d, got, want)
		}
	}
}
