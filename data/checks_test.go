package data

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// A flipped bit in any batch is an error of that batch, not of those before it.
func TestFlippedBitInEveryBatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	content := mustWrite(t, path, sample(3*maxBatchRows+5))
	s, err := readStructure(bytes.NewReader(content), int64(len(content)))
	if err != nil || len(s.ends) != 4 || len(s.sums) != 4 {
		t.Fatalf("batches to %d with sums %x, %v", s.ends, s.sums, err)
	}
	random := rand.New(rand.NewPCG(7, 8))
	start := int64(0)
	for batch, end := range s.ends {
		at := end - 1 - random.Int64N((end-start)/4) // among the values
		bit := byte(1) << random.IntN(8)
		content[at] ^= bit
		must.Do(t, os.WriteFile(path, content, 0o644))
		rows, err := readAll(path)
		if want := batch * maxBatchRows; rows != want ||
			!strings.Contains(reason(err, path), "does not have its checksum") {
			t.Errorf("batch %d damaged: %d rows read, want %d, error %v", batch, rows, want, err)
		}
		content[at] ^= bit
		start = end
	}
}

// readAll returns the number of rows before an error.
func readAll(path string) (rows int, err error) {
	r, err := Open(path)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for {
		table, err := r.Next()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows += table.Rows()
	}
}

// A file whose checksums were cut out is refused; one that never had any is read.
func TestMissingChecksums(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	content := mustWrite(t, path, sample(20))
	p := newPatch(t, content)
	cut := append(bytes.Clone(content[:p.start-int(checksBytes(1))]), content[p.start:]...)
	mark := []byte(`"checksum":"crc32c"`)
	for name, test := range map[string]struct {
		content []byte
		want    string
	}{
		"cut out":   {cut, "checksums are missing"},
		"never had": {bytes.ReplaceAll(cut, mark, bytes.Repeat([]byte(" "), len(mark))), ""},
	} {
		must.Do(t, os.WriteFile(path, test.content, 0o644))
		_, err := consume(t, path)
		if got := reason(err, path); !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s: error %q, want %q", name, got, test.want)
		}
	}
}
