package data

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"antipode/sphere/must"
)

// The files were written by pyarrow 26: one table of 13 columns in batches of
// two rows, uncompressed and compressed.
func TestFilesOfPyarrow(t *testing.T) {
	nan := math.NaN()
	want := &Table{
		Schema: Schema{Columns: []Column{
			{Name: "i8", Kind: Int32}, {Name: "u16", Kind: Int32}, {Name: "u32", Kind: Int64},
			{Name: "u64", Kind: Int64},
			{Name: "holes", Kind: Float64, Nullable: true}, {Name: "half", Kind: Float64, Nullable: true},
			{Name: "single", Kind: Float64, Nullable: true},
			{Name: "flag", Kind: Label, Labels: []string{"false", "true"}},
			{Name: "text", Kind: Text}, {Name: "long", Kind: Text},
			{Name: "category", Kind: Label, Labels: []string{"x", "y", "z"}},
			{Name: "many", Kind: Text},
			{Name: "pair", Kind: Vector, Length: 2},
		}},
		Columns: []Values{
			Slice[int32]{-128, 0, 1, 2, 127}, Slice[int32]{0, 1, 2, 3, 65535},
			Slice[int64]{0, 1, 2, 3, math.MaxUint32}, Slice[int64]{0, 1, 2, 3, math.MaxInt64},
			Slice[float64]{1, nan, 3, nan, 1 << 53}, Slice[float64]{0, 0.5, 1, -2, math.Inf(1)},
			Slice[float64]{0.5, nan, nan, 1e10, -1},
			Slice[int8]{1, 0, -1, 1, 0},
			Slice[string]{"a", "", "", "β", "e\x1b[31m"}, Slice[string]{"a", "", "", "β", "e"},
			Slice[int8]{0, 1, 0, -1, 2},
			Slice[string]{"v0", "v199", "v7", "", "v1"},
			Slice[float64]{1, 2, 3, nan, nan, nan, 5, 6, 7, 8},
		},
	}
	for _, name := range []string{"uncompressed", "lz4", "zstd"} {
		got, err := ReadFile(filepath.Join("testdata", "pyarrow-"+name+".arrow"))
		if err != nil {
			t.Error(err)
			continue
		}
		if err := same(got, want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFileOfPandas(t *testing.T) {
	got := must.Get(ReadFile("testdata/pandas.arrow"))(t)
	want := &Table{
		Schema: Schema{Columns: []Column{
			{Name: "n", Kind: Int64}, {Name: "s", Kind: Text}, {Name: "c", Kind: Label,
				Labels: []string{"u", "v"}},
			{Name: "b", Kind: Label, Labels: []string{"false", "true"}}, {Name: "x", Kind: Float64,
				Nullable: true},
		}},
		Columns: []Values{
			Slice[int64]{0, 1, 2, 3}, Slice[string]{"a", "b", "", "d"}, Slice[int8]{0, 1, 0, 0},
			Slice[int8]{1, 0, 1, 1},
			Slice[float64]{1.5, math.NaN(), 2, 3},
		},
	}
	if err := same(got, want); err != nil {
		t.Error(err)
	}
}

// arrowFile writes one column as JSON describes it, with Arrow alone.
func arrowFile(t *testing.T, kind arrow.DataType, values string, options ...ipc.Option) string {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "a\nb", Type: kind, Nullable: true}}, nil)
	column, _, err := array.FromJSON(memory.NewGoAllocator(), kind, strings.NewReader(values),
		array.WithUseNumber())
	if err != nil {
		t.Fatal(err)
	}
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "t.arrow")))(t)
	defer file.Close()
	writer := must.Get(ipc.NewFileWriter(file, append(options, ipc.WithSchema(schema))...))(t)
	must.Do(t, writer.Write(array.NewRecord(schema, []arrow.Array{column}, int64(column.Len()))))
	must.Do(t, writer.Close())
	return file.Name()
}

