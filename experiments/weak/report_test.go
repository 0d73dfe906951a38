package weak

import (
	"math"
	"testing"
)

// A row without an error has its own value as the reference, which is then not the mean of the Fokker-Planck
// equation; the text says so.
func TestWeakReferenceText(t *testing.T) {
	if got := referenceText([]Row{{Error: 0.1},
		{Error: math.NaN()}}); got != "the value at the largest depth" {
		t.Error(got)
	}
	if got := referenceText([]Row{{Error: 0.1},
		{Error: 0.05}}); got != "the mean from the Fokker-Planck equation" {
		t.Error(got)
	}
}
