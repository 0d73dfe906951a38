package data

import (
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// An array that starts in the middle of its memory, as rows of a batch do: lists
// begin at the offset times their length.
func TestDecodeFromTheMiddle(t *testing.T) {
	for _, c := range []struct {
		column Column
		kind   arrow.DataType
		text   string
		want   Values
	}{
		{Column{Kind: Vector, Length: 2}, arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Float64),
			`[[1,2],[3,4],null,[5,6],[7,8]]`, Slice[float64]{math.NaN(), math.NaN(), 5, 6}},
		{Column{Kind: Float64}, arrow.PrimitiveTypes.Float32,
			`[1,2,null,3,4]`, Slice[float64]{math.NaN(), 3}},
		{Column{Kind: Int64}, arrow.PrimitiveTypes.Int64, `[1,2,3,4,5]`, Slice[int64]{3, 4}},
		{Column{Kind: Int32}, arrow.PrimitiveTypes.Int8, `[1,2,3,4,5]`, Slice[int32]{3, 4}},
		{Column{Kind: Label, Labels: []string{"false", "true"}}, arrow.FixedWidthTypes.Boolean,
			`[true,true,null,true,false]`, Slice[int8]{-1, 1}},
		{Column{Kind: Text}, arrow.BinaryTypes.String, `["a","b","c","d","e"]`, Slice[string]{"c", "d"}},
	} {
		whole, _, err := array.FromJSON(memory.NewGoAllocator(), c.kind, strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.column.decode(array.NewSlice(whole, 2, 4))
		schema := Schema{Columns: []Column{c.column}}
		if err != nil || same(&Table{Schema: schema, Columns: []Values{got}},
			&Table{Schema: schema, Columns: []Values{c.want}}) != nil {
			t.Errorf("%v of %s: %v, want %v, error %v", c.kind, c.text, got, c.want, err)
		}
	}
}
