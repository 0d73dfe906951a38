package data

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"antipode/sphere/must"
)

// The numbers of a Parquet file are those of the table, null is null, and the metadata are there; the
// readers of Python are tried in .ci.
func TestParquet(t *testing.T) {
	folder := t.TempDir()
	nan := math.NaN()
	table := &Table{
		Schema: Schema{
			Columns: []Column{
				{Name: "n", Kind: Int32}, {Name: "k", Kind: Int64}, {Name: "x", Kind: Float64},
				{Name: "y", Kind: Float64, Nullable: true}, {Name: "l", Kind: Label,
					Labels: []string{"u", "v"}},
				{Name: "v", Kind: Vector, Length: 2},
			},
			Metadata:   []Entry{{KeyCommand, "phase"}, {KeySeed, "7"}},
			Attributes: `{"seed":7}`,
		},
		Columns: []Values{
			Slice[int32]{1, -2, 3}, Slice[int64]{1 << 60, 5, 6}, Slice[float64]{0.5, 1.5, math.Inf(1)},
			Slice[float64]{nan, 2.5, nan}, Slice[int8]{1, 0, 1}, Slice[float64]{1, 2, 3, 4, 5, 6},
		},
	}
	path := filepath.Join(folder, "t.arrow")
	must.Do(t, WriteFile(path, table))
	content := parquetOf(t, path)
	if !bytes.Equal(content, parquetOf(t, path)) {
		t.Error("another file")
	}
	reader := must.Get(file.NewParquetReader(bytes.NewReader(content)))(t)
	if reader.NumRows() != 3 || reader.NumRowGroups() != 1 {
		t.Errorf("%d rows, %d groups", reader.NumRows(), reader.NumRowGroups())
	}
	if seed := reader.MetaData().KeyValueMetadata().FindValue(KeySeed); seed == nil || *seed != "7" {
		t.Errorf("seed %v", seed)
	}
	for i, want := range []struct {
		numbers []float64
		levels  []int16
	}{
		{[]float64{1, -2, 3}, nil}, {[]float64{1 << 60, 5, 6}, nil}, {[]float64{0.5, 1.5, math.Inf(1)}, nil},
		{[]float64{2.5}, []int16{0, 1, 0}}, {[]float64{'v', 'u', 'v'}, []int16{1, 1, 1}},
		{[]float64{1, 2, 3, 4, 5, 6}, []int16{0, 1, 0, 1, 0, 1}},
	} {
		numbers, definitions, repetitions := parquetColumn(t, reader, i)
		levels := definitions
		if table.Schema.Columns[i].Kind == Vector {
			levels = repetitions
		}
		if !equal(numbers, want.numbers) || want.levels != nil && !equal(levels, want.levels) {
			t.Errorf("column %d: %v %v %v", i, numbers, definitions, repetitions)
		}
	}

	whole := filepath.Join(folder, "t.parquet")
	must.Do(t, os.WriteFile(whole, content, 0o666))
	if got, err := IsWholeParquet(whole, table.Schema); err != nil || !got {
		t.Errorf("whole: %v, %v", got, err)
	}
	schema := table.Schema
	schema.Metadata = []Entry{{KeySeed, "8"}}
	got, err := IsWholeParquet(whole, schema)
	var other *OtherRunError
	if got || !errors.As(err, &other) || other.Path != whole ||
		!slices.Equal(other.Metadata, table.Schema.Metadata) {
		t.Errorf("of another run: %v, %v", got, err)
	}
	for _, path := range []string{path, filepath.Join(folder, "missing"), folder} {
		if got, err := IsWholeParquet(path, table.Schema); got || err != nil {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
}

func equal[T int16 | float64](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return true
}

func parquetOf(t *testing.T, path string) []byte {
	t.Helper()
	r := must.Get(Open(path))(t)
	defer r.Close()
	var content bytes.Buffer
	must.Do(t, r.WriteParquet(&content))
	return content.Bytes()
}

// parquetColumn reads a column as numbers, texts by their first byte.
func parquetColumn(t *testing.T, reader *file.Reader, column int) (numbers []float64, definitions,
	repetitions []int16) {
	t.Helper()
	chunk, err := reader.RowGroup(0).Column(column)
	if err != nil {
		t.Fatal(err)
	}
	const most = 10
	definitions, repetitions = make([]int16, most), make([]int16, most)
	var total int64
	var read int
	switch chunk := chunk.(type) {
	case *file.Int32ColumnChunkReader:
		var values [most]int32
		total, read, err = chunk.ReadBatch(most, values[:], definitions, repetitions)
		for _, x := range values[:read] {
			numbers = append(numbers, float64(x))
		}
	case *file.Int64ColumnChunkReader:
		var values [most]int64
		total, read, err = chunk.ReadBatch(most, values[:], definitions, repetitions)
		for _, x := range values[:read] {
			numbers = append(numbers, float64(x))
		}
	case *file.Float64ColumnChunkReader:
		var values [most]float64
		total, read, err = chunk.ReadBatch(most, values[:], definitions, repetitions)
		numbers = append(numbers, values[:read]...)
	case *file.ByteArrayColumnChunkReader:
		values := make([]parquet.ByteArray, most)
		total, read, err = chunk.ReadBatch(most, values, definitions, repetitions)
		for _, x := range values[:read] {
			numbers = append(numbers, float64(x[0]))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return numbers, definitions[:total], repetitions[:total]
}
