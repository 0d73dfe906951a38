package field

import (
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/sde"
)

// evenAngles returns n different angles.
func evenAngles(n int) (angles []float64) {
	for k := range n {
		angles = append(angles, float64(k))
	}
	return angles
}

// A hundred fixed tokens are allowed, and with unnormalised attention the greatest β whose exponential is
// finite.
func TestLargestValues(t *testing.T) {
	f := New()
	f.Angles = evenAngles(100)
	f.Attention = sde.Unnormalized
	f.Beta = f.cell().LargestBeta()
	if err := f.Validate(); err != nil || f.Beta < 600 {
		t.Errorf("β = %v: %v", f.Beta, err)
	}
	f.Beta = math.Nextafter(f.Beta, math.Inf(1))
	experimenttest.CheckRefused(t, f.Validate(), "beta", "e^β overflows")
}

// count returns the numbers of arrows and of names in the first panel of a figure.
func count(t *testing.T, f *Experiment, points int) (arrows, names int) {
	t.Helper()
	var rows []Row
	for k := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(points))
		rows = append(rows, Row{X: cos, Y: sin, FieldX: 1})
	}
	for _, mark := range figuretest.Draw(t, f, experimenttest.TableOf(t, f, rows...)).Panels[0].Plot.Marks {
		switch mark.(type) {
		case figure.Arrow:
			arrows++
		case figure.Note:
			names++
		}
	}
	return arrows, names
}

// Every point has an arrow if there are fewer than 144, and every second one from there on. Up to nine tokens
// have names.
func TestArrowsAndNames(t *testing.T) {
	f := New()
	for points, want := range map[int]int{1: 1, 72: 72, 143: 143, 144: 72, 145: 73, 216: 72} {
		if arrows, _ := count(t, f, points); arrows != want {
			t.Errorf("%d points: %d arrows, want %d", points, arrows, want)
		}
	}
	for tokens, want := range map[int]int{1: 1, 9: 9, 10: 0} {
		f.Angles = evenAngles(tokens)
		if _, names := count(t, f, 3); names != want {
			t.Errorf("%d tokens: %d names, want %d", tokens, names, want)
		}
	}
}

// Of several points at which the field is least or greatest, the report names the first by angle. The angles
// are from 0 up to 360 degrees.
func TestExtremesOfTheReport(t *testing.T) {
	f := New()
	row := func(x, y, tangent float64) Row {
		return Row{X: x, Y: y, TangentX: -y * tangent, TangentY: x * tangent}
	}
	table := experimenttest.TableOf(t, f, row(0, -1, 2), row(1, 0, 1), row(-1, 0, 2), row(0, 1, 1))
	var text strings.Builder
	const want = "At 4 points of the circle the tangential component of the field ranges from 1 (at 0.0°) " +
		"to 2 (at 180.0°).\n"
	if err := f.Describe(&text, table); err != nil || text.String() != want {
		t.Errorf("%s, error %v", &text, err)
	}
	if got := row(0, -1, 1).angle(); got != 270 {
		t.Errorf("angle %v", got)
	}
}
