package data

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"antipode/internal/longtest"
	"antipode/sphere/must"
)

const (
	guardedBytes = 200 << 20 // that reading one small file may allocate
	guardedTime  = 2 * time.Second
)

// allocated returns the bytes allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// consume reads a file. It returns the error of the reader, which must be one
// line and name the file.
func consume(t testing.TB, path string) (table *Table, failure error) {
	t.Helper()
	before := allocated()
	defer func() {
		if used := allocated() - before; used > guardedBytes {
			t.Errorf("%d MiB allocated (%v)", used>>20, failure)
		}
		if failure != nil && (strings.ContainsAny(failure.Error(), "\n\r\x1b") ||
			!strings.Contains(failure.Error(), path)) {
			t.Errorf("error %q", failure)
		}
	}()
	start := time.Now()
	table, failure = ReadFile(path)
	if time.Since(start) > guardedTime { // once a machine may stall
		start = time.Now()
		ReadFile(path)
		if passed := time.Since(start); passed > guardedTime {
			t.Errorf("took %v (%v)", passed, failure)
		}
	}
	return table, failure
}

// writeOut is consume for what is written from a file.
func writeOut(t testing.TB, path string) error {
	t.Helper()
	for _, format := range []struct {
		write func(*Reader, io.Writer) error
		valid func([]byte) bool
	}{
		{func(r *Reader, w io.Writer) error { return r.WriteText(w, -1) }, utf8.Valid},
		{func(r *Reader, w io.Writer) error { return r.WriteCSV(w, -1) }, utf8.Valid},
		{func(r *Reader, w io.Writer) error { return r.WriteJSON(w, -1) }, json.Valid},
		{func(r *Reader, w io.Writer) error { return r.WriteJSONLines(w, -1) }, validLines},
	} {
		var text bytes.Buffer
		r, err := Open(path)
		if err != nil {
			return err
		}
		err = format.write(r, &text)
		r.Close()
		if err != nil {
			return err
		}
		if !format.valid(text.Bytes()) {
			t.Errorf("not in its format: %.300q", text.Bytes())
		}
	}
	return nil
}

// validLines reports whether every line is JSON.
func validLines(text []byte) bool {
	for line := range bytes.Lines(text) {
		if !json.Valid(line) {
			return false
		}
	}
	return true
}

// reason returns an error without the file's name, which can have the words
// that a test looks for, and "" for none.
func reason(err error, path string) string {
	if err == nil {
		return ""
	}
	return strings.ReplaceAll(err.Error(), path, "FILE")
}

// victims are the files to be damaged: small ones of every storage.
func victims(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{"own": mustWrite(t, filepath.Join(t.TempDir(), "own.arrow"), sample(20))}
	for _, name := range []string{"pyarrow-uncompressed", "pyarrow-lz4", "pyarrow-zstd", "pandas", "stream"} {
		content := must.Get(os.ReadFile(filepath.Join("testdata", name+".arrow")))(t)
		files[name] = content
	}
	return files
}

// attack damages a file in many ways and counts what becomes of it.
type attack struct {
	t            *testing.T
	file         *os.File
	whole        *Table // what a file with checksums holds if it is read at all
	read, failed int
}

func newAttack(t *testing.T) *attack {
	t.Helper()
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "t.arrow")))(t)
	t.Cleanup(func() { file.Close() })
	return &attack{t: t, file: file}
}

func (a *attack) try(content []byte) {
	a.t.Helper()
	// In place: some file systems take a millisecond for a new file.
	if _, err := a.file.WriteAt(content, 0); err != nil {
		a.t.Fatal(err)
	}
	if err := a.file.Truncate(int64(len(content))); err != nil {
		a.t.Fatal(err)
	}
	table, err := consume(a.t, a.file.Name())
	if err == nil && a.whole != nil {
		if err := same(table, a.whole); err != nil {
			a.t.Errorf("damage is not noticed: %v", err)
		}
	}
	if err == nil && a.read%10 == 0 {
		err = writeOut(a.t, a.file.Name())
	}
	if err == nil {
		a.read++
	} else {
		a.failed++
	}
}

