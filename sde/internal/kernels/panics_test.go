package kernels

import (
	"fmt"
	"math"
	"testing"
)

// Rows that do not fill whole blocks or Vectors, and a law that rejects every χ² number, are mistakes of the
// programmer, which panic.
func TestPanics(t *testing.T) {
	impossible := chiSquaredLaw{{math.NaN(), math.NaN(), math.NaN(), math.NaN()}}
	for what, c := range map[string]struct {
		run  func(l *Lanes)
		want string
	}{
		"no rows":        {func(l *Lanes) { l.After(0) }, "<nil>"},
		"a block":        {func(l *Lanes) { l.After(128) }, "<nil>"},
		"half a block":   {func(l *Lanes) { l.After(64) }, "kernels: not a whole number of blocks"},
		"one row more":   {func(l *Lanes) { l.After(129) }, "kernels: not a whole number of blocks"},
		"a whole Vector": {func(l *Lanes) { l.Normals(make([]Vector, 4), 1, 0) }, "<nil>"},
		"half a Vector": {func(l *Lanes) { l.Normals(make([]Vector, 3), 1, 0) },
			"kernels: not the same number of rows for every Vector of lanes"},
		"χ²": {func(l *Lanes) {
			draws := make([]Vector, chainRows)
			draws[firstSquare][3] = -1
			l.retry(draws, [][2]uint8{{1, 0}}, &impossible)
		}, "kernels: χ² rejected 128 trials"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != c.want {
					t.Errorf("%s: panic %s, want %s", what, got, c.want)
				}
			}()
			c.run(NewLanes(NewStream(1, 2), 2))
		}()
	}
}
