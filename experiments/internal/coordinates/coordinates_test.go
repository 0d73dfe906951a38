package coordinates

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/sphere/must"
)

// Rows with one value in each coordinate are of one ensemble, in one part and in several. Other columns and
// labels may vary.
func TestOneEnsemble(t *testing.T) {
	seeds := func(values ...int64) data.Values { return data.Slice[int64](values) }
	for _, c := range []struct {
		column  data.Column
		parts   []data.Values
		problem string
	}{
		{data.Column{Name: "seed", Kind: data.Int64}, []data.Values{seeds(3, 3), seeds(3)}, ""},
		{data.Column{Name: "seed", Kind: data.Int64}, []data.Values{seeds(3, 4)},
			"seed has the values 3 and 4"},
		{data.Column{Name: "seed", Kind: data.Int64}, []data.Values{seeds(3, 3), seeds(5, 3)},
			"seed has the values 3 and 5"},
		{data.Column{Name: "trajectory", Kind: data.Int64}, []data.Values{seeds(3, 4)}, ""},
		{data.Column{Name: "depth", Kind: data.Int32}, []data.Values{data.Slice[int32]{1, 2}},
			"depth has the values 1 and 2"},
		{data.Column{Name: "beta", Kind: data.Float64, Nullable: true},
			[]data.Values{data.Slice[float64]{0.5, 0.5, 1.5}}, "beta has the values 0.5 and 1.5"},
		{data.Column{Name: "beta", Kind: data.Float64, Nullable: true},
			[]data.Values{data.Slice[float64]{math.NaN(), math.NaN()}}, ""},
		{data.Column{Name: "beta", Kind: data.Label, Labels: []string{"a", "b"}},
			[]data.Values{data.Slice[int8]{0, 1}}, ""},
	} {
		var check Check
		var err error
		for _, values := range c.parts {
			table := data.NewTable(data.Schema{Columns: []data.Column{c.column}})
			must.Do(t, table.Write(values))
			if err == nil {
				err = check.Add(table)
			}
		}
		if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s %v: %v, want %q", c.column.Name, c.parts, err, c.problem)
		}
	}
}
