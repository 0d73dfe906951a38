package weak

import (
	"math"
	"testing"

	"antipode/experiments/run"
	"antipode/sde"
)

// The statistics at an overlap z are z, z² and exp(-z²/(1-z²)), which is 0 at ±1 and beyond, where rounding
// errors may put z. For several tokens they are means over all pairs.
func TestStatistics(t *testing.T) {
	for z, want := range map[float64][3]float64{
		0: {0, 0, 1}, 0.5: {0.5, 0.25, math.Exp(-1. / 3)}, -0.5: {-0.5, 0.25, math.Exp(-1. / 3)},
		1: {1, 1, 0}, -1: {-1, 1, 0}, 1.25: {1.25, 1.5625, 0},
	} {
		for k, got := range statisticsAt(z) {
			if !(math.Abs(got-want[k]) <= 1e-15) {
				t.Errorf("%v: %v, want %v", z, statisticsAt(z), want)
			}
		}
	}
	// Tokens at 0, 60 and 180 degrees have the overlaps ½, -1 and -½.
	root := math.Sqrt(3) / 2
	values := [3]float64{7, 7, 7}
	meanStatistics(&values, []float64{1, 0, 0.5, root, -1, 0}, 2)
	for k, want := range [3]float64{-1. / 3, 0.5, 2. / 3 * math.Exp(-1./3)} {
		if !(math.Abs(values[k]-want) <= 1e-15) {
			t.Errorf("statistic %d: %v, want %v", k, values[k], want)
		}
	}
}

// The default run has seven series of three statistics at five depths: 189 rows, and 105 numbers that are
// kept of each trajectory. A shard has a row for each trajectory, and takes blocks of 16 of them.
func TestNeeds(t *testing.T) {
	w := New()
	for part, want := range map[sde.Part]run.Needs{
		{}:                   {Rows: 189, Kept: 5_040_000},
		{Number: 1, Of: 3}:   {Rows: 2000, Kept: 1_680_000},
		{Number: 7, Of: 1e5}: {Rows: 16, Kept: 13_440},
	} {
		if got := w.needs(part); got.Rows != want.Rows || got.Kept != want.Kept {
			t.Errorf("%v: %+v, want %+v", part, got, want)
		}
	}
}
