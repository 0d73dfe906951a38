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

// attempt returns the error with which a test makes the operation on the file or folder at path fail, or nil.
func attempt(operation, path string) error {
	function := fault.Load()
	if function == nil {
		return nil
	}
	if err := (*function)(operation, path); err != nil {
		return &fs.PathError{Op: operation, Path: path, Err: err}
	}
	return nil
}

// File is an open file or folder, whose operations tests can make fail.
type File struct{ file *os.File }

// Open opens the file or folder at path for reading.
func Open(path string) (*File, error) { return open(path, os.O_RDONLY) }

func open(path string, flag int) (*File, error) {
	if err := attempt("open", path); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return nil, err
	}
	return &File{file}, nil
}

// Name returns the path with which the file was opened.
func (f *File) Name() string { return f.file.Name() }

// Read implements io.Reader.
func (f *File) Read(p []byte) (int, error) {
	if err := attempt("read", f.Name()); err != nil {
		return 0, err
	}
	return f.file.Read(p)
}

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	if err := attempt("read", f.Name()); err != nil {
		return 0, err
	}
	return f.file.ReadAt(p, offset)
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	if err := attempt("write", f.Name()); err != nil {
		return 0, err
	}
	return f.file.Write(p)
}

// Seek implements io.Seeker.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	if err := attempt("seek", f.Name()); err != nil {
		return 0, err
	}
	return f.file.Seek(offset, whence)
}

// Stat returns a description of the file, as os.File.Stat does.
func (f *File) Stat() (fs.FileInfo, error) {
	if err := attempt("stat", f.Name()); err != nil {
		return nil, err
	}
	return f.file.Stat()
}

func (f *File) truncate(size int64) error {
	if err := attempt("truncate", f.Name()); err != nil {
		return err
	}
	return f.file.Truncate(size)
}

func (f *File) chmod(mode fs.FileMode) error {
	if err := attempt("chmod", f.Name()); err != nil {
		return err
	}
	return f.file.Chmod(mode)
}

func (f *File) sync() error {
	if err := attempt("sync", f.Name()); err != nil {
		return err
	}
	return f.file.Sync()
}

// Close closes the file, even if a test makes Close return an error.
func (f *File) Close() error { return Join(attempt("close", f.Name()), f.file.Close()) }

func rename(from, to string) error {
	if err := attempt("rename", from); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Remove removes the file at path. Remove returns no error if the file does not exist.
func Remove(path string) error {
	if err := attempt("remove", path); err != nil {
		return err
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RemoveFolder removes the folder at path with its contents. RemoveFolder returns no error if the folder does
// not exist.
func RemoveFolder(path string) error {
	if err := attempt("remove", path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// MakeFolder creates the folder at path and its parent folders if they do not exist.
func MakeFolder(path string) error {
	if err := attempt("mkdir", path); err != nil {
		return err
	}
	return os.MkdirAll(path, 0o777)
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
