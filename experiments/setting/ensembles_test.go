package setting

import (
	"strings"
	"testing"

	"antipode/data"
)

// A file of states with several seeds, or several values of a parameter, has several trajectories of each
// number, of which none can be chosen. The same column with one value does not matter.
func TestStatesOfSeveralEnsembles(t *testing.T) {
	columns := []data.Column{{Name: "seed", Kind: data.Int64}, {Name: "trajectory", Kind: data.Int64},
		vectors("x1", 2)}
	write := func(seeds, numbers data.Slice[int64]) string {
		return writeStates(t, columns, seeds, numbers, data.Slice[float64]{1, 0, 0, 1})
	}
	if _, err := ParseStart(write(data.Slice[int64]{7, 7}, data.Slice[int64]{0, 1})); err != nil {
		t.Error(err)
	}
	for _, numbers := range []data.Slice[int64]{{0, 0}, {0, 1}} {
		_, err := ParseStart(write(data.Slice[int64]{1, 2}, numbers))
		if err == nil || !strings.Contains(err.Error(), "column seed has the values 1 and 2") {
			t.Errorf("trajectories %v of the seeds 1 and 2: %v", numbers, err)
		}
	}
}
