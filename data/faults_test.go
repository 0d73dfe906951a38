package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data/durable"
	"antipode/sphere/must"

	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// failingReader is a file that cannot be read any more after some reads.
type failingReader struct {
	io.ReaderAt
	left int
}

func (r *failingReader) ReadAt(p []byte, offset int64) (int, error) {
	if r.left--; r.left < 0 {
		return 0, errFault
	}
	return r.ReaderAt.ReadAt(p, offset)
}

// Whichever read of a file fails, its error is returned, and is not taken for damage of the file.
func TestEveryReadThatFails(t *testing.T) {
	for name, content := range victims(t) {
		for reads := 0; ; reads++ {
			r := &failingReader{bytes.NewReader(content), reads}
			_, err := readStructure(r, int64(len(content)))
			if err == nil && r.left >= 0 {
				if reads < 4 {
					t.Errorf("%s is read at %d places", name, reads)
				}
				break
			}
			if !errors.Is(err, errFault) || errors.Is(err, errDamaged) || reads > 1000 {
				t.Fatalf("%s, read %d fails: error %v", name, reads, err)
			}
		}
	}
}

// A stream that ends before its schema is damaged.
func TestStreamWithoutSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	must.Do(t, os.WriteFile(path, streamEnd, 0o644))
	if _, err := consume(t, path); !strings.Contains(reason(err, path), "its schema is missing") {
		t.Errorf("error %v", err)
	}
}

// The buffers of arrays, in bytes: a bit for each entry if there are nulls, and the values, of bits, of bytes
// or of offsets, of which there is one more than texts or lists, or none without entries.
func TestBuffersOfArrays(t *testing.T) {
	for _, c := range []struct {
		array         arrayStorage
		length, nulls int64
		want          []int64
	}{
		{arrayStorage{offsetBytes: 4}, 0, 0, []int64{0, 0, 0}},
		{arrayStorage{offsetBytes: 8}, 0, 0, []int64{0, 0, 0}},
		{arrayStorage{offsetBytes: 4}, 1, 0, []int64{0, 8, 0}},
		{arrayStorage{offsetBytes: 8}, 9, 2, []int64{2, 80, 0}},
		{arrayStorage{offsetBytes: 4, list: true}, 0, 0, []int64{0, 0}},
		{arrayStorage{offsetBytes: 8, list: true}, 8, 1, []int64{1, 72}},
		{arrayStorage{bits: 1}, 9, 0, []int64{0, 2}},
		{arrayStorage{bits: 64}, 3, 3, []int64{1, 24}},
		{arrayStorage{}, 17, 17, []int64{3}},
	} {
		if got := c.array.buffers(c.length, c.nulls); !slices.Equal(got, c.want) {
			t.Errorf("%+v, %d entries with %d nulls: %v, want %v", c.array, c.length, c.nulls, got, c.want)
		}
	}
}

// A list has 1 to 2^20 numbers, and a table at most 10,000 columns.
func TestDomainsOfSchemas(t *testing.T) {
	own := mustWrite(t, filepath.Join(t.TempDir(), "own.arrow"), sample(2))
	for length, refused := range map[uint32]bool{
		0: true, 1: false, 1 << 20: false, 1<<20 + 1: true, 1 << 31: true,
	} {
		p := newPatch(t, own)
		p.setDetail(5, listLength, 4, length)
		schema, _ := p.footer.table(footerSchema)
		columns, err := readSchema(schema)
		if refused != strings.Contains(errorText(err), "has lists of length") ||
			!refused && (err != nil || columns[5].length != int(length)) {
			t.Errorf("lists of length %d: error %v", length, err)
		}
	}
	for count, want := range map[int]string{10_000: "", 10_001: "has more than 10000 columns"} {
		s := Schema{}
		for k := range count {
			s.Columns = append(s.Columns, Column{Name: fmt.Sprint(k), Kind: Int32})
		}
		var stream bytes.Buffer
		must.Do(t, ipc.NewWriter(&stream, ipc.WithSchema(newEncoder(s).schema)).Close())
		content := stream.Bytes()
		if _, err := readStructure(bytes.NewReader(content), int64(len(content))); errorText(err) != want {
			t.Errorf("%d columns: error %v", count, err)
		}
	}
}

