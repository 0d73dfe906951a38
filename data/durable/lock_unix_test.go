//go:build unix

package durable

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"antipode/sphere/must"
)

// An open file stands at its path until it is removed or another one has its name. A link is refused, and so
// is a path that cannot be looked up.
func TestFilesStandAtTheirPaths(t *testing.T) {
	folder := t.TempDir()
	path, other := filepath.Join(folder, "f"), filepath.Join(folder, "other")
	must.Do(t, errors.Join(os.WriteFile(path, nil, 0o666), os.WriteFile(other, nil, 0o666)))
	file := must.Get(Open(path))(t)
	defer file.Close()
	check := func(what, path string, want bool) {
		t.Helper()
		if got, err := stands(file, path); got != want || err != nil {
			t.Errorf("%s: %v, error %v", what, got, err)
		}
	}
	check("the file", path, true)
	check("another file", other, false)
	check("no file", filepath.Join(folder, "none"), false)
	if got, err := stands(file, filepath.Join(other, "f")); got || !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("in a file: %v, error %v", got, err)
	}
	link := filepath.Join(folder, "link")
	must.Do(t, os.Symlink(path, link))
	if got, err := stands(file, link); got || err == nil || err.Error() != link+": is not a regular file" {
		t.Errorf("a link: %v, error %v", got, err)
	}
	must.Do(t, os.Remove(path))
	check("a removed file", path, false)
}
