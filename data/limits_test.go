package data

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"antipode/sphere/must"
)

// A footer, the description of a batch, and a message of a stream may have 16 MiB, and no byte more. The
// files are in order apart from the zeros with which the description is made longer.
func TestLongestDescriptions(t *testing.T) {
	const most = 16 << 20
	stream := must.Get(os.ReadFile("testdata/stream.arrow"))(t)
	file := must.Get(os.ReadFile("testdata/pyarrow-uncompressed.arrow"))(t)
	parts := newPatch(t, file)
	footer := file[parts.start : len(file)-tailBytes]
	ended := func(batches, footer []byte) []byte {
		return append(append(append(batches, footer...), words(uint32(len(footer)))...), magic...)
	}
	for name, lengthen := range map[string]func(length int) []byte{
		"footer": func(length int) []byte {
			longer := append(bytes.Clone(footer), make([]byte, length-len(footer))...)
			return ended(bytes.Clone(file[:parts.start]), longer)
		},
		"message": func(length int) []byte {
			old := int(binary.LittleEndian.Uint32(stream[4:])) + 8
			longer := append(bytes.Clone(stream[:old]), make([]byte, length-old)...)
			binary.LittleEndian.PutUint32(longer[4:], uint32(length-8))
			return append(longer, stream[old:]...)
		},
		"batch": func(length int) []byte {
			p := newPatch(t, file)
			_, count := p.footer.vector(footerRecords, 24)
			block := p.block(footerRecords, count-1) // no block follows that would have to move
			offset, old := int(binary.LittleEndian.Uint64(block)), int(binary.LittleEndian.Uint32(block[8:]))
			binary.LittleEndian.PutUint32(p.content[offset+4:], uint32(length-8))
			binary.LittleEndian.PutUint32(block[8:], uint32(length))
			longer := append(bytes.Clone(p.content[:offset+old]), make([]byte, length-old)...)
			return ended(append(longer, p.content[offset+old:p.start]...), p.footer.bytes)
		},
	} {
		for length, good := range map[int]bool{most: true, most + 8: false} {
			content := lengthen(length)
			s, err := readStructure(bytes.NewReader(content), int64(len(content)))
			if good != (err == nil) || good && s.rows == 0 {
				t.Errorf("%s of %d bytes: %v", name, length, err)
			}
		}
	}
}

// A buffer may take 128 MiB once inflated, and so may all buffers of a batch together.
func TestMostInflated(t *testing.T) {
	const most = 128 << 20
	content := must.Get(os.ReadFile("testdata/pyarrow-lz4.arrow"))(t)
	batch, body := newPatch(t, content).batch(0), newPatch(t, content).body()
	first, count := batch.vector(batchBuffers, 16)
	others := int64(0) // inflated bytes of the other buffers of the first batch
	for i := range count {
		at, length := batch.int64(first+16*i), batch.int64(first+16*i+8)
		if i == 1 || length == 0 {
			continue
		}
		if size := int64(binary.LittleEndian.Uint64(content[int64(body)+at:])); size == -1 {
			others += length - 8
		} else {
			others += size
		}
	}
	if others == 0 {
		t.Fatal("the batch has only one buffer")
	}
	for size, want := range map[int64]string{
		most - others: "", most - others + 1: "a batch takes more than 128 MiB once inflated",
		most: "a batch takes more than 128 MiB once inflated", most + 1: "a buffer takes more than 128 MiB",
	} {
		p := newPatch(t, content)
		binary.LittleEndian.PutUint64(p.buffer(1), uint64(size))
		_, err := readStructure(bytes.NewReader(p.content), int64(len(p.content)))
		if (err != nil) != (want != "") || !strings.Contains(errorText(err), want) {
			t.Errorf("%d bytes: error %v, want %q", size, err, want)
		}
	}
}

// Arrow reads only the versions V4 and V5, which have the numbers 3 and 4.
func TestKnownVersions(t *testing.T) {
	for version, known := range []bool{false, false, false, true, true, false} {
		if knownVersion(int64(version)) != known {
			t.Errorf("version %d is known: %v", version, !known)
		}
	}
}

