package columns

import (
	"math"
	"slices"
	"testing"

	"antipode/data"
)

// Columns are read by name and type; the first error stays, and nothing is read after it.
func TestReader(t *testing.T) {
	table := data.NewTable(data.Schema{Columns: []data.Column{
		Nullable("x", "m", "a length"), {Name: "n", Kind: data.Int32},
	}})
	if err := table.Write(data.Slice[float64]{1.5, math.NaN()}, data.Slice[int32]{3, 4}); err != nil {
		t.Fatal(err)
	}
	r := Reader{Table: table}
	x, n := Of[float64](&r, "x"), Of[int32](&r, "n")
	if r.Err != nil || len(x) != 2 || x[0] != 1.5 || !math.IsNaN(x[1]) || !slices.Equal(n, []int32{3, 4}) {
		t.Errorf("%v, %v, %v", x, n, r.Err)
	}
	missing := Of[float64](&r, "y")
	first := r.Err
	if after := Of[int32](&r, "n"); missing != nil || first == nil || after != nil || r.Err != first {
		t.Errorf("%v, %v after error %v, then %v", missing, after, first, r.Err)
	}
	r = Reader{Table: table}
	if Of[float64](&r, "n"); r.Err == nil {
		t.Error("whole numbers are read as real ones")
	}
	if c := table.Schema.Columns[0]; !c.Nullable || c.Unit != "m" || c.Meaning != "a length" ||
		c.Kind != data.Float64 {
		t.Errorf("%+v", c)
	}
}

func TestFiniteOrNaN(t *testing.T) {
	for _, x := range []float64{0, -2.5, math.MaxFloat64} {
		if FiniteOrNaN(x) != x {
			t.Errorf("%v is %v", x, FiniteOrNaN(x))
		}
	}
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		if !math.IsNaN(FiniteOrNaN(x)) {
			t.Errorf("%v is %v", x, FiniteOrNaN(x))
		}
	}
}
