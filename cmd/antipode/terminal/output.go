// Package terminal writes what a person, or a program in their place, reads of a command: its report,
// messages in a line, and how much of a run is done.
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

// Output is standard output. It keeps the first error, for help and version, whose printing does not report
// one.
type Output struct {
	Writer io.Writer
	mutex  sync.Mutex // a command that was interrupted may be printing still
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

// Err is the first error.
func (o *Output) Err() error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.first
}

// Unread reports whether an error is that the reader of standard output has gone, as head does
// when it has enough. That is the end of printing, and nothing has failed.
func (o *Output) Unread(err error) bool {
	return errors.Is(o.Err(), syscall.EPIPE) && errors.Is(err, syscall.EPIPE)
}

// Screen is the terminal that shows what is written, nil if there is none.
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
