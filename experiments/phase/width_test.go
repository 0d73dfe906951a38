package phase

import (
	"strings"
	"testing"
	"unicode/utf8"

	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/outcomes"
	"antipode/sphere/must"
)

// The table of the report, whether by dimensions or by cells, fits into 80 columns, so that a terminal does
// not wrap its lines.
func TestReportFitsTheTerminal(t *testing.T) {
	for _, dims := range [][]int{{4, 10_000}, {3, 4, 5, 6, 7, 8, 9, 10, 100}} {
		p := New()
		p.Dim, p.Beta, p.Trajectories, p.Depth, p.Horizon = dims, []float64{0, 0.5}, 1000, 10, 1
		var rows []Row
		for _, d := range dims {
			for _, beta := range p.Beta {
				rows = append(rows, Row{Dim: int32(d), Beta: beta, Trajectories: 1000, Antipodal: 100,
					AntipodalFraction: outcomes.AntipodalFraction{PAntipodal: 0.1, Low: 0.0829, High: 0.1201,
						Limit: 0.1234},
					Horizon: 0.1234, Boundary: 5.2983, BoundaryDepth: 5.2983})
			}
		}
		var text strings.Builder
		must.Do(t, p.Describe(&text, experimenttest.TableOf(t, p, rows...)))
		table, _, _ := strings.Cut(text.String(), "\n\n")
		lines := strings.Split(table, "\n")
		if len(lines) < 4 {
			t.Fatalf("no table in %q", text.String())
		}
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%d columns: %s", n, line)
			}
		}
	}
}
