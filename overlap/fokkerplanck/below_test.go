package fokkerplanck

import (
	"fmt"
	"strings"
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

// The distribution function is asked only for overlaps; another number is a mistake of the caller.
func TestBelowOnlyOverlaps(t *testing.T) {
	d := must.Get(overlap.New(3, 1, overlap.Softmax, 1))(t)
	laws := must.Get(Uniform(d, []float64{1}, 1e-3))(t)
	defer func() {
		if problem := fmt.Sprint(recover()); !strings.Contains(problem, "1.5") {
			t.Errorf("overlap 1.5: %s", problem)
		}
	}()
	laws[0].Below(1.5)
}
