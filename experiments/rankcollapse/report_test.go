package rankcollapse

import (
	"math"
	"strings"
	"testing"
)

// The report does not claim that points without a theory, or with theory 0, agree with one. Of the other
// points it names the one that is farthest from its theory.
func TestTextOfMissingTheory(t *testing.T) {
	nan := math.NaN()
	row := func(tokens int32, theory float64) Row {
		return Row{Tokens: tokens, Dim: 7, Rho: 0.5, Sigma: 1, Theory: theory, Simulated: 2, Stderr: 0.1,
			Bound: nan}
	}
	bounded := func(tokens int32, bound float64) Row {
		r := row(tokens, 1)
		r.Bound = bound
		return r
	}
	for _, c := range []struct {
		rows []Row
		want string
	}{
		{[]Row{row(3, nan), row(4, nan)}, "at 2 points: there is no theory to compare these points with.\n"},
		{[]Row{row(3, 1), row(4, 0)}, "at 2 points: farthest from theory at n = 4, d = 7, ρ = 0.5, " +
			"σ_x = 1, 2 ± 0.1 in networks, 0 in theory.\n"},
		{[]Row{row(3, nan), row(4, 1), row(5, 1.9)},
			"at 3 points: farthest from theory at n = 4, d = 7, ρ = 0.5, σ_x = 1, " +
				"2 ± 0.1 in networks, 1 in theory, but for 1 of 3 points, of which there is no theory.\n"},
		{[]Row{row(3, 1), bounded(4, 1.9), bounded(5, 2.1)},
			"Bound (8) on the gradient of the input holds at 1 of 2 points.\n"},
	} {
		var text strings.Builder
		if err := describeWorst(&text, c.rows); err != nil || !strings.HasSuffix(text.String(), c.want) {
			t.Errorf("%q (%v) is not %q", text.String(), err, c.want)
		}
	}
}
