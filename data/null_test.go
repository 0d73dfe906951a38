package data

import (
	"math"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
)

// In a list, an entry that is null is told from an entry that is NaN. Both are NaN.
func TestNullInAListIsNotAnyNaN(t *testing.T) {
	for _, kind := range []arrow.DataType{arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
		arrow.FixedWidthTypes.Float16} {
		table, err := ReadFile(arrowFile(t, arrow.ListOf(kind), `[[1,null],null]`))
		if err != nil {
			t.Fatal(err)
		}
		for k, x := range table.Columns[0].(Slice[float64]) {
			if IsNull(x) != (k > 0) || math.IsNaN(x) != (k > 0) {
				t.Errorf("%v, number %d: %v, null %t", kind, k, x, IsNull(x))
			}
		}
	}
	for _, x := range []float64{0, 1, math.Inf(1), math.NaN(), -math.NaN(), float64(float32(math.NaN())),
		math.Float64frombits(0x7FF8000000000000)} {
		if IsNull(x) {
			t.Errorf("%v (%x) is taken for a null", x, math.Float64bits(x))
		}
	}
}