// Rows of files of other programs, with texts and nulls among labels, are equal to themselves, and every
// other value is reported as text. A batch that cannot be read is an error of the comparison.
func TestCompareOtherPrograms(t *testing.T) {
	const path = "testdata/pyarrow-lz4.arrow"
	compare := func(change func(t *Table), damage bool) error {
		now := must.Get(ReadFile(path))(t)
		change(now)
		r := must.Get(Open(path))(t)
		defer r.Close()
		if damage {
			durable.Inject(func(operation, _ string) error {
				if operation == "read" {
					return errFault
				}
				return nil
			})
			defer durable.Inject(nil)
		}
		return must.Get(NewComparison(r, now.Schema))(t).Write(now.Columns...)
	}
	column := func(t *Table, name string) Values { return t.Columns[t.Schema.Index(name)] }
	for want, change := range map[string]func(t *Table){
		"": func(*Table) {},
		`row 2, column flag: null in the file, "true" now`: func(t *Table) {
			column(t, "flag").(Slice[int8])[2] = 1
		},
		`row 1, column flag: "false" in the file, null now`: func(t *Table) {
			column(t, "flag").(Slice[int8])[1] = -1
		},
		"row 3, column text: β in the file, b now": func(t *Table) {
			column(t, "text").(Slice[string])[3] = "b"
		},
	} {
		got := errorText(compare(change, false))
		if want == "" && got != "" || !strings.HasSuffix(got, want) {
			t.Errorf("error %q, want %q", got, want)
		}
	}
	if err := compare(func(*Table) {}, true); !errors.Is(err, errFault) {
		t.Errorf("error %v of a file that cannot be read", err)
	}
}

// A file whose rows cannot be read is not said to be whole, and not to be damaged.
func TestIsWholeOfAFileThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	table := sample(3)
	table.Schema.Metadata = []Entry{{KeyCommand, "phase"}}
	must.Do(t, WriteFile(path, table))
	opened := 0
	for fails := 0; ; fails++ {
		reads := 0
		durable.Inject(func(operation, _ string) error {
			if operation == "read" {
				if reads++; reads == fails+1 {
					return errFault
				}
			}
			return nil
		})
		whole, err := IsWhole(path, table.Schema)
		durable.Inject(nil)
		if reads <= fails {
			if !whole || err != nil {
				t.Errorf("whole: %v, error %v", whole, err)
			}
			break
		}
		if opened++; whole || !errors.Is(err, errFault) {
			t.Errorf("read %d fails: whole: %v, error %v", fails, whole, err)
		}
	}
	if opened < 5 {
		t.Errorf("the file is read at %d places", opened)
	}
}

// The temporary file that cannot be removed is reported.
func TestAbortThatFails(t *testing.T) {
	w, path := begin(t)
	durable.Inject(func(operation, _ string) error {
		if operation == "remove" {
			return errFault
		}
		return nil
	})
	defer durable.Inject(nil)
	if err := w.Abort(); !errors.Is(err, errFault) || !strings.HasPrefix(err.Error(), "abort "+path+": ") {
		t.Errorf("error %v", err)
	}
	if err := w.Abort(); err != nil {
		t.Errorf("error %v of a second Abort", err)
	}
}

// What Arrow never does is refused: a file without a footer, and another position in the output.
func TestOutputRefuses(t *testing.T) {
	o := &output{position: 7, footer: bytes.NewBuffer(make([]byte, tailBytes-1))}
	if err := o.finish(); errorText(err) != "data: Arrow wrote no footer" {
		t.Errorf("error %v", err)
	}
	for _, c := range []struct {
		offset int64
		whence int
		want   string
	}{{0, io.SeekCurrent, ""}, {1, io.SeekCurrent, "data: the output cannot be rewound"},
		{0, io.SeekStart, "data: the output cannot be rewound"}} {
		at, err := o.Seek(c.offset, c.whence)
		if errorText(err) != c.want || err == nil && at != 7 {
			t.Errorf("seek %d from %d: %d, error %v", c.offset, c.whence, at, err)
		}
	}
}

