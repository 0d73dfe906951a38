package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrLocked says that another process is writing a file.
var ErrLocked = errors.New("another process is writing it")

// openLocked opens the regular file at path for reading and writing, or creates the file, and locks the file
// until it is closed. When a process ends in any way, the operating system releases the locks of the process.
// The error of openLocked is ErrLocked if another process holds the lock.
func openLocked(path string) (*File, error) {
	for {
		file, err := open(path, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, err
		}
		if err := lock(file.file); err != nil {
			if !errors.Is(err, ErrLocked) {
				err = fmt.Errorf("lock %s: %w", path, err)
			}
			return nil, Join(err, file.Close())
		}
		same, err := stands(file, path)
		if same && err == nil {
			return file, nil
		}
		if err := Join(err, file.Close()); err != nil {
			return nil, err
		}
		// The process that held the lock before has renamed or removed the file.
	}
}

// stands reports whether an open file still has the given path. A symbolic link at path is an error: somebody
// may have created the link to have another file overwritten.
func stands(file *File, path string) (bool, error) {
	at, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !at.Mode().IsRegular() {
		return false, fmt.Errorf("%s: is not a regular file", path)
	}
	opened, err := file.Stat()
	return err == nil && os.SameFile(at, opened), err
}
