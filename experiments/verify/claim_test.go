package verify

import (
	"strings"
	"testing"
)

// logComparisons writes all comparisons of a report to the log of a test.
func logComparisons(t *testing.T, r *report) {
	t.Helper()
	for _, c := range r.comparisons {
		t.Logf("%-44s predicted %-12.6g measured %-12.6g ± %-9.2g holds: %v", c.what, c.predicted, c.measured, c.stderr, c.holds)
	}
}

// All claims hold at one seed; the joint probability of a false alarm, for each set, is
// below 10^-4.
func TestClaimsHold(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	joint := map[string]float64{}
	for _, c := range Claims() {
		t.Run(c.ID, func(t *testing.T) {
			var r report
			if err := c.measure(&laboratory{context: t.Context(), seed: 1, makers: genuine}, &r); err != nil {
				t.Fatal(err)
			}
			result := r.result(c)
			joint[c.Set] += result.FalseAlarm
			if logComparisons(t, &r); !result.Holds {
				t.Errorf("%s: predicted %v, measured %v ± %v", result.What, result.Predicted, result.Measured, result.StandardError)
			}
		})
	}
	for set, p := range joint {
		if t.Logf("%s: false alarm with probability %.2g", set, p); !(p < 1e-4) {
			t.Errorf("%s: false alarm with probability %.2g", set, p)
		}
	}
}

func TestClaimsAreNamed(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Claims() {
		if c.ID == "" || strings.ContainsAny(c.ID, " ,\n") || seen[c.ID] {
			t.Errorf("id %q", c.ID)
		}
		if seen[c.ID] = true; c.Set == "" || c.Source == "" || c.Statement == "" || strings.Contains(c.Statement, "\n") {
			t.Errorf("%+v", c)
		}
	}
}
