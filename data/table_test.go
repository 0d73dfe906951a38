package data

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// sample returns a table with every kind of column, nulls and metadata. Its
// numbers have no exact short form and differ in every row.
func sample(rows int) *Table {
	table := &Table{Schema: Schema{
		Columns: []Column{
			{Name: "dim", Meaning: "dimension of a token", Kind: Int32},
			{Name: "trajectories", Unit: "1", Kind: Int64},
			{Name: "p", Meaning: "probability, β → ∞", Kind: Float64},
			{Name: "p_limit", Kind: Float64, Nullable: true},
			{Name: "outcome", Kind: Label, Labels: []string{"single", "antipodal", "", "\"quoted\", é"}},
			{Name: "x1", Unit: "length", Kind: Vector, Length: 3},
		},
		Metadata: []Entry{
			{KeyCommand, "phase"}, {KeyParameters, `{"dim":[3,4],"beta":[0.1]}`},
			{KeySeed, "1"}, {KeyVersion, "0.1"}, {KeyTable, "phase"}, {"another", "α\n"},
		},
	}}
	dim, trajectories := make([]int32, rows), make([]int64, rows)
	p, limit := make([]float64, rows), make([]float64, rows)
	outcome, x := make([]int8, rows), make([]float64, 3*rows)
	for i := range rows {
		dim[i], trajectories[i] = int32(math.MinInt32+i), int64(math.MaxInt64-i)
		p[i], limit[i] = math.Sin(float64(i)), math.Exp(float64(i%600))
		if i%3 == 1 {
			limit[i] = math.NaN()
		}
		outcome[i] = int8(i % 4)
		for k := range 3 {
			x[3*i+k] = float64(3*i+k) / 7
		}
	}
	table.Columns = []Values{Slice[int32](dim), Slice[int64](trajectories), Slice[float64](p),
		Slice[float64](limit), Slice[int8](outcome), Slice[float64](x)}
	return table
}

// same reports the first difference between two tables; NaN equals NaN.
func same(a, b *Table) error {
	if !reflect.DeepEqual(a.Schema, b.Schema) {
		return fmt.Errorf("schema %+v, want %+v", a.Schema, b.Schema)
	}
	for i, column := range a.Schema.Columns {
		x, ok := a.Columns[i].(Slice[float64])
		y, both := b.Columns[i].(Slice[float64])
		if ok != both || ok && !slices.EqualFunc(x, y, sameNumber) ||
			!ok && !reflect.DeepEqual(a.Columns[i], b.Columns[i]) {
			return fmt.Errorf("column %q differs", column.Name)
		}
	}
	return nil
}

func sameNumber(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
}

func mustWrite(t testing.TB, path string, table *Table) []byte {
	t.Helper()
	must.Do(t, WriteFile(path, table))
	content := must.Get(os.ReadFile(path))(t)
	return content
}

func TestRoundTrip(t *testing.T) {
	for _, rows := range []int{0, 1, 2, 7, 8, 9, 64, 65, 1000, maxBatchRows, maxBatchRows + 1,
		3*maxBatchRows - 1} {
		path := filepath.Join(t.TempDir(), "t.arrow")
		want := sample(rows)
		first := mustWrite(t, path, want)
		got, err := ReadFile(path)
		if err != nil {
			t.Fatalf("%d rows: %v", rows, err)
		}
		if got.Rows() != rows {
			t.Errorf("%d rows, want %d", got.Rows(), rows)
		}
		if err := same(got, want); err != nil {
			t.Errorf("%d rows: %v", rows, err)
		}
		if second := mustWrite(t, path, got); !bytes.Equal(first, second) {
			t.Errorf("%d rows: written again, the file is another", rows)
		}
	}
}

