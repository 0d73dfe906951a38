package data

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"antipode/sphere/must"
)

// arrowRecord reads the first batch of a file with Arrow alone.
func arrowRecord(t *testing.T, path string) (*arrow.Schema, arrow.Record) {
	t.Helper()
	file := must.Get(os.Open(path))(t)
	t.Cleanup(func() { file.Close() })
	reader := must.Get(ipc.NewFileReader(file))(t)
	record := must.Get(reader.RecordAt(0))(t)
	return reader.Schema(), record
}

func TestArrowReadsSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	want := sample(5)
	mustWrite(t, path, want)
	schema, _ := arrowRecord(t, path)
	for i, text := range []string{"int32", "int64", "float64", "float64",
		"dictionary<values=utf8, indices=int8, ordered=false>",
		"fixed_size_list<item: float64>[3]"} {
		if got := schema.Field(i).Type.String(); got != text {
			t.Errorf("type %s, want %s", got, text)
		}
		if got := schema.Field(i).Nullable; got != (i == 3) {
			t.Errorf("column %d nullable %t", i, got)
		}
	}
	metadata := schema.Metadata()
	for i, entry := range want.Schema.Metadata {
		if metadata.Keys()[i] != entry.Key || metadata.Values()[i] != entry.Value {
			t.Errorf("metadata %d is %q: %q, want %q", i, metadata.Keys()[i], metadata.Values()[i], entry)
		}
	}
	if n := metadata.Len(); n != len(want.Schema.Metadata)+1 || metadata.Keys()[n-1] != "pandas" {
		t.Errorf("metadata %v", metadata.Keys())
	}
	unit := schema.Field(1).Metadata
	if unit.Len() != 1 || unit.Keys()[0] != "unit" || unit.Values()[0] != "1" {
		t.Errorf("field metadata %v", unit)
	}
}

func TestArrowReadsValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	want := sample(100)
	mustWrite(t, path, want)
	_, record := arrowRecord(t, path)
	if got := record.Column(0).(*array.Int32).Int32Values(); !slices.Equal(got,
		want.Columns[0].(Slice[int32])) {
		t.Errorf("int32 %v", got)
	}
	if got := record.Column(1).(*array.Int64).Int64Values(); !slices.Equal(got,
		want.Columns[1].(Slice[int64])) {
		t.Errorf("int64 %v", got)
	}
	if got := record.Column(2).(*array.Float64).Float64Values(); !slices.Equal(got,
		want.Columns[2].(Slice[float64])) {
		t.Errorf("float64 %v", got)
	}
	limit := record.Column(3).(*array.Float64)
	for i, x := range want.Columns[3].(Slice[float64]) {
		if limit.IsNull(i) != math.IsNaN(x) || limit.IsValid(i) && limit.Value(i) != x {
			t.Errorf("row %d: %v null %t, want %v", i, limit.Value(i), limit.IsNull(i), x)
		}
	}
	outcome := record.Column(4).(*array.Dictionary)
	for i, code := range want.Columns[4].(Slice[int8]) {
		got := outcome.Dictionary().(*array.String).Value(outcome.GetValueIndex(i))
		if got != want.Schema.Columns[4].Labels[code] {
			t.Errorf("row %d: label %q, code %d", i, got, code)
		}
	}
	lists := record.Column(5).(*array.FixedSizeList)
	if got := lists.ListValues().(*array.Float64).Float64Values(); !slices.Equal(got,
		want.Columns[5].(Slice[float64])) {
		t.Errorf("vectors %v", got)
	}
}

// A NaN may have any sign and payload, depending on the machine that made it.
func TestNaNBitsDoNotMatter(t *testing.T) {
	schema := Schema{Columns: []Column{{Name: "x", Kind: Float64, Nullable: true}}}
	folder := t.TempDir()
	write := func(bits uint64) string {
		numbers := []float64{1, math.Float64frombits(bits), 3}
		content := mustWrite(t, filepath.Join(folder, "t.arrow"),
			&Table{schema, []Values{Slice[float64](numbers)}})
		if math.Float64bits(numbers[1]) != bits {
			t.Error("the caller's numbers were changed")
		}
		return string(content)
	}
	if write(0x7FF8000000000001) != write(0xFFF8000000000000) ||
		write(0x7FF0000000000001) != write(0xFFFFFFFFFFFFFFFF) {
		t.Error("equal tables give different files")
	}
}

func TestNegativeZeroAndInfinity(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	want := []float64{math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64,
		math.MaxFloat64}
	mustWrite(t, path, &Table{Schema{Columns: []Column{{Name: "x", Kind: Float64}}},
		[]Values{Slice[float64](want)}})
	table := must.Get(ReadFile(path))(t)
	got := must.Get(ValuesOf[float64](table, "x"))(t)
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Errorf("row %d: %v, want %v", i, got[i], want[i])
		}
	}
}

func TestAllNull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	for _, rows := range []int{1, 8, 63, 64, 65} {
		numbers := make([]float64, rows)
		for i := range numbers {
			numbers[i] = math.NaN()
		}
		mustWrite(t, path, &Table{Schema{Columns: []Column{{Name: "x", Kind: Float64, Nullable: true}}},
			[]Values{Slice[float64](numbers)}})
		_, record := arrowRecord(t, path)
		if got := record.Column(0).NullN(); got != rows {
			t.Errorf("%d nulls, want %d", got, rows)
		}
	}
}
