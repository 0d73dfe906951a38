package data

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"antipode/sphere/must"
)

func mustOpen(t testing.TB, path string) *Reader {
	t.Helper()
	r := must.Get(Open(path))(t)
	t.Cleanup(func() { r.Close() })
	return r
}

func TestNext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	want := sample(2*maxBatchRows + 5)
	mustWrite(t, path, want)
	r := mustOpen(t, path)
	if r.Rows() != int64(want.Rows()) {
		t.Errorf("%d rows", r.Rows())
	}
	for from := 0; ; {
		batch, err := r.Next()
		if err == io.EOF {
			if from != want.Rows() {
				t.Errorf("%d rows read", from)
			}
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := batch.Rows(); n == 0 || n > maxBatchRows {
			t.Errorf("a batch of %d rows", n)
		}
		piece := &Table{Schema: want.Schema}
		for i, column := range want.Schema.Columns {
			piece.Columns = append(piece.Columns, want.Columns[i].part(from*column.width(),
				(from+batch.Rows())*column.width()))
		}
		if err := same(batch, piece); err != nil {
			t.Errorf("rows from %d: %v", from, err)
		}
		from += batch.Rows()
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("after the end: %v", err)
	}
}

func TestNextCutsLargeBatches(t *testing.T) {
	values := "[1" + strings.Repeat(",1", 149_999) + "]"
	r := mustOpen(t, arrowFile(t, arrow.PrimitiveTypes.Int64, values))
	for _, want := range []int{65_536, 65_536, 18_928} {
		table, err := r.Next()
		if err != nil || table.Rows() != want {
			t.Fatalf("%d rows, %v, want %d", table.Rows(), err, want)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Error(err)
	}
}

func TestEmptyBatchesAreSkipped(t *testing.T) {
	r := mustOpen(t, arrowFile(t, arrow.PrimitiveTypes.Int64, "[]"))
	if table, err := r.Next(); err != io.EOF {
		t.Errorf("%v, %v", table, err)
	}
}

func TestFileWithoutBatches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	schema := arrow.NewSchema([]arrow.Field{{Name: "l", Type: labelType}}, nil)
	writer, err := ipc.NewFileWriter(file, ipc.WithSchema(schema), ipc.WithAllocator(memory.NewGoAllocator()))
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, writer.Close())
	table, err := ReadFile(path)
	if err != nil || table.Rows() != 0 || table.Schema.Columns[0].Kind != Label {
		t.Errorf("%v, %v", table, err)
	}
}

func TestErrorsStay(t *testing.T) {
	r := mustOpen(t, arrowFile(t, arrow.PrimitiveTypes.Uint64, "[18446744073709551615]"))
	_, first := r.Next()
	_, second := r.Next()
	if first == nil || first != second {
		t.Errorf("%v, then %v", first, second)
	}
}

func TestReadAfterClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	mustWrite(t, path, sample(maxBatchRows+1))
	r := mustOpen(t, path)
	must.Do(t, r.Close())
	r.Next() // the batch that was read to learn the labels
	if _, err := r.Next(); err == nil || err == io.EOF {
		t.Errorf("error %v", err)
	}
}

// Rows taken a few at a time start anywhere in a batch.
func TestRowsFromTheMiddle(t *testing.T) {
	own := filepath.Join(t.TempDir(), "t.arrow")
	mustWrite(t, own, sample(20))
	lists := arrowFile(t, arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Float32),
		"[[1,2],null,[3,null],[4,5],[6,7],null,null,[8,9]]")
	for _, path := range []string{own, lists, "testdata/pandas.arrow", "testdata/pyarrow-zstd.arrow"} {
		want, err := ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := mustOpen(t, path)
		got := &Table{Schema: r.Schema()}
		for _, column := range got.Schema.Columns {
			got.Columns = append(got.Columns, column.empty())
		}
		err = nil
		for err == nil {
			var piece *Table
			if piece, err = r.take(3); err == nil {
				for i, values := range piece.Columns {
					got.Columns[i] = got.Columns[i].join(values)
				}
			}
		}
		if err != io.EOF {
			t.Error(err)
		}
		if err := same(got, want); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
