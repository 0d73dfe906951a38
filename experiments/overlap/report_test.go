package overlap

import (
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// The two sides of an inequality in the report differ where they differ, however close they are, and an
// exponent that is 0 has no sign.
func TestInequalitiesOfTheReport(t *testing.T) {
	for _, c := range []struct{ parameters, want string }{
		{"dim=2 beta=0 epsilon=1.4142135 z0=0 depth=none horizon=none", "as ε = 1.4142135 ≤ 1.414214\n"},
		{"dim=2 beta=0 epsilon=1.5 z0=0 depth=none horizon=none", "as ε = 1.5 > 1.41421\n"},
		{"dim=2 beta=0 epsilon=1.4142135 z0=0 depth=none horizon=none", ": 0 between tokens of a cluster, "},
		{"dim=8 beta=1.23892 depth=none horizon=none", "as cosh 2β = 5.99971 ≤ d-2 = 6\n"},
		{"dim=8 beta=1.23894437 depth=none horizon=none", "as cosh 2β = 6.0000001 > d-2 = 6\n"},
	} {
		o := New()
		for _, setting := range strings.Fields(c.parameters) {
			name, value, _ := strings.Cut(setting, "=")
			must.Do(t, parameter.ByName(o.Parameters(), name).Set(value))
		}
		var report strings.Builder
		must.Do(t, o.Describe(&report, experimenttest.Table(t, o, run.Options{Seed: 1})))
		if !strings.Contains(report.String(), c.want) {
			t.Errorf("%s: %q is not in\n%s", c.parameters, c.want, report.String())
		}
	}
}
