package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"antipode/sphere/must"
)

// write writes a file.
func write(path, text string) error {
	r, err := NewReplacement(path)
	if err != nil {
		return err
	}
	if _, err := r.Write([]byte(text)); err != nil {
		return Join(err, r.Abort())
	}
	return r.Commit()
}

func mustWrite(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, write(path, text))
}

func TestCreateErrors(t *testing.T) {
	folder := t.TempDir()
	plain := filepath.Join(folder, "plain")
	must.Do(t, os.WriteFile(plain, nil, 0o644))
	for path, want := range map[string]string{
		"":                                      "name is empty",
		folder:                                  "is a folder",
		folder + "/":                            "is a folder",
		filepath.Join(folder, "no", "t"):        "no such file",
		filepath.Join(plain, "t"):               "not a directory",
		os.DevNull:                              "is not a regular file",
		"bad\x00name":                           "invalid argument",
		folder + "/" + strings.Repeat("a", 300): "name too long",
	} {
		r, err := NewReplacement(path)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: replacement %v, error %v, want %q", path, r, err, want)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("files %v, %v", entries, err)
	}
}

func TestCreateInReadOnlyFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "locked")
	must.Do(t, os.Mkdir(folder, 0o555))
	probe := filepath.Join(folder, "probe")
	if os.WriteFile(probe, nil, 0o644) == nil {
		// Permissions do not bind root; a folder of the kernel's does.
		folder = "/proc/self/fd"
		if _, err := os.Stat(folder); err != nil {
			t.Skip("no folder here is read-only for this user")
		}
	}
	if _, err := NewReplacement(filepath.Join(folder, "t.arrow")); err == nil {
		t.Error("no error")
	}
}

// permissions returns those that a new file gets here, given those asked for.
func permissions(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info := must.Get(os.Stat(path))(t)
	return info.Mode().Perm()
}

func TestPermissions(t *testing.T) {
	folder := t.TempDir()
	plain := must.Get(os.Create(filepath.Join(folder, "plain")))(t)
	plain.Close()
	path := filepath.Join(folder, "t.arrow")
	mustWrite(t, path, "1")
	if got, want := permissions(t, path), permissions(t, plain.Name()); got != want {
		t.Errorf("permissions %v, os.Create gives %v", got, want)
	}
	must.Do(t, os.Chmod(path, 0o640))
	mustWrite(t, path, "1")
	if got := permissions(t, path); got != 0o640 {
		t.Errorf("permissions %v after replacing a file with -rw-r-----", got)
	}
}

func TestLinkStaysLink(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(folder, "store"), 0o755))
	target, link := filepath.Join(folder, "store", "t.arrow"), filepath.Join(folder, "link.arrow")
	mustWrite(t, target, "1")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	mustWrite(t, link, "2")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "2" {
		t.Errorf("the file was not replaced: %q, %v", text, err)
	}
}

// The second of two writers is refused, until the first has ended.
func TestTwoWritersOfOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	first := must.Get(NewReplacement(path))(t)
	if _, err := NewReplacement(path); !errors.Is(err, ErrLocked) {
		t.Errorf("a second writer: %v", err)
	}
	must.Get(first.Write([]byte("1")))(t)
	must.Do(t, first.Commit())
	if text, err := os.ReadFile(path); err != nil || string(text) != "1" {
		t.Errorf("the first writer's file: %q, %v", text, err)
	}
	mustWrite(t, path, "2")
}

// What a writer left that was killed is used again: it is no lock, and nothing of it
// stays.
func TestRemainsOfADeadWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	must.Do(t, os.WriteFile(temporaryName(path), make([]byte, 1_000_000), 0o644))
	mustWrite(t, path, "whole")
	if text, err := os.ReadFile(path); err != nil || string(text) != "whole" {
		t.Errorf("the file is %.20q, %v", text, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("files left: %v", entries)
	}
}

