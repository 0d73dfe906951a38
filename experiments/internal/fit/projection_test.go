package fit

import (
	"slices"
	"testing"
)

// Remove leaves the part of a vector that is orthogonal to another one, whatever the length of that, and all
// of the vector beside 0.
func TestRemove(t *testing.T) {
	for _, c := range []struct{ along, want []float64 }{
		{[]float64{0, 0}, []float64{3, 4}}, {[]float64{1, 0}, []float64{0, 4}},
		{[]float64{0, 2}, []float64{3, 0}}, {[]float64{2, 2}, []float64{-0.5, 0.5}},
	} {
		v := []float64{3, 4}
		if Remove(v, c.along); !slices.Equal(v, c.want) {
			t.Errorf("along %v: %v, want %v", c.along, v, c.want)
		}
	}
}
