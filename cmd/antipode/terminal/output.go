// Package terminal writes what a command of the program antipode shows to a person or to another program: the
// report on a table, messages of one line, and the progress of a run.
//
//	progress := terminal.NewProgress(os.Stderr, "phase", terminal.Auto)
//	progress.Update(state) // a bar, or a line now and then
//	progress.Finish()
package terminal

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	"golang.org/x/term"
)

// Output writes to standard output. An Output stores the first error of a write, because the functions that
// print help and version do not report errors.
type Output struct {
	Writer io.Writer
	mutex  sync.Mutex // guards the field first; an interrupted command may still be printing
	first  error
}

func (o *Output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.first == nil {
		o.first = err
	}
	return n, err
}

// Err returns the first error of a write to standard output, or nil.
func (o *Output) Err() error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.first
}

// Unread reports whether an error says that the reader of standard output has closed it. For example, the
// command head closes its input when it has enough lines. Printing then ends, but the program has not failed.
func (o *Output) Unread(err error) bool {
	return errors.Is(o.Err(), syscall.EPIPE) && errors.Is(err, syscall.EPIPE)
}

// Screen returns the terminal that shows what is written to w, or nil if w is not shown on a terminal.
func Screen(w io.Writer) *os.File {
	if o, ok := w.(*Output); ok {
		w = o.Writer
	}
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return file
}
