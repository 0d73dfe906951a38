package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
)

// fault is the function that Inject has set for tests.
var fault atomic.Pointer[func(operation, path string) error]

// Inject sets a function with which tests make file operations fail. The function is called before every
// operation of package durable on a file or folder, from any goroutine. If the function returns an error, the
// operation is not done and fails with this error; only the closing of a file is done all the same. The
// function nil removes the function set before.
func Inject(function func(operation, path string) error) {
	if function == nil {
		fault.Store(nil)
		return
	}
	fault.Store(&function)
}

// failure returns the error with which a test makes the operation on the file or folder at path fail, or nil.
func failure(operation, path string) error {
	function := fault.Load()
	if function == nil {
		return nil
	}
	if err := (*function)(operation, path); err != nil {
		return &fs.PathError{Op: operation, Path: path, Err: err}
	}
	return nil
}

// attempt does an operation on the file or folder at path, unless a test makes the operation fail.
func attempt(operation, path string, do func() error) error {
	if err := failure(operation, path); err != nil {
		return err
	}
	return do()
}

// attemptFor does an operation that has a result, as attempt does one that has none.
func attemptFor[T any](operation, path string, do func() (T, error)) (result T, err error) {
	err = attempt(operation, path, func() (err error) {
		result, err = do()
		return err
	})
	return result, err
}

// File is an open file or folder, whose operations tests can make fail.
type File struct{ file *os.File }

// Open opens the file or folder at path for reading.
func Open(path string) (*File, error) { return open(path, os.O_RDONLY) }

func open(path string, flag int) (*File, error) {
	file, err := attemptFor("open", path, func() (*os.File, error) { return os.OpenFile(path, flag, 0o666) })
	if err != nil {
		return nil, err
	}
	return &File{file}, nil
}

// Name returns the path with which the file was opened.
func (f *File) Name() string { return f.file.Name() }

// Read implements io.Reader.
func (f *File) Read(p []byte) (int, error) {
	return attemptFor("read", f.Name(), func() (int, error) { return f.file.Read(p) })
}

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	return attemptFor("read", f.Name(), func() (int, error) { return f.file.ReadAt(p, offset) })
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	return attemptFor("write", f.Name(), func() (int, error) { return f.file.Write(p) })
}

// Seek implements io.Seeker.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	return attemptFor("seek", f.Name(), func() (int64, error) { return f.file.Seek(offset, whence) })
}

// Stat returns a description of the file, as os.File.Stat does.
func (f *File) Stat() (fs.FileInfo, error) { return attemptFor("stat", f.Name(), f.file.Stat) }

func (f *File) truncate(size int64) error {
	return attempt("truncate", f.Name(), func() error { return f.file.Truncate(size) })
}

func (f *File) chmod(mode fs.FileMode) error {
	return attempt("chmod", f.Name(), func() error { return f.file.Chmod(mode) })
}

func (f *File) sync() error { return attempt("sync", f.Name(), f.file.Sync) }

// Close closes the file, even if a test makes Close return an error.
func (f *File) Close() error { return Join(failure("close", f.Name()), f.file.Close()) }

func rename(from, to string) error {
	return attempt("rename", from, func() error { return os.Rename(from, to) })
}

// Remove removes the file at path. Remove returns no error if the file does not exist.
func Remove(path string) error {
	err := attempt("remove", path, func() error { return os.Remove(path) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// RemoveFolder removes the folder at path with its contents. RemoveFolder returns no error if the folder does
// not exist.
func RemoveFolder(path string) error {
	return attempt("remove", path, func() error { return os.RemoveAll(path) })
}

// MakeFolder creates the folder at path and its parent folders if they do not exist.
func MakeFolder(path string) error {
	return attempt("mkdir", path, func() error { return os.MkdirAll(path, 0o777) })
}

// Join returns an error whose text is the texts of errs on one line, in order, or nil if all errs are nil.
func Join(errs ...error) error {
	var joined error
	for _, err := range errs {
		switch {
		case err == nil:
		case joined == nil:
			joined = err
		default:
			joined = fmt.Errorf("%w; %w", joined, err)
		}
	}
	return joined
}
