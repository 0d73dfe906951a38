package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Replacement is a new file on its way to a path: written under a temporary
// name in the same folder, and given its own name only when it is whole and
// synced. A Writer's table is one; figures and other small files can be too.
//
// The temporary name follows from the path, and the file is locked: of two processes
// that write one file the second is refused, and what a process left that was killed
// is used again.
type Replacement struct {
	path      string // where it will stand
	temporary string // where it is now
	file      *File
	folder    *File
	finished  bool
}

// NewReplacement creates the temporary file. If the path is a link, its target is replaced and the link
// stays a link. The new file has the permissions of the replaced file. It is an error if the folder is
// missing or cannot be written to, if something at path is not a regular file, or, ErrLocked, if another
// Replacement is on its way there.
func NewReplacement(path string) (*Replacement, error) {
	mode, err := existingMode(path)
	if err != nil {
		return nil, err
	}
	path = destination(path)
	// Opened now, so that a missing folder is found before any work.
	folder, err := Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	name := temporaryName(path)
	file, err := openLocked(name)
	if err != nil {
		return nil, Join(err, folder.Close())
	}
	r := &Replacement{path: path, temporary: name, file: file, folder: folder}
	if err := file.truncate(0); err != nil { // what a process left that died
		return nil, Join(err, r.Abort())
	}
	if mode != 0 {
		if err := file.chmod(mode); err != nil {
			return nil, Join(err, r.Abort())
		}
	}
	return r, nil
}

// destination is what a path leads to that may be a link, also one to a file that is not
// there yet.
func destination(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	target, err := os.Readlink(path)
	switch {
	case err != nil:
		return path
	case filepath.IsAbs(target):
		return target
	}
	return filepath.Join(filepath.Dir(path), target)
}

func temporaryName(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".writing")
}

// existingMode returns the permissions of the regular file at path, 0 if there
// is none yet, and an error if something else is there.
func existingMode(path string) (fs.FileMode, error) {
	info, err := os.Stat(path)
	switch {
	case path == "":
		return 0, errors.New("the name is empty")
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	case info.IsDir():
		return 0, fmt.Errorf("%s: is a folder", path)
	case !info.Mode().IsRegular():
		return 0, fmt.Errorf("%s: is not a regular file", path)
	}
	return info.Mode().Perm(), nil
}

// Write writes the next bytes of the file.
func (r *Replacement) Write(p []byte) (int, error) { return r.file.Write(p) }

// Commit syncs the file and gives it its name. If that fails the file is gone; only
// when the folder cannot be synced or the file not be closed, the last things to do, is
// the whole file there already.
func (r *Replacement) Commit() error {
	err := r.file.sync()
	if !renamesOpen {
		err = Join(err, r.file.Close())
	}
	if err == nil {
		err = rename(r.temporary, r.path)
	}
	if err != nil {
		return Join(err, r.Abort())
	}
	r.finished = true
	if err = r.folder.sync(); syncUnknown(err) {
		err = nil
	}
	if renamesOpen {
		err = Join(err, r.file.Close())
	}
	return Join(err, r.folder.Close())
}

// syncUnknown reports whether an error of syncing a folder says only that the
// system has no such thing.
func syncUnknown(err error) bool {
	return runtime.GOOS == "windows" || errors.Is(err, syscall.EINVAL) ||
		errors.Is(err, errors.ErrUnsupported)
}

// Abort removes the file. After Commit, or a second time, it does nothing, so that
// it can be deferred.
func (r *Replacement) Abort() error {
	if r.finished {
		return nil
	}
	r.finished = true
	return Join(removeAndClose(r.temporary, r.file, renamesOpen), r.folder.Close())
}

// removeAndClose removes a file that may be closed already: while it is open where that can be, so that
// nobody may have it between.
func removeAndClose(path string, file io.Closer, whileOpen bool) error {
	var removed error
	if whileOpen {
		removed = Remove(path)
	}
	closed := file.Close()
	if errors.Is(closed, fs.ErrClosed) {
		closed = nil
	}
	if !whileOpen {
		removed = Remove(path)
	}
	return Join(closed, removed)
}
