package wording

import (
	"math"
	"testing"
)

func TestWording(t *testing.T) {
	for _, pair := range [][2]string{
		{OrNone(math.NaN()), "none"}, {OrNone(-0.12345), "-0.1235"}, {OrNone(2), "2.0000"},
		{OrNone(math.Inf(1)), "+Inf"},
		{Cells(0), "0 cells"}, {Cells(1), "1 cell"}, {Cells(12), "12 cells"},
		{Plural("was", "were", 0), "were"}, {Plural("was", "were", 1), "was"}, {Plural("was", "were", 2),
			"were"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%q, want %q", pair[0], pair[1])
		}
	}
}