// Lists of every kind, in files and in streams.
func TestDecodeLists(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		kind   arrow.DataType
		values string
		shape  []int
		want   Slice[float64]
	}{
		{arrow.ListOf(arrow.PrimitiveTypes.Float32), `[[1,2],null,[3,null]]`,
			[]int{2}, []float64{1, 2, nan, nan, 3, nan}},
		{arrow.LargeListOf(arrow.PrimitiveTypes.Float64), `[null,[1,2,3],[4,5,6]]`, []int{3},
			[]float64{nan, nan, nan, 1, 2, 3, 4, 5, 6}},
		{arrow.FixedSizeListOf(2, arrow.ListOf(arrow.PrimitiveTypes.Int8)),
			`[[[1,2,3],[4,5,6]],null,[[7,8,9],[1,1,1]]]`,
			[]int{2, 3}, []float64{1, 2, 3, 4, 5, 6, nan, nan, nan, nan, nan, nan, 7, 8, 9, 1, 1, 1}},
		{arrow.ListOf(arrow.LargeListOf(arrow.FixedSizeListOf(1, arrow.FixedWidthTypes.Float16))),
			`[[[[1]],[[2]]],[[[3]],[[4]]]]`, []int{2, 1, 1}, []float64{1, 2, 3, 4}},
		{arrow.ListOf(arrow.PrimitiveTypes.Float64), `[]`, []int{1}, nil},
		{arrow.ListOf(arrow.PrimitiveTypes.Float64), `[null]`, []int{1}, []float64{nan}},
	} {
		path := arrowFile(t, test.kind, test.values)
		stream := filepath.Join(t.TempDir(), "stream.arrow")
		toStream(t, path, stream)
		for _, path := range []string{path, stream} {
			table, err := ReadFile(path)
			if err != nil {
				t.Errorf("%v: %v", test.kind, err)
				continue
			}
			got := table.Columns[0].(Slice[float64])
			if shape := table.Schema.Columns[0].shape(); !slices.Equal(shape, test.shape) ||
				!slices.EqualFunc(got, test.want,
					func(a, b float64) bool { return a == b || a != a && b != b }) {
				t.Errorf("%v: %v %v, want %v %v", test.kind, shape, got, test.shape, test.want)
			}
		}
	}
}

// toStream writes the batches of a file as a stream.
func toStream(t *testing.T, from, to string) {
	t.Helper()
	file := must.Get(os.Open(from))(t)
	defer file.Close()
	reader := must.Get(ipc.NewFileReader(file))(t)
	out := must.Get(os.Create(to))(t)
	defer out.Close()
	writer := ipc.NewWriter(out, ipc.WithSchema(reader.Schema()))
	for k := range reader.NumRecords() {
		record, err := reader.RecordAt(k)
		if err == nil {
			err = writer.Write(record)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, writer.Close())
}

func TestDecode(t *testing.T) {
	dictionary := func(index, value arrow.DataType) arrow.DataType {
		return &arrow.DictionaryType{IndexType: index, ValueType: value}
	}
	for _, test := range []struct {
		kind   arrow.DataType
		values string
		want   Values
	}{
		{arrow.PrimitiveTypes.Int8, `[1,-2]`, Slice[int32]{1, -2}},
		{arrow.PrimitiveTypes.Int16, `[1,-2]`, Slice[int32]{1, -2}},
		{arrow.PrimitiveTypes.Uint8, `[1,255]`, Slice[int32]{1, 255}},
		{arrow.PrimitiveTypes.Uint32, `[]`, Slice[int64]{}},
		{arrow.PrimitiveTypes.Int32, `[null,-2]`, Slice[float64]{math.NaN(), -2}},
		{arrow.PrimitiveTypes.Uint64, `[null,9007199254740992]`, Slice[float64]{math.NaN(), 1 << 53}},
		{arrow.PrimitiveTypes.Int64, `[null,-9007199254740992]`, Slice[float64]{math.NaN(), -1 << 53}},
		{arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int16), `[[1,2],null,[3,null]]`,
			Slice[float64]{1, 2, math.NaN(), math.NaN(), 3, math.NaN()}},
		{arrow.FixedSizeListOf(1, arrow.PrimitiveTypes.Float64), `[[1],[2]]`, Slice[float64]{1, 2}},
		{dictionary(arrow.PrimitiveTypes.Uint64, arrow.BinaryTypes.String), `["b",null,"a","b"]`,
			Slice[int8]{0, -1, 1, 0}},
		{dictionary(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String), `["b",null,"a","b"]`,
			Slice[int8]{0, -1, 1, 0}},
	} {
		for _, option := range []ipc.Option{ipc.WithZstd(), ipc.WithLZ4(),
			ipc.WithAllocator(memory.NewGoAllocator())} {
			table, err := ReadFile(arrowFile(t, test.kind, test.values, option))
			if err != nil {
				t.Errorf("%v: %v", test.kind, err)
				continue
			}
			got := &Table{Columns: table.Columns, Schema: Schema{Columns: []Column{{}}}}
			want := &Table{Columns: []Values{test.want}, Schema: got.Schema}
			if err := same(got, want); err != nil {
				t.Errorf("%v: %v, want %v", test.kind, table.Columns[0], test.want)
			}
		}
	}
}