func (a *attack) report() {
	a.t.Helper()
	a.t.Logf("%d files: %d read, %d refused", a.read+a.failed, a.read, a.failed)
	if a.failed == 0 || a.read == 0 {
		a.t.Error("the damage does not test anything")
	}
}

func TestRandomDamage(t *testing.T) {
	longtest.Only(t)
	for name, content := range victims(t) {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, uint64(len(content))))
			a := newAttack(t)
			if name == "own" {
				a.whole = sample(20)
			}
			for range 1000 {
				a.try(mutate(random, content))
			}
			a.report()
		})
	}
}

// mutate returns a copy of a file with one to four pieces of damage.
func mutate(random *rand.Rand, content []byte) []byte {
	extremes := []uint64{0, 1, 7, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 40,
		1<<63 - 1, 1 << 63, 1<<64 - 1, 1<<64 - 8}
	content = bytes.Clone(content)
	for range 1 + random.IntN(4) {
		at := random.IntN(len(content))
		length := min(random.IntN(64), len(content)-at)
		switch random.IntN(6) {
		case 0:
			content[at] ^= 1 << random.IntN(8)
		case 1:
			content[at] = byte(random.Uint32())
		case 2, 3: // a number, where numbers are
			var number [8]byte
			binary.LittleEndian.PutUint64(number[:], extremes[random.IntN(len(extremes))])
			size := 1 << random.IntN(4)
			copy(content[at&^(size-1):], number[:size])
		case 4: // something from elsewhere in the file
			copy(content[random.IntN(len(content)):], content[at:at+length])
		case 5:
			clear(content[at : at+length])
		}
	}
	return content
}

func TestEveryByteDamaged(t *testing.T) {
	longtest.Only(t)
	content := victims(t)["own"]
	a := newAttack(t)
	for at := range content {
		damaged := bytes.Clone(content)
		if at%2 == 0 {
			damaged[at] ^= 0x80
		} else {
			damaged[at]++
		}
		a.try(damaged)
	}
	if a.read > 0 {
		t.Errorf("%d of %d files with one changed byte were read", a.read, a.read+a.failed)
	}
}

func TestEveryTruncation(t *testing.T) {
	longtest.Only(t)
	for name, content := range victims(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.arrow")
			for length := range content {
				if length > 40 && length < len(content)-40 && length%13 != 0 {
					continue
				}
				must.Do(t, os.WriteFile(path, content[:length], 0o644))
				_, err := consume(t, path)
				want := "cut short"
				if length == 0 {
					want = "is empty"
				}
				if !strings.Contains(reason(err, path), want) {
					t.Errorf("%d of %d bytes: error %v, want %q", length, len(content), err, want)
				}
			}
		})
	}
}

// patch is a file with its parts at hand, to be changed in place.
type patch struct {
	content []byte
	start   int       // of the footer
	footer  flatTable // in content[start:]
}

func newPatch(t *testing.T, content []byte) *patch {
	t.Helper()
	content = bytes.Clone(content)
	end := len(content) - tailBytes
	start := end - int(binary.LittleEndian.Uint32(content[end:]))
	return &patch{content, start, newFlatbuffer(content[start:end]).root()}
}

// block returns the 24 bytes that say where a batch is.
func (p *patch) block(list, i int) []byte {
	first, _ := p.footer.vector(list, 24)
	return p.content[p.start+first+24*i:][:24]
}

// batch returns the description of a batch of rows.
func (p *patch) batch(i int) flatTable {
	offset := int(binary.LittleEndian.Uint64(p.block(footerRecords, i)))
	message := newFlatbuffer(p.content[offset+8:]).root()
	batch, _ := message.table(messageHeader)
	return batch
}

// buffer returns the bytes from the start of a buffer of the first batch on.
func (p *patch) buffer(i int) []byte {
	first, _ := p.batch(0).vector(batchBuffers, 16)
	return p.content[p.body()+uint64(p.batch(0).int64(first+16*i)):]
}

