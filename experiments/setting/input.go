package setting

import (
	"sync"
	"sync/atomic"

	"antipode/experiments/internal/namedfile"
)

// input is a file that a setting names, for example a matrix or the states of tokens. The file is read once,
// when its contents are first needed. The setting of a user needs the contents immediately, so that an
// invalid file is refused. A setting from the metadata of a table needs the contents only if the experiment
// is run again, because reports and figures do not need the file. Copies of a setting share the input.
type input[T any] struct {
	name, sum string // the name and the checksum; sum is "" before the first reading, unless metadata give it
	once      sync.Once
	known     atomic.Bool // whether the file has been read
	contents  T
	err       error
}

// newInput returns the input file that a text names. A checksum in the text is required of the contents of
// the file.
func newInput[T any](text string) *input[T] {
	name, sum := namedfile.Split(text)
	return &input[T]{name: name, sum: sum}
}

// unread reports whether there is an input file that has not been read yet; there is none if f is nil.
func (f *input[T]) unread() bool { return f != nil && !f.known.Load() }

// get reads the input file on the first call, and returns the contents on every call. The error is that of
// the function read, or says that the contents of the file do not have the required checksum.
func (f *input[T]) get(read func(path string) (contents T, checksum string, err error)) (T, error) {
	f.once.Do(func() {
		var sum string
		if f.contents, sum, f.err = read(f.name); f.err == nil {
			f.err = namedfile.Compare(f.sum, sum)
			f.sum = sum
		}
		f.known.Store(true)
	})
	return f.contents, f.err
}

// text returns the name of the input file, followed by the checksum of its contents if the checksum is known.
func (f *input[T]) text() string {
	if f.sum == "" {
		return f.name
	}
	return f.name + namedfile.Mark + f.sum
}