// A link in place of the temporary file would have its target overwritten.
func TestLinkInTheWay(t *testing.T) {
	folder := t.TempDir()
	path, precious := filepath.Join(folder, "t.arrow"), filepath.Join(folder, "precious")
	must.Do(t, os.WriteFile(precious, []byte("old"), 0o644))
	if err := os.Symlink(precious, temporaryName(path)); err != nil {
		t.Skip(err)
	}
	if _, err := NewReplacement(path); err == nil ||
		!strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(precious); err != nil || string(text) != "old" {
		t.Errorf("%q, %v", text, err)
	}
}

// However many writers there are, the file is whole at every moment.
func TestManyWritersOfOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	mustWrite(t, path, strings.Repeat("0", 10_000))
	var group sync.WaitGroup
	var refused atomic.Int64
	for k := range 4 {
		group.Go(func() {
			for range 50 {
				err := write(path, strings.Repeat(strconv.Itoa(k), 10_000))
				if errors.Is(err, ErrLocked) {
					refused.Add(1)
				} else if err != nil {
					t.Error(err)
				}
				text, err := os.ReadFile(path)
				if err != nil || strings.Count(string(text), string(text[:1])) != 10_000 {
					t.Errorf("%.20q, %v", text, err)
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d of 200 writers were refused", refused.Load())
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("files left: %v", entries)
	}
}

func TestJoin(t *testing.T) {
	a, b := errors.New("a"), errors.New("b")
	if err := Join(nil, nil); err != nil {
		t.Error(err)
	}
	err := Join(nil, a, nil, b)
	if !errors.Is(err, a) || !errors.Is(err, b) || err.Error() != "a; b" {
		t.Error(err)
	}
}

func TestReplacement(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write := func(text string) *Replacement {
		r := must.Get(NewReplacement(path))(t)
		must.Get(r.Write([]byte(text)))(t)
		return r
	}
	r := write("old")
	must.Do(t, r.Commit())
	if err := r.Abort(); err != nil {
		t.Errorf("Abort after Commit: %v", err)
	}
	r = write("new")
	for range 2 {
		if err := r.Abort(); err != nil {
			t.Errorf("Abort: %v", err)
		}
	}
	must.Do(t, (*Replacement)(nil).Abort())
	if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
		t.Errorf("file %q, %v", text, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("files left: %v", entries)
	}
}

// A link to a file that is not there yet leads to it afterwards.
func TestLinkToNewFile(t *testing.T) {
	folder := t.TempDir()
	for link, target := range map[string]string{"near": "new.txt",
		"far": filepath.Join(folder, "newer.txt")} {
		link = filepath.Join(folder, link)
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
		r := must.Get(NewReplacement(link))(t)
		must.Get(r.Write([]byte(target)))(t)
		must.Do(t, r.Commit())
		if content, err := os.ReadFile(filepath.Join(folder, filepath.Base(target))); err != nil ||
			string(content) != target {
			t.Errorf("%s: %q, %v", target, content, err)
		}
	}
}

// closing is a file that says whether it stands under its name when it is closed.
type closing struct {
	path  string
	there bool
}

func (c *closing) Close() error {
	_, err := os.Stat(c.path)
	c.there = err == nil
	return fs.ErrClosed
}

// Where an open file cannot be removed, as on Windows, it is closed before.
func TestRemovedFilesAreClosedInTime(t *testing.T) {
	for _, whileOpen := range []bool{false, true} {
		file := &closing{path: filepath.Join(t.TempDir(), "f")}
		must.Do(t, os.WriteFile(file.path, nil, 0o666))
		if err := removeAndClose(file.path, file, whileOpen); err != nil || file.there == whileOpen {
			t.Errorf("removed while open: %v: there when it is closed: %v, %v", whileOpen, file.there, err)
		}
		if _, err := os.Stat(file.path); err == nil {
			t.Error("the file is still there")
		}
	}
}