// body returns the position of the first batch's buffers.
func (p *patch) body() uint64 {
	block := p.block(footerRecords, 0)
	return binary.LittleEndian.Uint64(block) + uint64(binary.LittleEndian.Uint32(block[8:]))
}

// seal makes the checksums fit again.
func (p *patch) seal() {
	sums := []uint32{}
	start := p.start - int(checksBytes(1))
	sums = append(sums, crc32.Checksum(p.content[:start], castagnoli))
	copy(p.content[start:], appendChecks(nil, sums, p.footer.bytes))
}

// field returns the description of a column.
func (p *patch) field(column int) flatTable {
	schema, _ := p.footer.table(footerSchema)
	fields, _ := schema.vector(schemaFields, 4)
	return schema.tableAt(fields + 4*column)
}

// setType sets the code of a column's type.
func (p *patch) setType(column int, code byte) {
	field := p.field(column)
	field.bytes[field.field(fieldTypeCode, 1)] = code
}

// setDetail sets a number of 4 bytes, or of 2, that a column's type has.
func (p *patch) setDetail(column, index, size int, number uint32) {
	details, _ := p.field(column).table(fieldType)
	at := details.bytes[details.field(index, size):]
	if size == 2 {
		binary.LittleEndian.PutUint16(at, uint16(number))
		return
	}
	binary.LittleEndian.PutUint32(at, number)
}

func put(t flatTable, at int, number uint64) {
	binary.LittleEndian.PutUint64(t.bytes[at:], number)
}

