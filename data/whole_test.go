package data

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

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
