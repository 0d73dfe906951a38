package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
)

// fault is the function that Inject has set.
var fault atomic.Pointer[func(operation, path string) error]

// Inject is for tests that make each operation fail in turn. The function is called before every operation of
// this package on a file or folder, from any goroutine. If it returns an error, the operation is not done and
// fails with this error; but a file is always closed. Nil removes the function.
func Inject(function func(operation, path string) error) {
	if function == nil {
		fault.Store(nil)
		return
	}
	fault.Store(&function)
}

// attempt returns the error with which a test makes an operation fail, or nil.
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

// File is an open file.
type File struct{ file *os.File }

// Open opens a file or folder for reading.
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

// Stat describes the file.
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

// Close closes the file. It closes the file even if a test makes Close fail.
func (f *File) Close() error { return Join(attempt("close", f.Name()), f.file.Close()) }

func rename(from, to string) error {
	if err := attempt("rename", from); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Remove removes a file. It is no error if the file does not exist.
func Remove(path string) error {
	if err := attempt("remove", path); err != nil {
		return err
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RemoveFolder removes a folder and everything in it. It is no error if the folder does not exist.
func RemoveFolder(path string) error {
	if err := attempt("remove", path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// MakeFolder creates a folder and its parent folders if they do not exist.
func MakeFolder(path string) error {
	if err := attempt("mkdir", path); err != nil {
		return err
	}
	return os.MkdirAll(path, 0o777)
}

// Join joins errors on one line, in order. It returns nil if all errors are nil.
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
