package hidden

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"antipode/sphere/must"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// A token with a single null is missing as a whole. A token with NaN is kept, as from a NumPy file, so that
// those who measure it refuse it.
func TestNullAndNaNInAToken(t *testing.T) {
	nan := math.NaN()
	for _, inRow := range []int{1, 2} { // columns of tokens, and a column of lists of tokens
		path := tableWithNulls(t, inRow, []float64{1, 2, 3, nan, 5, 6, 7, 8}, 5)
		got := numbersOf(t, path)[4:]
		for k, want := range []float64{1, 2, 3, nan, 0, 0, 7, 8} {
			if got[k] != want && !(math.IsNaN(got[k]) && math.IsNaN(want)) {
				t.Errorf("%d tokens in a list, number %d: %v, want %v", inRow, k, got[k], want)
			}
		}
	}
}

// tableWithNulls writes a table of 4 tokens of dimension 2 with the given numbers, of which one is null. The
// layers are rows; in one row there is a token in a column x1, or a list of two tokens.
func tableWithNulls(t *testing.T, inRow int, numbers []float64, null int) (path string) {
	t.Helper()
	token := arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Float64)
	var kind arrow.DataType = token
	if inRow > 1 {
		kind = arrow.FixedSizeListOf(int32(inRow), token)
	}
	b := array.NewBuilder(memory.DefaultAllocator, kind)
	tokens, rows := b.(*array.FixedSizeListBuilder), b.(*array.FixedSizeListBuilder)
	if inRow > 1 {
		tokens = rows.ValueBuilder().(*array.FixedSizeListBuilder)
	}
	entries := tokens.ValueBuilder().(*array.Float64Builder)
	for k, x := range numbers {
		if k%(2*inRow) == 0 {
			rows.Append(true)
		}
		if inRow > 1 && k%2 == 0 {
			tokens.Append(true)
		}
		if k == null {
			entries.AppendNull()
		} else {
			entries.Append(x)
		}
	}
	return writeColumn(t, b.NewArray())
}

// writeColumn writes a table with a single column x1.
func writeColumn(t *testing.T, column arrow.Array) (path string) {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "x1", Type: column.DataType(), Nullable: true}}, nil)
	path = filepath.Join(t.TempDir(), "tokens.arrow")
	file := must.Get(os.Create(path))(t)
	w := must.Get(ipc.NewFileWriter(file, ipc.WithSchema(schema)))(t)
	must.Do(t, errors.Join(w.Write(array.NewRecord(schema, []arrow.Array{column}, int64(column.Len()))),
		w.Close(), file.Close()))
	return path
}

// Lists without numbers have no tokens, and are refused.
func TestListsWithoutNumbers(t *testing.T) {
	b := array.NewListBuilder(memory.DefaultAllocator, arrow.PrimitiveTypes.Float64)
	for range 3 {
		b.Append(true)
	}
	path := writeColumn(t, b.NewArray())
	if states, err := Open(path); err == nil {
		t.Errorf("%+v", states)
	}
}
