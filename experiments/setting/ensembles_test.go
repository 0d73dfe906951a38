package setting

import (
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/sphere/must"
)

// A file of states with several seeds, or several values of a parameter, has several trajectories of each
// number, of which none can be chosen. The same column with one value does not matter, and in a file of
// another program it may mean anything.
func TestStatesOfSeveralEnsembles(t *testing.T) {
	columns := []data.Column{{Name: "seed", Kind: data.Int64}, {Name: "trajectory", Kind: data.Int64},
		vectors("x1", 2)}
	write := func(metadata []data.Entry, seeds, numbers data.Slice[int64]) string {
		path := filepath.Join(t.TempDir(), "states.arrow")
		table := data.NewTable(data.Schema{Columns: columns, Metadata: metadata})
		must.Do(t, table.Write(seeds, numbers, data.Slice[float64]{1, 0, 0, 1}))
		must.Do(t, data.WriteFile(path, table))
		return path
	}
	own := []data.Entry{{Key: data.KeyCommand, Value: "simulate"}}
	for _, path := range []string{write(own, data.Slice[int64]{7, 7}, data.Slice[int64]{0, 1}),
		write(nil, data.Slice[int64]{1, 2}, data.Slice[int64]{0, 1})} {
		if _, err := ParseStart(path); err != nil {
			t.Error(err)
		}
	}
	for _, numbers := range []data.Slice[int64]{{0, 0}, {0, 1}} {
		_, err := ParseStart(write(own, data.Slice[int64]{1, 2}, numbers))
		if err == nil || !strings.Contains(err.Error(), "column seed has the values 1 and 2") {
			t.Errorf("trajectories %v of the seeds 1 and 2: %v", numbers, err)
		}
	}
}
