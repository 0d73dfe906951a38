package arrays

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// An archive without arrays, a header of more bytes than allowed, and names that are not texts are refused.
func TestHeadersThatAreRefused(t *testing.T) {
	var empty bytes.Buffer
	must.Do(t, zip.NewWriter(&empty).Close())
	length := func(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
	framed := func(header string) []byte {
		return append(length(uint64(len(header))), header...)
	}
	for name, c := range map[string]struct {
		content []byte
		size    int64 // of the file, which ends with zeros
		want    string
	}{
		"empty.npz":               {empty.Bytes(), 0, "has no arrays"},
		"large.safetensors":       {length(mostHeader + 1), mostHeader + 10, "has a header of"},
		"largest.safetensors":     {length(1 << 20), 1<<20 + 8, "its header is not JSON"},
		"name.safetensors":        {framed(`{1:2}`), 0, "its header is not JSON"},
		"half a name.safetensors": {framed(`{"a`), 0, "its header is not JSON"},
	} {
		path := filepath.Join(t.TempDir(), name)
		must.Do(t, os.WriteFile(path, c.content, 0o666))
		if c.size > 0 {
			must.Do(t, os.Truncate(path, c.size))
		}
		file, err := Open(path, Any)
		if err == nil {
			file.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
