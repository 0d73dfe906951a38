package data

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"antipode/data/durable"
	"antipode/sphere/must"
)

// A file is a whole table of a run if it has its metadata and columns, and checksums that fit; that of
// another run is an error.
func TestIsWhole(t *testing.T) {
	folder := t.TempDir()
	table := sample(20)
	path := filepath.Join(folder, "own.arrow")
	content := mustWrite(t, path, table)
	if whole, err := IsWhole(path, table.Schema); !whole || err != nil {
		t.Errorf("own: %v, %v", whole, err)
	}
	other := table.Schema
	other.Metadata = append(slices.Clone(other.Metadata), Entry{"more", "1"})
	var foreign *OtherRunError
	if whole, err := IsWhole(path, other); whole || !errors.As(err, &foreign) || foreign.Path != path ||
		!slices.Equal(foreign.Metadata, table.Schema.Metadata) {
		t.Errorf("of another run: %v, %v", whole, err)
	}
	fewer := table.Schema
	fewer.Columns = fewer.Columns[1:]
	if whole, err := IsWhole(path, fewer); whole || err != nil {
		t.Errorf("other columns: %v, %v", whole, err)
	}
	p := newPatch(t, content)
	cut := append(bytes.Clone(content[:p.start-int(checksBytes(1))]), content[p.start:]...)
	mark := []byte(`"checksum":"crc32c"`)
	never := bytes.ReplaceAll(cut, mark, bytes.Repeat([]byte(" "), len(mark)))
	flipped := newPatch(t, content)
	flipped.buffer(1)[0] ^= 1
	for name, bytes := range map[string][]byte{
		"checksums cut out": cut, "never any checksums": never, "a flipped bit": flipped.content,
		"half": content[:len(content)/2], "empty": {}, "notes": []byte("notes"),
		"of another program": must.Get(os.ReadFile("testdata/pandas.arrow"))(t),
	} {
		path := filepath.Join(folder, name)
		must.Do(t, os.WriteFile(path, bytes, 0o666))
		if whole, err := IsWhole(path, table.Schema); whole || err != nil {
			t.Errorf("%s: %v, %v", name, whole, err)
		}
	}
	for _, path := range []string{folder, filepath.Join(folder, "missing")} {
		if whole, err := IsWhole(path, table.Schema); whole || err != nil {
			t.Errorf("%s: %v, %v", path, whole, err)
		}
	}
}

// All batches are compared with their checksums, not only the first, and the file is closed.
func TestIsWholeReadsEveryBatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	table := sample(65536 + 10)
	content := mustWrite(t, path, table)
	closed := false
	t.Cleanup(func() { durable.Inject(nil) })
	durable.Inject(func(operation, _ string) error {
		closed = closed || operation == "close"
		return nil
	})
	if whole, err := IsWhole(path, table.Schema); !whole || err != nil || !closed {
		t.Errorf("whole %v, closed %v, %v", whole, closed, err)
	}
	durable.Inject(nil)
	p := newPatch(t, content)
	if p.batches() != 2 {
		t.Fatalf("%d batches", p.batches())
	}
	for batch := range p.batches() {
		block := p.block(footerRecords, batch)
		at := binary.LittleEndian.Uint64(block) + uint64(binary.LittleEndian.Uint32(block[8:]))
		flipped := bytes.Clone(content)
		flipped[at+3] ^= 1
		must.Do(t, os.WriteFile(path, flipped, 0o666))
		if whole, err := IsWhole(path, table.Schema); whole || err != nil {
			t.Errorf("a flipped bit in batch %d: whole %v, %v", batch, whole, err)
		}
	}
}

// batches returns the number of batches of rows.
func (p *patch) batches() int {
	_, count := p.footer.vector(footerRecords, 24)
	return count
}