// The names of kinds include the last one, and no number beyond it has a name.
func TestNamesOfKinds(t *testing.T) {
	for kind, want := range map[Kind]string{
		-1: "kind(-1)", Int32: "int32", Int64: "int64", Float64: "float64", Label: "label", Vector: "vector",
		Text: "text", Text + 1: "kind(6)",
	} {
		if got := kind.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Indices into a dictionary must lie inside it, whether its entries become labels or texts.
func TestIndicesOutsideADictionary(t *testing.T) {
	entries, _, err := array.FromJSON(memory.NewGoAllocator(), arrow.BinaryTypes.String,
		strings.NewReader(`["a","b","c"]`))
	if err != nil {
		t.Fatal(err)
	}
	kind := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
	column := Column{Name: "x", Kind: Label, Labels: []string{"a", "b", "c"}}
	for index, want := range map[int32]string{-1: "", 0: "a", 2: "c", 3: ""} {
		values := array.NewDictionaryArray(kind, wrap(arrow.PrimitiveTypes.Int32,
			arrow.Int32Traits.CastToBytes([]int32{index}), 1), entries)
		texts, err := texts(values)
		if (err == nil) != (want != "") || err == nil && texts[0] != want {
			t.Errorf("index %d: texts %q, %v", index, texts, err)
		}
		codes, err := column.codes(values)
		if (err == nil) != (want != "") || err == nil && column.Labels[codes[0]] != want {
			t.Errorf("index %d: codes %v, %v", index, codes, err)
		}
	}
}

// A dictionary of 127 entries, which int8 can number, is read as labels; with one more entry it is text.
func TestMostLabels(t *testing.T) {
	kind := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
	for count, want := range map[int]Kind{127: Label, 128: Text} {
		var names []string
		for k := range count {
			names = append(names, fmt.Sprintf("%q", fmt.Sprint("v", k)))
		}
		table := must.Get(ReadFile(arrowFile(t, kind, "["+strings.Join(names, ",")+"]")))(t)
		column := table.Schema.Columns[0]
		last := column.cell(table.Columns[0], count-1)
		if column.Kind != want || last != fmt.Sprint("v", count-1) {
			t.Errorf("%d entries: %v, the last %q", count, column.Kind, last)
		}
	}
	for index, want := range map[int]int8{-1: -1, 0: 0, 127: 127, 128: -1, 256: -1} {
		if got := code(reflect.ValueOf(index)); got != want {
			t.Errorf("label %d has the code %d, want %d", index, got, want)
		}
	}
}

// Lists inside lists must have equal lengths, also where lists are null.
func TestUnequalListsInLists(t *testing.T) {
	for _, values := range []string{`[[[1,2],[3]]]`, `[[[1,2]],null,[[3]]]`, `[null,[[1,2],[3]]]`} {
		table, err := ReadFile(arrowFile(t, nested(2, arrow.PrimitiveTypes.Float64), values))
		if err == nil || !strings.Contains(err.Error(), "as long as each other") {
			t.Errorf("%s: %v, %v", values, table, err)
		}
	}
}

// The metadata of a run come back from the attributes only if all of them are there.
func TestMetadataFromAttributes(t *testing.T) {
	want := []Entry{{KeyCommand, "phase"}, {KeyParameters, `{"dim":[3]}`}, {KeySeed, "5"},
		{KeyVersion, "0.4.0"}}
	const all = `{"command":"phase","parameters":{"dim":[3]},"seed":5,"version":"0.4.0","more":1}`
	if got := restored(all); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, text := range []string{"", "x", "[]", "{}", strings.Replace(all, "seed", "Seed", 1),
		all[:len(all)-1]} {
		if got := restored(text); got != nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Rows and columns in JSON have the form that WriteJSONLines gives them.
func TestAppendJSON(t *testing.T) {
	table := sample(7)
	path := filepath.Join(t.TempDir(), "t.arrow")
	mustWrite(t, path, table)
	lines := strings.Split(strings.TrimSpace(form(t, "lines", path, -1)), "\n")
	columns := make([][]json.RawMessage, len(table.Schema.Columns))
	for row, line := range lines {
		if got := string(table.AppendRowJSON([]byte("x"), row)); got != "x"+line {
			t.Errorf("row %d: %s, want %s", row, got, line)
		}
		var values map[string]json.RawMessage
		must.Do(t, json.Unmarshal([]byte(line), &values))
		for i, column := range table.Schema.Columns {
			columns[i] = append(columns[i], values[column.Name])
		}
	}
	for i, column := range columns {
		want := string(must.Get(json.Marshal(column))(t))
		var got bytes.Buffer // in Marshal's form, which has other signs for some characters
		must.Do(t, json.Compact(&got, table.AppendColumnJSON(nil, i)))
		if got.String() != want && table.Schema.Columns[i].Kind != Label {
			t.Errorf("column %d: %s, want %s", i, got.String(), want)
		}
		if none := string(table.Slice(0, 0).AppendColumnJSON([]byte("x"), i)); none != "x[]" {
			t.Errorf("no rows: %s", none)
		}
	}
	const labels = `["single","antipodal","","\"quoted\", é","single","antipodal",""]`
	if got := string(table.AppendColumnJSON(nil, 4)); got != labels {
		t.Errorf("labels %s", got)
	}
}

// Selecting passes on the chosen columns in the order of all columns, and the sink's error.
func TestSelecting(t *testing.T) {
	all := sample(3)
	some := []Column{all.Schema.Columns[4], all.Schema.Columns[1]}
	chosen := NewTable(Schema{Columns: []Column{all.Schema.Columns[1], all.Schema.Columns[4]}})
	must.Do(t, Selecting(chosen, all.Schema.Columns, some).Write(all.Columns...))
	if want := []Values{all.Columns[1], all.Columns[4]}; !reflect.DeepEqual(chosen.Columns, want) {
		t.Errorf("%v, want %v", chosen.Columns, want)
	}
	failing := SinkFunc(func(...Values) error { return errFull })
	if err := Selecting(failing, all.Schema.Columns, some).Write(all.Columns...); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

// The predicted size of a file is within three per cent and 800 bytes of the size of the written file.
func TestFileBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	wide := Schema{}
	for k := range 40 {
		wide.Columns = append(wide.Columns, Column{Name: fmt.Sprint("x", k), Kind: Vector, Length: 50})
	}
	for _, test := range []struct {
		schema Schema
		rows   []int
	}{{sample(0).Schema, []int{0, 1, 1000, 65536, 65537, 100_000}}, {wide, []int{0, 10, 1048, 1049, 2500}}} {
		for _, rows := range test.rows {
			table := NewTable(test.schema)
			for i, c := range test.schema.Columns {
				switch n := rows * c.width(); c.Kind {
				case Int32:
					table.Columns[i] = make(Slice[int32], n)
				case Int64:
					table.Columns[i] = make(Slice[int64], n)
				case Label:
					table.Columns[i] = make(Slice[int8], n)
				default:
					table.Columns[i] = make(Slice[float64], n)
				}
			}
			must.Do(t, WriteFile(path, table))
			size := float64(must.Get(os.Stat(path))(t).Size())
			got, err := test.schema.FileBytes(float64(rows))
			if err != nil || !(math.Abs(got-size) <= 0.03*size+800) {
				t.Errorf("%d rows of %d columns: %g bytes predicted, %g written; %v", rows,
					len(test.schema.Columns), got, size, err)
			}
		}
	}
	if got, err := (Schema{}).FileBytes(1); err == nil {
		t.Errorf("%g bytes for a table without columns", got)
	}
}

// A label that stands in for a missing column does not replace the values of a column that is there, even the
// first. The label may be the first one.
func TestLabelsThatStandIn(t *testing.T) {
	type row struct {
		Colour colour `column:"colour" otherwise:"red"`
		Count  int64  `column:"n"`
	}
	want := []row{{1, 3}, {2, 4}}
	table := NewTable(Schema{Columns: ColumnsOf[row]()})
	must.Do(t, WriteRows(table, want...))
	if got, err := RowsOf[row](table); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v; %v", got, want, err)
	}
	without := &Table{Schema: Schema{Columns: table.Schema.Columns[1:]}, Columns: table.Columns[1:]}
	if got, err := RowsOf[row](without); err != nil || !slices.Equal(got, []row{{0, 3}, {0, 4}}) {
		t.Errorf("without the column: %v, %v", got, err)
	}
}

// Text shows the first twenty numbers of a vector, and a mark if there are more.
func TestLongVectorsInText(t *testing.T) {
	for count, want := range map[int]string{19: "[0" + strings.Repeat(" 0", 18) + "]",
		20: "[0" + strings.Repeat(" 0", 19) + "]", 21: "[0" + strings.Repeat(" 0", 19) + " …]"} {
		if got := roundedVector(make([]float64, count)); got != want {
			t.Errorf("%d numbers: %s", count, got)
		}
	}
}