// Values without a form in JSON are mistakes of the programmer.
func TestFormsThatJSONDoesNotHave(t *testing.T) {
	for what, run := range map[string]func(){
		"a number":   func() { marshal(math.NaN()) },
		"attributes": func() { Schema{Attributes: "{"}.pandasMetadata() },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "data: json: ") {
					t.Errorf("%s: panic %s", what, got)
				}
			}()
			run()
		}()
	}
}

// A row that takes vectors refuses a column of numbers.
func TestRowsOfNumbersInPlaceOfVectors(t *testing.T) {
	type row struct {
		X [][]float64 `column:"x#"`
	}
	table := oneColumn(Column{Name: "x1", Kind: Float64}, Slice[float64]{1})
	const want = `column "x1" has values of kind float64, not vector`
	if _, err := RowsOf[row](table); errorText(err) != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Texts, and labels of which some are null, are written to Parquet as texts, and null is null.
func TestParquetOfOtherPrograms(t *testing.T) {
	const path = "testdata/pyarrow-lz4.arrow"
	schema := must.Get(ReadFile(path))(t).Schema
	content := parquetOf(t, path)
	reader := must.Get(file.NewParquetReader(bytes.NewReader(content)))(t)
	for name, want := range map[string]struct {
		texts  []string
		levels []int16
	}{
		"flag":     {[]string{"true", "false", "true", "false"}, []int16{1, 1, 0, 1, 1}},
		"category": {[]string{"x", "y", "x", "z"}, []int16{1, 1, 1, 0, 1}},
		"text":     {[]string{"a", "", "", "β", "e\x1b[31m"}, []int16{1, 1, 1, 1, 1}},
	} {
		var texts []string
		var levels []int16
		for group := range reader.NumRowGroups() {
			chunk := must.Get(reader.RowGroup(group).Column(schema.Index(name)))(t)
			values, defined := make([]parquet.ByteArray, 5), make([]int16, 5)
			total, read, err := chunk.(*file.ByteArrayColumnChunkReader).ReadBatch(5, values, defined, nil)
			must.Do(t, err)
			for _, text := range values[:read] {
				texts = append(texts, string(text))
			}
			levels = append(levels, defined[:total]...)
		}
		if !slices.Equal(texts, want.texts) || !slices.Equal(levels, want.levels) {
			t.Errorf("%s: %q with levels %v, want %q with %v", name, texts, levels, want.texts, want.levels)
		}
	}
}

// Metadata that are not UTF-8 have no place in a Parquet file. A Parquet file of another program, or one that
// cannot be opened, is not whole.
func TestParquetRefuses(t *testing.T) {
	folder := t.TempDir()
	path, foreign := filepath.Join(folder, "t.arrow"), filepath.Join(folder, "t.parquet")
	must.Do(t, WriteFile(path, oneColumn(Column{Name: "x", Kind: Int64}, Slice[int64]{3})))
	must.Do(t, os.WriteFile(foreign, parquetOf(t, path), 0o644))
	schema := must.Get(ReadFile(path))(t).Schema
	if whole, err := IsWholeParquet(foreign, schema); whole || err != nil {
		t.Errorf("a file without the command: whole: %v, error %v", whole, err)
	}
	durable.Inject(func(operation, _ string) error {
		if operation == "open" {
			return errFault
		}
		return nil
	})
	whole, err := IsWholeParquet(foreign, schema)
	durable.Inject(nil)
	if whole || !errors.Is(err, errFault) {
		t.Errorf("a file that cannot be opened: whole: %v, error %v", whole, err)
	}
	r := must.Get(Open(path))(t)
	defer r.Close()
	r.schema.Metadata = []Entry{{"key", "\xff"}}
	if err := r.WriteParquet(io.Discard); !strings.Contains(errorText(err), "utf8") {
		t.Errorf("metadata that are not UTF-8: error %v", err)
	}
	if whole, err := IsWholeParquet(foreign, r.schema); whole || !strings.Contains(errorText(err), "utf8") {
		t.Errorf("metadata that are not UTF-8: whole: %v, error %v", whole, err)
	}
}
