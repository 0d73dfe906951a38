//go:build long

package finitedepth

import (
	"flag"
	"testing"
)

var cells = flag.Int("cells", 150, "how many random cells are looked at; 2200 are a million points")

// Random points in neighbourhoods with a proof, which exists for at least nine cells in ten.
func TestNoViolationAtManyPoints(t *testing.T) {
	const points = 640
	proved := violations(t, *cells, points)
	if 10*proved < 9**cells {
		t.Errorf("%d of %d neighbourhoods proved", proved, *cells)
	}
	t.Logf("%d of %d neighbourhoods proved, %d points", proved, *cells, proved*points)
}