// nested is a type of lists in lists, as many as depth.
func nested(depth int, items arrow.DataType) arrow.DataType {
	for range depth {
		items = arrow.ListOf(items)
	}
	return items
}

func TestDecodeErrors(t *testing.T) {
	for _, test := range []struct {
		kind         arrow.DataType
		values, want string
	}{
		{arrow.PrimitiveTypes.Uint64, `[1,9223372036854775808]`, `above 2^63-1 in column "a\nb"`},
		{arrow.PrimitiveTypes.Int64, `[null,9007199254740993]`, `beyond 2^53 in column "a\nb"`},
		{arrow.PrimitiveTypes.Int64, `[null,-9007199254740993]`, "beyond 2^53"},
		{arrow.PrimitiveTypes.Uint64, `[null,18446744073709551615]`, "beyond 2^53"},
		{arrow.Null, `[null]`, `type null in column "a\nb", which are not supported`},
		{arrow.FixedWidthTypes.Timestamp_s, `["2020-01-01"]`, "type timestamp"},
		{arrow.FixedWidthTypes.Date32, `["2020-01-01"]`, "type date"},
		{arrow.BinaryTypes.Binary, `["aaaa"]`, "type binary"},
		{arrow.ListOf(arrow.PrimitiveTypes.Int8), `[[1],[2,3]]`,
			`lists of 1 and of 2 items in column "a\nb"`},
		{arrow.LargeListOf(arrow.ListOf(arrow.PrimitiveTypes.Int8)), `[[[1]],[[2],[3]]]`,
			"lists of 1 and of 2 items"},
		{arrow.ListOf(arrow.BinaryTypes.String), `[["a"]]`, "lists of something other than numbers"},
		{nested(5, arrow.PrimitiveTypes.Int8), `[[[[[[1]]]]]]`, "lists in lists in lists"},
		{arrow.StructOf(arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Int8}), `[{"x":1}]`, "type struct"},
		{arrow.FixedSizeListOf(1, arrow.BinaryTypes.String), `[["a"]]`,
			"lists of something other than numbers"},
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.PrimitiveTypes.Int8},
			`[1]`, "dictionary of something other than texts"},
	} {
		path := arrowFile(t, test.kind, test.values)
		_, err := consume(t, path)
		if !strings.Contains(reason(err, path), test.want) {
			t.Errorf("%v: error %v, want %q", test.kind, err, test.want)
		}
	}
}

func TestNoCopy(t *testing.T) {
	numbers := array.NewFloat64Builder(memory.NewGoAllocator())
	numbers.AppendValues([]float64{1, 2, 3}, nil)
	values := numbers.NewFloat64Array()
	got, err := Column{Kind: Float64}.decode(values)
	if err != nil || &got.(Slice[float64])[0] != &values.Float64Values()[0] ||
		!reflect.DeepEqual(got, Slice[float64]{1, 2, 3}) {
		t.Errorf("%v, %v", got, err)
	}
}
