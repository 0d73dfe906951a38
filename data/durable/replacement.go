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

// Replacement is a new file that will replace the file at a path. A Replacement is written under a temporary
// name in the same folder, and gets its final name only when it is complete and synced. A data.Writer writes
// its table as a Replacement; figures and other small files can be written as Replacements too.
//
// The temporary name follows from the path, and the temporary file is locked. If two processes write the same
// file, the second process is refused. A temporary file that a killed process has left is used again.
type Replacement struct {
	path      string // final path of the file
	temporary string // path of the temporary file
	file      *File
	folder    *File
	finished  bool
}

// NewReplacement creates the temporary file of a Replacement of the file at path. If the path is a symbolic
// link, the target of the link is replaced and the link stays. The new file has the permissions of the
// replaced file. NewReplacement returns an error if the folder is missing or cannot be written to, or if
// something at path is not a regular file. The error of NewReplacement is ErrLocked if another Replacement
// for the path exists.
func NewReplacement(path string) (*Replacement, error) {
	mode, err := existingMode(path)
	if err != nil {
		return nil, err
	}
	path = destination(path)
	// The folder is opened before the file is written, so that a missing folder is found before any work is
	// done.
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
	if err := file.truncate(0); err != nil { // remove what a killed process may have left
		return nil, Join(err, r.Abort())
	}
	if mode != 0 {
		if err := file.chmod(mode); err != nil {
			return nil, Join(err, r.Abort())
		}
	}
	return r, nil
}

// destination returns the path of the file to which path leads: path itself or, if path is a symbolic link,
// the target of the link, which need not exist.
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

// existingMode returns the permissions of the regular file at path, or 0 if no file is at path. existingMode
// returns an error if something other than a regular file is at path.
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

// Write writes the next bytes of the new file.
func (r *Replacement) Write(p []byte) (int, error) { return r.file.Write(p) }

// Commit syncs the new file, gives the file its final name, syncs the folder and closes the file. If syncing
// the folder or closing the file fails, the complete file already has its final name, and stays. If an
// earlier operation fails, the new file is removed.
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

// syncUnknown reports whether err, an error of syncing a folder, says only that this system cannot sync
// folders.
func syncUnknown(err error) bool {
	return runtime.GOOS == "windows" || errors.Is(err, syscall.EINVAL) ||
		errors.Is(err, errors.ErrUnsupported)
}

// Abort removes the temporary file. Abort after Commit or after Abort does nothing, so that Abort can be
// deferred. Abort of nil does nothing.
func (r *Replacement) Abort() error {
	if r == nil || r.finished {
		return nil
	}
	r.finished = true
	return Join(removeAndClose(r.temporary, r.file, renamesOpen), r.folder.Close())
}

// removeAndClose removes and closes a file, which may be closed already. If whileOpen, the file is removed
// while it is open, so that no other process can take the file in between.
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
