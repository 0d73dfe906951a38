package arrays

import (
	"os"
	"runtime"
	"testing"

	"antipode/sphere/must"
)

// A temporary file has no name from the start, so that a program that is killed leaves nothing, and can be
// read all the same. Windows removes it when it is closed, because no file that is open can be removed there.
func TestTemporaryFileOfAKilledProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files cannot be removed")
	}
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	file := must.Get(TemporaryFile())(t)
	defer file.Close()
	if left := must.Get(os.ReadDir(folder))(t); len(left) > 0 {
		t.Errorf("a killed program would leave %v", left)
	}
	must.Get(file.WriteAt([]byte("numbers"), 3))(t)
	read := make([]byte, 7)
	if _, err := file.ReadAt(read, 3); err != nil || string(read) != "numbers" {
		t.Errorf("%q, %v", read, err)
	}
}
