package hidden

import (
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/sphere/must"
)

// A table of antipode's own with the states of several ensembles is refused, because the trajectories of two
// of them have the same numbers. One ensemble is read, and so is a table of another program in which a column
// of the same name has another meaning, here that of a layer.
func TestStatesOfSeveralEnsembles(t *testing.T) {
	write := func(command string, column string, values, numbers data.Slice[int64]) string {
		schema := data.Schema{Columns: []data.Column{{Name: column, Kind: data.Int64},
			{Name: "trajectory", Kind: data.Int64}, {Name: "x1", Kind: data.Vector, Length: 2}}}
		if command != "" {
			schema.Metadata = []data.Entry{{Key: data.KeyCommand, Value: command}}
		}
		table := data.NewTable(schema)
		must.Do(t, table.Write(values, numbers, data.Slice[float64]{1, 0, 0, 1, -1, 0, 0, -1}))
		path := filepath.Join(t.TempDir(), "states.arrow")
		must.Do(t, data.WriteFile(path, table))
		return path
	}
	one, other := data.Slice[int64]{1, 1, 1, 1}, data.Slice[int64]{1, 1, 2, 2}
	for _, c := range []struct {
		path              string
		layers, sequences int // 0 if the file is refused
	}{
		{write("simulate", "seed", one, data.Slice[int64]{0, 0, 1, 1}), 2, 2},
		{write("simulate", "seed", other, data.Slice[int64]{0, 0, 0, 0}), 0, 0},
		{write("simulate", "depth", other, data.Slice[int64]{0, 0, 1, 1}), 0, 0},
		{write("", "depth", data.Slice[int64]{0, 1, 0, 1}, data.Slice[int64]{0, 0, 1, 1}), 2, 2},
	} {
		states, err := Open(c.path)
		switch {
		case c.layers == 0:
			if err == nil || !strings.Contains(err.Error(), "has the values 1 and 2") {
				t.Errorf("several ensembles: %v", err)
			}
		case err != nil || states.Layers != c.layers || states.Sequences != c.sequences:
			t.Errorf("%+v, %v, want %d layers of %d sequences", states, err, c.layers, c.sequences)
		}
		if err == nil {
			must.Do(t, states.Close())
		}
	}
}
