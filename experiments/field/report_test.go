package field

import (
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/sphere/must"
)

// The report has the extremes of the tangential component, each with its angle from 0 to 360 degrees; of
// equal ones those at the smallest angle.
func TestReport(t *testing.T) {
	f := New()
	rows := []Row{{X: 0, Y: -1, TangentX: 3, TangentY: 4}, {X: 1, TangentY: 0.5}, {Y: 1, TangentX: -5},
		{X: -1, TangentY: -0.5}}
	var text strings.Builder
	must.Do(t, f.Describe(&text, experimenttest.TableOf(t, f, rows...)))
	const want = "At 4 points of the circle the tangential component of the field ranges from 0.5 " +
		"(at 0.0°) to 5 (at 90.0°).\n"
	if text.String() != want {
		t.Errorf("%s", &text)
	}
	for angle, r := range map[float64]Row{0: {X: 2}, 90: {Y: 1}, 180: {X: -1}, 270: {Y: -3},
		315: {X: 1, Y: -1}} {
		if got := r.angle(); got != angle {
			t.Errorf("%+v: %g°", r, got)
		}
	}
}
