package measure

import (
	"os"
	"path/filepath"
	"testing"

	"antipode/sphere/must"
)

// The checksum of an index also depends on the contents of the files that it names.
func TestChecksumOfShards(t *testing.T) {
	folder := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		path := filepath.Join(folder, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	index := put("m.safetensors.index.json", `{"weight_map":{"a":"1.safetensors","b":"2.safetensors"}}`)
	seen := map[string]bool{}
	for _, text := range []string{"one", "two"} {
		put("1.safetensors", text)
		put("2.safetensors", "the same")
		sum, err := checksum(index, "")
		if err != nil || seen[sum] {
			t.Errorf("checksum %q, error %v", sum, err)
		}
		seen[sum] = true
	}
	must.Do(t, os.Remove(filepath.Join(folder, "2.safetensors")))
	if _, err := checksum(index, ""); err == nil {
		t.Error("a file that is missing has a checksum")
	}
}