func TestValues(t *testing.T) {
	table := sample(4)
	if got, err := ValuesOf[int32](table, "dim"); err != nil ||
		&got[0] != &table.Columns[0].(Slice[int32])[0] {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := ValuesOf[float64](table, "x1"); err != nil || len(got) != 12 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := ValuesOf[int8](table, "outcome"); err != nil {
		t.Error(err)
	}
	if _, err := ValuesOf[int64](table, "dim"); err == nil ||
		err.Error() != `column "dim" has values of type data.Slice[int32], not data.Slice[int64]` {
		t.Error(err)
	}
	if _, err := ValuesOf[int64](table, "none"); err == nil {
		t.Error("there is a column that is not there")
	}
}

func TestRowsOfNothing(t *testing.T) {
	if n := new(Table).Rows(); n != 0 {
		t.Errorf("%d rows", n)
	}
}

// A file of a few kilobytes that would fill the memory of a large machine.
func TestReadFileRefusesBombs(t *testing.T) {
	longtest.Only(t)
	path := bomb(t)
	before := allocated()
	_, err := ReadFile(path)
	if err == nil || !strings.Contains(err.Error(), "of memory, too much for a file") {
		t.Errorf("error %v", err)
	}
	if used := allocated() - before; used > guardedBytes {
		t.Errorf("%d MiB allocated", used>>20)
	}
}

// bomb writes 6 batches of 3×10^7 zeros, compressed.
func bomb(t *testing.T) string {
	t.Helper()
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "t.arrow")))(t)
	defer file.Close()
	schema := newEncoder(Schema{Columns: []Column{{Name: "x", Kind: Int32}}})
	writer := must.Get(ipc.NewFileWriter(file, ipc.WithSchema(arrow.NewSchema(schema.schema.Fields(), nil)),
		ipc.WithZstd()))(t)
	zeros := make([]int32, 30_000_000)
	for range 6 {
		must.Do(t, writer.Write(schema.record([]Values{Slice[int32](zeros)}, len(zeros))))
	}
	must.Do(t, writer.Close())
	return file.Name()
}

const benchmarkRows = 1_000_000

// benchmarkTable is like a table of outcomes: five columns, 29 bytes a row.
func benchmarkTable() *Table {
	table := sample(benchmarkRows)
	table.Schema.Columns, table.Columns = table.Schema.Columns[:5], table.Columns[:5]
	return table
}

func BenchmarkWrite(b *testing.B) {
	table := benchmarkTable()
	path := filepath.Join(b.TempDir(), "t.arrow")
	b.ReportAllocs()
	for b.Loop() {
		must.Do(b, WriteFile(path, table))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkRows, "ns/row")
}

// BenchmarkWriteSmall writes a thousand rows at a time.
func BenchmarkWriteSmall(b *testing.B) {
	table := benchmarkTable()
	path := filepath.Join(b.TempDir(), "t.arrow")
	piece := make([]Values, len(table.Columns))
	b.ReportAllocs()
	for b.Loop() {
		w := must.Get(Create(path, table.Schema))(b)
		for from := 0; from < benchmarkRows; from += 1000 {
			for i, values := range table.Columns {
				piece[i] = values.part(from, from+1000)
			}
			must.Do(b, w.Write(piece...))
		}
		must.Do(b, w.Close())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkRows, "ns/row")
}

func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "t.arrow")
	mustWrite(b, path, benchmarkTable())
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		for err == nil {
			_, err = r.Next()
		}
		if err != io.EOF {
			b.Fatal(err)
		}
		r.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkRows, "ns/row")
}

func BenchmarkCSV(b *testing.B)  { benchmarkText(b, (*Reader).WriteCSV) }
func BenchmarkJSON(b *testing.B) { benchmarkText(b, (*Reader).WriteJSON) }

func benchmarkText(b *testing.B, write func(*Reader, io.Writer, int) error) {
	path := filepath.Join(b.TempDir(), "t.arrow")
	mustWrite(b, path, benchmarkTable())
	b.ReportAllocs()
	for b.Loop() {
		r := must.Get(Open(path))(b)
		must.Do(b, write(r, io.Discard, -1))
		r.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkRows, "ns/row")
}

func TestAppend(t *testing.T) {
	want := sample(30)
	table := NewTable(want.Schema)
	for from := 0; from < 30; from += 10 {
		var columns []Values
		for i, values := range want.Columns {
			width := want.Schema.Columns[i].width()
			columns = append(columns, values.part(from*width, (from+10)*width))
		}
		must.Do(t, table.Write(columns...))
		if err := table.Write(columns[1:]...); err == nil {
			t.Error("a column too few was accepted")
		}
	}
	first, second := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	if !bytes.Equal(mustWrite(t, first, want), mustWrite(t, second, table)) {
		t.Error("rows appended in parts make another table")
	}
	labels := NewTable(Schema{Columns: []Column{{Name: "a", Kind: Label, Labels: []string{"x"}}}})
	if err := labels.Write(Slice[int8]{1}); err == nil || labels.Rows() != 0 {
		t.Errorf("error %v and %d rows after a code out of range", err, labels.Rows())
	}
}
