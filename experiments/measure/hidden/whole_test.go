package hidden

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/sphere/must"
)

// The numbers of layers may be of either kind of whole numbers. They are the order of the rows, and every
// layer must have as many rows, wherever one of them is missing; other numbers are refused.
func TestNumbersOfLayers(t *testing.T) {
	x := data.Slice[float64]{1, 2, 3, 4, 5, 6, 7, 8}
	for name, c := range map[string]struct {
		kind   data.Kind
		layers data.Values
		want   string
	}{
		"int32":    {data.Int32, data.Slice[int32]{1, 0, 0, 1}, ""},
		"int64":    {data.Int64, data.Slice[int64]{1, 0, 0, 1}, ""},
		"negative": {data.Int32, data.Slice[int32]{1, 0, -1, 1}, "must be whole numbers from 0"},
		"real":     {data.Float64, data.Slice[float64]{1, 0, 0, 1}, "must be whole numbers from 0"},
		"uneven":   {data.Int32, data.Slice[int32]{1, 0, 1, 1}, "has more than 2 rows of layer 1"},
		"first":    {data.Int32, data.Slice[int32]{0, 0, 0, 1}, "has more than 2 rows of layer 0"},
		"missing":  {data.Int64, data.Slice[int64]{0, 0, 1, 2}, "has 4 rows for 3 layers; must be as many"},
		"a gap":    {data.Int64, data.Slice[int64]{0, 0, 3, 3}, "has more than 1 rows of layer 0"},
	} {
		table := data.NewTable(data.Schema{Columns: []data.Column{{Name: "layer", Kind: c.kind},
			{Name: "x1", Kind: data.Vector, Length: 2}}})
		must.Do(t, table.Write(c.layers, x))
		path := filepath.Join(t.TempDir(), "states.arrow")
		must.Do(t, data.WriteFile(path, table))
		states, err := Open(path)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
			continue
		}
		must.Do(t, err)
		reader, tokens := states.Reader(), make([]float64, 2)
		for k, want := range [][]float64{{3, 4}, {5, 6}, {1, 2}, {7, 8}} {
			if err := reader.Read(k/2, k%2, tokens); err != nil || !slices.Equal(tokens, want) {
				t.Errorf("%s: layer %d, sequence %d: %v, %v", name, k/2, k%2, tokens, err)
			}
		}
		must.Do(t, states.Close())
	}
}
