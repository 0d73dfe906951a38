package main

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	"golang.org/x/term"
)

// output is standard output. It keeps the first error, for help and version, whose printing tells
// nobody of one.
type output struct {
	writer io.Writer
	mutex  sync.Mutex // a command that was interrupted may be printing still
	first  error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.writer.Write(p)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.first == nil {
		o.first = err
	}
	return n, err
}

// err is the first error.
func (o *output) err() error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.first
}

// unread reports whether an error is that the reader of standard output has gone, as head does
// when it has enough. That is the end of printing, and nothing has failed.
func (o *output) unread(err error) bool {
	return errors.Is(o.err(), syscall.EPIPE) && errors.Is(err, syscall.EPIPE)
}

// terminal is the terminal that shows what is written, nil if there is none.
func terminal(w io.Writer) *os.File {
	if o, ok := w.(*output); ok {
		w = o.writer
	}
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return file
}
