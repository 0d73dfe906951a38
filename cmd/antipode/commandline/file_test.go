package commandline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// The arguments in a file are inserted in its place, and an argument that begins with @ elsewhere is no file
// of arguments. Of a file that is too long, no more is read than needed to see that.
func TestFileOfArguments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arguments")
	must.Do(t, os.WriteFile(path, []byte(` ["--beta", "0.5, 1", ""] `), 0o600))
	for _, line := range [][2]string{
		{"antipode", "antipode"},
		{"antipode @none", "antipode @none"},
		{"antipode phase --out @none", "antipode phase --out @none"},
		{"antipode phase @" + path + " --dim 4", "antipode phase --beta 0.5, 1  --dim 4"},
	} {
		got, err := WithFile(strings.Split(line[0], " "))
		if err != nil || strings.Join(got, " ") != line[1] {
			t.Errorf("%s stands for %q, error %v", line[0], got, err)
		}
	}
	words := []string{"antipode", "phase", "@" + path}
	if got, _ := WithFile(words); !slices.Contains(got, "0.5, 1") {
		t.Errorf("%q", got)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip(err) // the file system has no sparse files
	}
	const longer = "is longer than 67108864 bytes"
	if _, err := WithFile(words); err == nil ||
		!strings.HasSuffix(err.Error(), longer) {
		t.Errorf("a file of a terabyte: %v", err)
	}
}