// TestMadeUpFiles tries what chance does not find: files that are in order as
// far as a machine reads them, but not possible.
func TestMadeUpFiles(t *testing.T) {
	files := victims(t)
	for _, test := range []struct {
		name, file, want string
		change           func(p *patch)
	}{
		{"rows twice", "pyarrow-uncompressed", "not where it should be", func(p *patch) {
			copy(p.block(footerRecords, 1), p.block(footerRecords, 0))
		}},
		{"batch in the footer", "own", "not where it should be", func(p *patch) {
			binary.LittleEndian.PutUint64(p.block(footerRecords, 0), uint64(p.start)&^7)
		}},
		{"more rows", "own", "array of length 20", func(p *patch) {
			put(p.batch(0), p.batch(0).field(batchLength, 8), 21)
		}},
		{"fewer rows", "own", "array of length 20", func(p *patch) {
			put(p.batch(0), p.batch(0).field(batchLength, 8), 19)
		}},
		{"overlapping buffers", "own", "overlap", func(p *patch) {
			first, count := p.batch(0).vector(batchBuffers, 16)
			for i := range count {
				put(p.batch(0), first+16*i, 0)
				put(p.batch(0), first+16*i+8, 160)
			}
		}},
		{"huge once inflated", "pyarrow-lz4", "a buffer takes more than 128 MiB", func(p *patch) {
			binary.LittleEndian.PutUint64(p.buffer(1), 1<<40)
		}},
		{"negative once inflated", "pyarrow-lz4", "a buffer takes more than 128 MiB", func(p *patch) {
			binary.LittleEndian.PutUint64(p.buffer(1), 1<<64-2)
		}},
		{"huge together", "pyarrow-lz4", "a batch takes more than 128 MiB", func(p *patch) {
			binary.LittleEndian.PutUint64(p.buffer(1), 100<<20)
			binary.LittleEndian.PutUint64(p.buffer(3), 100<<20)
		}},
		{"huge window", "pyarrow-zstd", "more than 128 MiB of memory", func(p *patch) {
			copy(p.buffer(1)[8+4:], []byte{0x00, 0xFF}) // after the size and the magic number
		}},
		{"schema in itself", "own", "damaged", func(p *patch) {
			field := p.field(5) // the vector, which has a child
			children, _ := field.vector(fieldChildren, 4)
			binary.LittleEndian.PutUint32(field.bytes[children:], uint32(field.position-children))
		}},
		{"missing dictionary", "own", "dictionary", func(p *patch) {
			first, _ := p.footer.vector(footerDictionaries, 24)
			binary.LittleEndian.PutUint32(p.footer.bytes[first-4:], 0)
		}},
		{"dictionary as rows", "own", "batch of rows", func(p *patch) {
			copy(p.block(footerRecords, 0), p.block(footerDictionaries, 0))
		}},
		{"more nulls than rows", "own", "with 21 nulls", func(p *patch) {
			first, _ := p.batch(0).vector(batchNodes, 16)
			put(p.batch(0), first+8, 21)
		}},
		{"short buffer", "own", "72 bytes instead of 80", func(p *patch) {
			first, _ := p.batch(0).vector(batchBuffers, 16)
			put(p.batch(0), first+16+8, 72)
		}},
		{"buffer outside", "own", "outside its batch", func(p *patch) {
			first, _ := p.batch(0).vector(batchBuffers, 16)
			put(p.batch(0), first+16, 1<<40)
		}},
		{"two lengths", "own", "two lengths", func(p *patch) {
			block := p.block(footerRecords, 0)
			binary.LittleEndian.PutUint64(block[16:], binary.LittleEndian.Uint64(block[16:])-8)
		}},
		{"two header lengths", "own", "does not begin as one", func(p *patch) {
			content := p.content[binary.LittleEndian.Uint64(p.block(footerRecords, 0)):]
			binary.LittleEndian.PutUint32(content[4:], binary.LittleEndian.Uint32(content[4:])-8)
		}},
		{"endless lists", "own", "lists of length 1048577", func(p *patch) {
			p.setDetail(5, listLength, 4, maxLength+1)
		}},
		{"empty lists", "own", "lists of length 0", func(p *patch) { p.setDetail(5, listLength, 4, 0) }},
		{"type 255", "own", "has no type", func(p *patch) { p.setType(0, 255) }},
		{"type 27, after the last", "own", "has no type", func(p *patch) { p.setType(0, 27) }},
		{"type 26, the last", "own", "values of type large list view", func(p *patch) { p.setType(0, 26) }},
		{"type 0, the first", "own", "values of type none", func(p *patch) { p.setType(0, 0) }},
		{"no details of the type", "own", "has no type", func(p *patch) {
			field := p.field(0)
			binary.LittleEndian.PutUint16(field.bytes[field.fields+4+2*fieldType:], 0)
		}},
		{"texts of Polars", "own", "CompatLevel.oldest", func(p *patch) { p.setType(0, typeTextView) }},
		{"integers of 24 bits", "own", "numbers of 24 bits", func(p *patch) {
			p.setDetail(0, integerBits, 4, 24)
		}},
		{"numbers of 128 bits", "own", "numbers of 128 bits", func(p *patch) {
			p.setDetail(2, floatingPrecision, 2, 3)
		}},
		{"a dictionary of truth values", "own", "something other than texts", func(p *patch) {
			p.setType(4, typeBoolean)
		}},
		{"a dictionary's index of 24 bits", "own", "no index type", func(p *patch) {
			encoding, _ := p.field(4).table(fieldDictionary)
			index, _ := encoding.table(encodingIndex)
			binary.LittleEndian.PutUint32(index.bytes[index.field(integerBits, 4):], 24)
		}},
		{"one name twice", "own", `two columns with the name "p"`, func(p *patch) {
			field := p.field(0)
			name, _ := field.vector(fieldName, 1) // "dim"
			copy(field.bytes[name-4:], append(words(1), 'p'))
		}},
		{"code without label", "own", "code 100 for 4 labels", func(p *patch) {
			p.buffer(9)[0] = 100
		}},
		{"big-endian", "own", "big-endian", func(p *patch) {
			schema, _ := p.footer.table(footerSchema)
			// The field is left out, which means little-endian: take the
			// place of another.
			list := schema.bytes[schema.fields:]
			copy(list[4:6], list[6:8])
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPatch(t, files[test.file])
			test.change(p)
			if test.file == "own" {
				p.seal()
			}
			if bytes.Equal(p.content, files[test.file]) {
				t.Fatal("nothing was changed")
			}
			path := filepath.Join(t.TempDir(), "t.arrow")
			must.Do(t, os.WriteFile(path, p.content, 0o644))
			if _, err := consume(t, path); !strings.Contains(reason(err, path), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestNotArrow(t *testing.T) {
	folder := t.TempDir()
	for content, want := range map[string]string{
		"":                                 "is empty",
		"A":                                "cut short",
		"ARROW1":                           "cut short",
		"ARROW1\x00\x00ARROW1":             "cut short",
		"a,b\n1,2\n":                       "is not an Arrow file",
		"PAR1":                             "is a Parquet file; must be an Arrow file",
		"ARROW2" + strings.Repeat("-", 50): "is not an Arrow file",
		"ARROW1\x00\x00" + strings.Repeat("\x00", 40) + "ARROW1": "footer cannot have 0 bytes",
		"ARROW1\x00\x00" + strings.Repeat("\xff", 40) +
			"ARROW1": "footer cannot have 4294967295 bytes",
		"ARROW1\x00\x00" + strings.Repeat("\xff", 40) + "\x28\x00\x00\x00ARROW1": "footer is broken",
		"ARROW1\x00\x00" + strings.Repeat("\x00", 40) + "\x28\x00\x00\x00ARROW1": "footer has no schema",
		"ARROW1\x00\x00" + strings.Repeat("\x00", 40) +
			"\x2a\x00\x00\x00ARROW1": "footer cannot have 42 bytes",
	} {
		path := filepath.Join(folder, "t.arrow")
		must.Do(t, os.WriteFile(path, []byte(content), 0o644))
		if _, err := consume(t, path); !strings.Contains(reason(err, path), want) {
			t.Errorf("%q: error %v, want %q", content, err, want)
		}
	}
}

func TestNotFiles(t *testing.T) {
	folder := t.TempDir()
	for path, want := range map[string]string{
		folder:                        "FILE: is a folder",
		os.DevNull:                    "FILE: is not a regular file",
		filepath.Join(folder, "none"): "FILE: no such file",
		"":                            "no such file",
	} {
		if _, err := Open(path); err == nil || path != "" && !strings.Contains(reason(err, path), want) {
			t.Errorf("%q: error %v, want %q", path, err, want)
		}
	}
}

// A footer of 17 MiB of zeros, none of which takes room on the disk.
func TestHugeFooter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	const footer = 17 << 20
	head, tail := []byte("ARROW1\x00\x00"), append(words(footer), magic...)
	must.Do(t, os.WriteFile(path, head, 0o644))
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	must.Get(file.WriteAt(tail, int64(len(head)+footer)))(t)
	_, err = consume(t, path)
	if got := reason(err, path); !strings.Contains(got, "footer cannot have 17825792 bytes") {
		t.Errorf("error %q", got)
	}
}

// To fuzz, add -fuzzminimizetime 10x: making an input smaller takes a minute by
// default, because the coverage of decoders that run side by side varies.
func FuzzReader(f *testing.F) {
	for _, content := range victims(f) {
		f.Add(content)
	}
	f.Add([]byte(fmt.Sprintf("ARROW1\x00\x00%040d\x28\x00\x00\x00ARROW1", 0)))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "t.arrow")
		must.Do(t, os.WriteFile(path, content, 0o644))
		if _, err := consume(t, path); err == nil {
			writeOut(t, path)
		}
	})
}

// The schema of a stream has no body; in a message that says so it is refused.
func TestSchemaOfAStreamWithABody(t *testing.T) {
	file := must.Get(os.Open("testdata/stream.arrow"))(t)
	defer file.Close()
	head := make([]byte, 8)
	must.Get(file.ReadAt(head, 0))(t)
	s := &structure{file: file, stream: true, dictionaries: map[int64]int64{}}
	message := must.Get(s.readMessage(0, int64(binary.LittleEndian.Uint32(head[4:]))+8))(t)
	if err := s.take(message, 0, 8); err == nil || s.columns != nil {
		t.Errorf("a schema with a body of 8 bytes: %v", err)
	}
	if err := s.take(message, 0, 0); err != nil || s.columns == nil {
		t.Errorf("without: %v", err)
	}
}
