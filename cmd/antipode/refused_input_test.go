package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// A run that its input refuses after some of its work cannot finish, so that it leaves nothing, and nobody is
// told to resume it.
func TestRefusedInputLeavesNothing(t *testing.T) {
	content := must.Get(os.ReadFile(filepath.FromSlash(
		"../../experiments/measure/hidden/testdata/float16.npy")))(t)
	binary.LittleEndian.PutUint16(content[len(content)-2:], 0x7E00) // NaN as the last number
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("nan.npy", content, 0o666))
	var stdout, stderr bytes.Buffer
	code := execute(t.Context(), []string{"antipode", "measure", "nan.npy", "--out", "m.csv"}, &stdout,
		&stderr)
	if said := stderr.String(); code != exitUsage || !strings.Contains(said, "is not finite") ||
		strings.Contains(said, "--resume") {
		t.Errorf("code %d: %s", code, said)
	}
	if left := must.Get(os.ReadDir("."))(t); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}
